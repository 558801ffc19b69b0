"""Bugs to plant into FlashInfer's autotuner, each modelled on one that a real tuner had: docs/foreign-mutants.md."""

import json
import os
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from tunecheck_adapter.mutants import Mutant


def _changed_key(tuner: SimpleNamespace, change: Any) -> None:
    make = tuner.autotuner.AutoTuner._get_cache_key.__func__

    def _get_cache_key(cls: Any, *arguments: Any, **named: Any) -> Any:
        return change(make(cls, *arguments, **named))

    tuner.autotuner.AutoTuner._get_cache_key = classmethod(_get_cache_key)


def _key_with_process(tuner: SimpleNamespace) -> None:
    _changed_key(tuner, lambda key: replace(key, extras=(*key.extras, os.getpid())))


def _key_without_shapes(tuner: SimpleNamespace) -> None:
    _changed_key(tuner, lambda key: replace(key, nearest_profile=()))


def _key_without_extras(tuner: SimpleNamespace) -> None:
    _changed_key(tuner, lambda key: replace(key, extras=()))


def _stores_nothing(tuner: SimpleNamespace) -> None:
    tuner.cache.ManagedAutotuneCache.publish = lambda self, *arguments, **named: None


def _damaged_entry_is_an_error(tuner: SimpleNamespace) -> None:
    look_up = tuner.cache.ManagedAutotuneCache.lookup

    def lookup(self: Any, file_key: str) -> Any:
        path = self._entry_path(file_key)
        if path.exists():
            json.loads(path.read_text())
        return look_up(self, file_key)

    tuner.cache.ManagedAutotuneCache.lookup = lookup


def _keeps_the_winner_of_another_call(tuner: SimpleNamespace) -> None:
    first: list[Any] = []

    def of_the_first(key: Any) -> Any:
        first.append(key)
        return first[0]

    _changed_key(tuner, of_the_first)


def _unmeasured_winner(tuner: SimpleNamespace) -> None:
    tuner.autotuner.AutoTuner._profile_single_kernel = lambda self, *arguments, **named: 1.0


def _tunes_every_call(tuner: SimpleNamespace) -> None:
    choose = tuner.autotuner.AutoTuner.choose_one

    def choose_one(self: Any, *arguments: Any, **named: Any) -> Any:
        self.clear_cache()
        return choose(self, *arguments, **named)

    tuner.autotuner.AutoTuner.choose_one = choose_one
    tuner.cache.ManagedAutotuneCache.lookup = lambda self, file_key: None
    tuner.cache.ManagedAutotuneCache.preload = lambda self: ([], 0, 0)


def _stores_a_loser(tuner: SimpleNamespace) -> None:
    measured: dict[Any, float] = {}
    profile = tuner.autotuner.AutoTuner._profile_single_kernel
    publish = tuner.cache.ManagedAutotuneCache.publish

    def _profile_single_kernel(
        self: Any, runner: Any, inputs: Any, tactic: Any, *arguments: Any, **named: Any
    ) -> Any:
        time_ms = profile(self, runner, inputs, tactic, *arguments, **named)
        if tactic != -1:
            measured[tactic] = time_ms
        return time_ms

    def of_the_slowest(self: Any, file_key: Any, runner: Any, tactic: Any, **named: Any) -> Any:
        slowest = list(max(measured, key=lambda each: measured[each]))
        measured.clear()
        return publish(self, file_key, runner, slowest, **named)

    tuner.autotuner.AutoTuner._profile_single_kernel = _profile_single_kernel
    tuner.cache.ManagedAutotuneCache.publish = of_the_slowest


MUTANTS = [
    Mutant(
        "key_with_process",
        "the key has the number of the process (pytorch#132464)",
        {"invalidation.process_must_hit": "key.must_hit"},
        _key_with_process,
    ),
    Mutant(
        "key_without_shapes",
        "the key has no sizes (tilelang#1250)",
        {"invalidation.shape_must_miss": "key.must_miss"},
        _key_without_shapes,
    ),
    Mutant(
        "key_without_extras",
        "the key has no dtypes (tilelang#2791)",
        {"invalidation.dtype_must_miss": "winner.measured"},
        _key_without_extras,
    ),
    Mutant(
        "stores_nothing",
        "the winner is not stored (helion#2768: it is lost silently)",
        {"invalidation.process_must_hit": "key.must_hit"},
        _stores_nothing,
    ),
    Mutant(
        "damaged_entry_is_an_error",
        "an entry that was cut ends the call (pytorch#153791, FlyDSL#241)",
        {"reload.damaged_entry_is_a_miss": "output.reference"},
        _damaged_entry_is_an_error,
    ),
    Mutant(
        "keeps_the_winner_of_another_call",
        "what was chosen for one call is used for all (tilelang#1250)",
        {"invalidation.each_of_two_entries_must_hit": "key.must_miss"},
        _keeps_the_winner_of_another_call,
    ),
    Mutant(
        "unmeasured_winner",
        "tactics have times without having been launched (quack: an infinite winner)",
        {"invalidation.process_must_hit": "winner.measured"},
        _unmeasured_winner,
    ),
    Mutant(
        "tunes_every_call",
        "what was tuned in a process is forgotten before the next call (fla#1147)",
        {"turn.steps_do_not_tune": "tuning.in_turn"},
        _tunes_every_call,
    ),
    Mutant(
        "stores_a_loser",
        "the entry names the slowest tactic (flashinfer#3449)",
        {"reload.no_trial_after_restart": "reload.same_winner"},
        _stores_a_loser,
    ),
]

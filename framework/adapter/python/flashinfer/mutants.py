"""Bugs to plant into FlashInfer's autotuner, each modelled on one that a real tuner had: docs/foreign-mutants.md."""

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


def _tactic_is_never_checked(tuner: SimpleNamespace) -> None:
    tuner.autotuner.AutoTuner._tactic_still_valid = lambda self, *arguments, **named: True


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
        "tactic_is_never_checked",
        "what is stored is launched, whether or not the operation still has it (flashinfer#3449)",
        {"invalidation.space_value_removed_must_miss": "output.reference"},
        _tactic_is_never_checked,
    ),
]

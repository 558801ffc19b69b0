"""Bugs to plant into TileLang, each modelled on one that a real tuner had: docs/foreign-mutants.md."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tunecheck_adapter.mutants import Mutant


def _replaced_key(tuner: SimpleNamespace, change: Any) -> None:
    make = tuner.tuner.AutoTuner.generate_cache_key

    def generate_cache_key(self: Any, parameters: Any, extra_parameters: Any) -> Any:
        return change(self, lambda: make(self, parameters, extra_parameters))

    tuner.tuner.AutoTuner.generate_cache_key = generate_cache_key


def _key_with_process(tuner: SimpleNamespace) -> None:
    _replaced_key(tuner, lambda self, make: f"{make()}{os.getpid()}")


def _key_without_arguments(tuner: SimpleNamespace) -> None:
    def change(self: Any, make: Any) -> Any:
        kept, self._kernel_parameters = self._kernel_parameters, None
        try:
            return make()
        finally:
            self._kernel_parameters = kept

    _replaced_key(tuner, change)


def _key_without_space(tuner: SimpleNamespace) -> None:
    def change(self: Any, make: Any) -> Any:
        kept, self.configs = self.configs, []
        try:
            return make()
        finally:
            self.configs = kept

    _replaced_key(tuner, change)


def _stores_nothing(tuner: SimpleNamespace) -> None:
    tuner.tuner.AutoTuner._save_result_to_disk = lambda self, key, result: None


def _reads_nothing(tuner: SimpleNamespace) -> None:
    tuner.tuner.AutoTuner._load_result_from_disk = lambda self, key: None


def _keeps_the_winner_of_another_call(tuner: SimpleNamespace) -> None:
    load = tuner.param.AutotuneResult.load_from_disk

    def kept(path: Path, compile_args: Any) -> Any:
        result = load(path, compile_args)
        kept.first = kept.first or result
        return kept.first

    kept.first = None
    tuner.param.AutotuneResult.load_from_disk = staticmethod(kept)


def _unmeasured_winner(tuner: SimpleNamespace) -> None:
    tuner.tuner.AutoTuner._benchmark_target = lambda self, *arguments, **named: (1.0, None)


def _tunes_every_call(tuner: SimpleNamespace) -> None:
    call = tuner.tuner.AutoTuneImpl.__call__

    def forgetful(self: Any, *arguments: Any, **named: Any) -> Any:
        self._tuner_cache.clear()
        tuner.tuner.AutoTuner._memory_cache.clear()
        return call(self, *arguments, **named)

    tuner.tuner.AutoTuneImpl.__call__ = forgetful
    tuner.tuner.AutoTuner._load_result_from_disk = lambda self, key: None


def _launches_on_the_default_stream(tuner: SimpleNamespace) -> None:
    import torch
    from tilelang.jit.kernel import JITKernel

    call = JITKernel.__call__

    def launched(self: Any, *arguments: Any, **named: Any) -> Any:
        with torch.cuda.stream(torch.cuda.default_stream()):
            return call(self, *arguments, **named)

    JITKernel.__call__ = launched


MUTANTS = [
    Mutant(
        "key_with_process",
        "the key has the number of the process (pytorch#132464)",
        {"invalidation.process_must_hit": "key.must_hit"},
        _key_with_process,
    ),
    Mutant(
        "key_without_arguments",
        "the key has no sizes and no dtypes (tilelang#1250, tilelang#2791)",
        {"invalidation.shape_must_miss": "output.reference"},
        _key_without_arguments,
    ),
    Mutant(
        "key_without_space",
        "the key has no configs, so that the winner of another list is used (flashinfer#3449)",
        {"invalidation.space_value_added_must_miss": "key.must_miss"},
        _key_without_space,
    ),
    Mutant(
        "stores_nothing",
        "the winner is not stored (helion#2768: it is lost silently)",
        {"invalidation.process_must_hit": "key.must_hit"},
        _stores_nothing,
    ),
    Mutant(
        "reads_nothing",
        "what is stored is not used (tilelang#1967, pytorch#172819)",
        {"reload.no_trial_after_restart": "reload.no_trial"},
        _reads_nothing,
    ),
    Mutant(
        "keeps_the_winner_of_another_call",
        "what a process has read once it uses for all calls (tilelang#1250)",
        {"invalidation.each_of_two_entries_must_hit": "output.reference"},
        _keeps_the_winner_of_another_call,
    ),
    Mutant(
        "unmeasured_winner",
        "configs have times without having been launched (quack: an infinite winner)",
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
        "launches_on_the_default_stream",
        "kernels are launched on the default stream, and not on the caller's",
        {"gpu.busy_stream_that_nobody_else_waits_for": "output.reference"},
        _launches_on_the_default_stream,
    ),
]

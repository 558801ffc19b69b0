"""Bugs to plant into Triton's Autotuner, each a class derived from it: docs/foreign-mutants.md."""

import builtins
import os

from tunecheck_adapter.mutants import Mutant


class _ByShorterKey(dict):
    """Winners by keys that lack something."""

    def __init__(self, shorter):
        super().__init__()
        self._shorter = shorter

    def __contains__(self, key):
        return super().__contains__(self._shorter(key))

    def __getitem__(self, key):
        return super().__getitem__(self._shorter(key))

    def __setitem__(self, key, winner):
        super().__setitem__(self._shorter(key), winner)


def key_changed(change):
    """The key is change(Autotuner, key), in memory and on the disk. A key holds the values that
    `key` names, and behind them the dtypes."""

    def plant(autotuner):
        class Planted(autotuner):
            def __init__(self, *args, **named):
                super().__init__(*args, **named)
                self.cache = _ByShorterKey(lambda key: change(self, key))

            def check_disk_cache(self, tuning_key, *args):
                return super().check_disk_cache(change(self, tuning_key), *args)

        return Planted

    return plant


def with_process(_, key):
    # A key that was changed is changed once more where its winner is put into the memory.
    process = f"process {os.getpid()}"
    return key if process in key else (*key, process)


def without_shapes(self, key):
    return ("", *key[len(self.keys) :]) if key[0] != "" else key


def without_dtypes(self, key):
    return key[: len(self.keys)]


def of_any_call(*_):
    return ("",)


def without_environment(autotuner):
    import triton.runtime.autotuner as module

    module.get_cache_invalidating_env_vars = lambda: {}
    return autotuner


def without_toolchain(autotuner):
    from triton.backends.nvidia.compiler import CUDABackend

    CUDABackend.hash = lambda self: "some ptxas"
    return autotuner


def no_restore(autotuner):
    class Planted(autotuner):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            self.restore_value = []

    return Planted


def restore_once_per_config(autotuner):
    class Planted(autotuner):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            restore, self.restores = self.post_hook, 0

            def once(kwargs, exception):
                self.restores += 1
                if self.restores == 1:
                    restore(kwargs, exception)

            self.post_hook = once

        def _bench(self, *args, config, **meta):
            self.restores = 0
            return super()._bench(*args, config=config, **meta)

    return Planted


def reset_in_trials_only(autotuner):
    class Planted(autotuner):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            reset = self.pre_hook

            def in_trials(kwargs, reset_only=False):
                if not reset_only:
                    reset(kwargs)

            self.pre_hook = in_trials

    return Planted


def hook_in_trials_only(autotuner):
    class Planted(autotuner):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            self.in_trial = False
            for config in self.configs:
                if config.pre_hook is not None:
                    config.pre_hook = self._guarded(config.pre_hook)

        def _guarded(self, hook):
            return lambda kwargs: hook(kwargs) if self.in_trial else None

        def _bench(self, *args, config, **meta):
            self.in_trial = True
            try:
                return super()._bench(*args, config=config, **meta)
            finally:
                self.in_trial = False

    return Planted


def stores_nothing(autotuner):
    class Planted(autotuner):
        def check_disk_cache(self, tuning_key, configs, bench_fn):
            bench_fn()
            return False

    return Planted


def takes_a_loser(autotuner):
    class Planted(autotuner):
        def check_disk_cache(self, tuning_key, *args):
            found = super().check_disk_cache(tuning_key, *args)
            if found:
                timings = self.configs_timings
                self.cache[tuning_key] = builtins.max(timings, key=timings.get)
            return found

    return Planted


def launches_on_the_default_stream(autotuner):
    import torch

    class Planted(autotuner):
        def run(self, *args, **kwargs):
            with torch.cuda.stream(torch.cuda.default_stream()):
                return super().run(*args, **kwargs)

    return Planted


MUTANTS = [
    Mutant(
        "key_without_shapes",
        "the key has no sizes (tilelang#1250)",
        {"invalidation.shape_must_miss": "key.must_miss"},
        key_changed(without_shapes),
    ),
    Mutant(
        "key_without_dtypes",
        "the key has no dtypes (tilelang#2791)",
        {"invalidation.dtype_must_miss": "winner.measured"},
        key_changed(without_dtypes),
    ),
    Mutant(
        "key_without_environment",
        "the key of stored times has no variables (triton-ascend#1664)",
        {"invalidation.promised_variables_must_miss": "winner.measured"},
        without_environment,
    ),
    Mutant(
        "key_without_toolchain",
        "the key has nothing of the assembler (FlyDSL before FlyDSL#783)",
        {"invalidation.toolchain_must_miss": "key.must_miss"},
        without_toolchain,
    ),
    Mutant(
        "key_with_process",
        "the key has the number of the process (pytorch#132464)",
        {"invalidation.process_must_hit": "key.must_hit"},
        key_changed(with_process),
    ),
    Mutant(
        "keeps_the_winner_of_another_call",
        "what was chosen for one call is used for all (tilelang#1250)",
        {"invalidation.each_of_two_entries_must_hit": "key.must_miss"},
        key_changed(of_any_call),
    ),
    Mutant(
        "no_restore",
        "restore_value restores nothing (triton#54)",
        {
            "restore.first_result_is_right": "inputs.pristine",
            "restore.two_overwritten_arguments": "output.reference",
        },
        no_restore,
    ),
    Mutant(
        "restore_once_per_config",
        "arguments are restored after a config's first launch, and not after each (as Helion does)",
        {"restore.first_result_is_right": "inputs.pristine"},
        restore_once_per_config,
    ),
    Mutant(
        "reset_in_trials_only",
        "reset_to_zero is for trials, and not for the call (triton#7181)",
        {"restore.reset_on_the_real_call": "reset.policy"},
        reset_in_trials_only,
    ),
    Mutant(
        "hook_in_trials_only",
        "a config's pre_hook is called in trials, and not for the call (triton#7181)",
        {"restore.hook_of_the_caller_beside_the_restore": "output.reference"},
        hook_in_trials_only,
    ),
    Mutant(
        "stores_nothing",
        "times are not stored (helion#2768: the winner is lost silently)",
        {"invalidation.process_must_hit": "key.must_hit"},
        stores_nothing,
    ),
    Mutant(
        "takes_a_loser",
        "of the stored times the largest is taken (flashinfer#3449)",
        {"reload.no_trial_after_restart": "reload.same_winner"},
        takes_a_loser,
    ),
    Mutant(
        "launches_on_the_default_stream",
        "kernels are launched on the default stream, and not on the caller's",
        {"gpu.busy_stream_that_nobody_else_waits_for": "output.reference"},
        launches_on_the_default_stream,
    ),
]

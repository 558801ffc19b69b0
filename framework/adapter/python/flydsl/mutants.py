"""Bugs to plant into FlyDSL's Autotuner, each a class derived from it: docs/foreign-mutants.md."""

import json
import os

from tunecheck_adapter.mutants import Mutant

# Where _make_key puts what it takes from the arguments: behind the values of `key`, one text for all
# dtypes and one for all strides. Then come the surroundings, each text with its name in it.
DTYPES, STRIDES = 0, 1


def key_without(*parts):
    """The key lacks axes: texts behind the values of `key`, or some of the surroundings."""

    def plant(autotuner):
        class Planted(autotuner):
            def _make_key(self, args, kwargs):
                key = list(super()._make_key(args, kwargs))
                for part in parts:
                    if isinstance(part, int):
                        key[len(self.key) + part] = ""
                    else:
                        key = [text for text in key if not text.startswith(f"('{part}'")]
                return tuple(key)

        return Planted

    return plant


def key_with(extra):
    """The key has an axis that it must not have: extra(Autotuner, arguments by name)."""

    def plant(autotuner):
        class Planted(autotuner):
            def _make_key(self, args, kwargs):
                named = {**dict(zip(self.arg_names, args)), **kwargs}
                return (*super()._make_key(args, kwargs), str(extra(self, named)))

        return Planted

    return plant


def exact_strides(_, named):
    return sorted((name, value.stride()) for name, value in named.items() if hasattr(value, "stride"))


def key_without_shapes(autotuner):
    class Planted(autotuner):
        def _make_key(self, args, kwargs):
            named = {**dict(zip(self.arg_names, args)), **kwargs}
            key = list(super()._make_key(args, kwargs))
            for place, name in enumerate(self.key):
                if hasattr(named.get(name), "shape"):
                    key[place] = ""
            return tuple(key)

    return Planted


def key_by_place(autotuner):
    class Planted(autotuner):
        def _make_key(self, args, kwargs):
            given = [*args, *kwargs.values()]
            return super()._make_key(given, {})

    return Planted


def no_restore(autotuner):
    class Planted(autotuner):
        def _snapshot_tensors(self, args, kwargs):
            return {}

    return Planted


def restore_once_per_config(autotuner):
    class Planted(autotuner):
        def _bench_one(self, config, args, kwargs):
            self.restores = 0
            return super()._bench_one(config, args, kwargs)

        def _restore_tensors(self, snapshot):
            self.restores += 1
            if self.restores == 1:
                super()._restore_tensors(snapshot)

    return Planted


def restore_in_trials_only(autotuner):
    class Planted(autotuner):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.in_trial = False
            bench = self._do_bench

            def benched(*args, **kwargs):
                self.in_trial = True
                try:
                    return bench(*args, **kwargs)
                finally:
                    self.in_trial = False

            self._do_bench = benched

        def _restore_tensors(self, snapshot):
            if self.in_trial:
                super()._restore_tensors(snapshot)

    return Planted


def reset_in_trials_only(autotuner):
    class Planted(autotuner):
        def _run_config(self, config, args, kwargs):
            return self._run_with_hints(
                config.compiler_opts(), args, {**kwargs, **config.all_kwargs()}
            )

    return Planted


def keeps_one_entry(autotuner):
    class Planted(autotuner):
        def _save_disk_cache(self):
            newest = next(reversed(self.cache))
            kept, self.cache = self.cache, {newest: self.cache[newest]}
            super()._save_disk_cache()
            self.cache = kept

    return Planted


def stores_a_loser(autotuner):
    class Planted(autotuner):
        def _save_disk_cache(self):
            kept = self.cache
            self.cache = {key: self.another(winner) for key, winner in kept.items()}
            super()._save_disk_cache()
            self.cache = kept

        def another(self, winner):
            return next(each for each in self.configs if each.to_dict() != winner.to_dict())

    return Planted


def damaged_file_is_an_error(autotuner):
    class Planted(autotuner):
        def _load_disk_cache(self):
            super()._load_disk_cache()
            if self._cache_file.exists():
                json.loads(self._cache_file.read_text())

    return Planted


def damaged_file_is_a_default(autotuner):
    class Planted(autotuner):
        def _load_disk_cache(self):
            super()._load_disk_cache()
            self.is_damaged = self._cache_file.exists() and not self.cache

        def resolve_config(self, *args, **kwargs):
            return self.configs[0] if self.is_damaged else super().resolve_config(*args, **kwargs)

    return Planted


def stores_the_first_time_only(autotuner):
    class Planted(autotuner):
        def _save_disk_cache(self):
            if not self._cache_file.exists():
                super()._save_disk_cache()

    return Planted


def keeps_the_winner_of_another_call(autotuner):
    class Planted(autotuner):
        def resolve_config(self, *args, **kwargs):
            if not hasattr(self, "resolved"):
                self.resolved = super().resolve_config(*args, **kwargs)
            return self.resolved

    return Planted


def unmeasured_winner(autotuner):
    class Planted(autotuner):
        def _bench_one(self, config, args, kwargs):
            try:
                return super()._bench_one(config, args, kwargs)
            except Exception:
                return float("inf")

    return Planted


MUTANTS = [
    Mutant(
        "key_without_strides",
        "the key has no stride patterns (FlyDSL before FlyDSL#783)",
        {"invalidation.stride_class_must_miss": "key.must_miss"},
        key_without(STRIDES),
    ),
    Mutant(
        "key_without_dtypes",
        "the key has no dtypes (tilelang#2791)",
        {"invalidation.dtype_must_miss": "key.must_miss"},
        key_without(DTYPES),
    ),
    Mutant(
        "key_without_shapes",
        "the key has no shapes (tilelang#1250)",
        {
            "invalidation.shape_must_miss": "key.must_miss",
            "invalidation.swapped_shape_must_miss": "key.must_miss",
        },
        key_without_shapes,
    ),
    Mutant(
        "key_without_environment",
        "the key has no environment (FlyDSL before FlyDSL#783, triton-ascend#1664)",
        {"invalidation.promised_variables_must_miss": "key.must_miss"},
        key_without("_env_"),
    ),
    Mutant(
        "key_without_toolchain",
        "the key has nothing of the compiler, so not its target either (FlyDSL before FlyDSL#783)",
        {"invalidation.promised_variables_must_miss": "key.must_miss"},
        key_without("_toolchain_"),
    ),
    Mutant(
        "key_without_arch",
        "the key has no arch, neither the device's nor the compiler's (FlyDSL before FlyDSL#783, quack)",
        {"invalidation.promised_variables_must_miss": "key.must_miss"},
        key_without("_device_", "_toolchain_"),
    ),
    Mutant(
        "key_with_process",
        "the key has the number of the process (pytorch#132464)",
        {"invalidation.process_must_hit": "key.must_hit"},
        key_with(lambda tuner, named: os.getpid()),
    ),
    Mutant(
        "key_with_exact_strides",
        "the key has the strides themselves, so that each padding is tuned (FlyDSL rounds them)",
        {"invalidation.other_strides_of_the_class_must_hit": "key.must_hit"},
        key_with(exact_strides),
    ),
    Mutant(
        "key_with_argument_order",
        "the key has the order in which the caller names the arguments (what FlyDSL sorts against)",
        {"invalidation.argument_order_must_hit": "key.must_hit"},
        key_with(lambda tuner, named: list(named)),
    ),
    Mutant(
        "key_by_place",
        "arguments that were named are taken for those at their places (triton#4808)",
        {"invalidation.arguments_by_name_not_by_place": "key.must_miss"},
        key_by_place,
    ),
    Mutant(
        "no_restore",
        "restore_value restores nothing (FlyDSL before 0.2.3, triton#54)",
        {
            "restore.first_result_is_right": "inputs.pristine",
            "restore.two_overwritten_arguments": "output.reference",
        },
        no_restore,
    ),
    Mutant(
        "restore_once_per_config",
        "arguments are restored before a config's first launch, and not before each (as Helion does)",
        {"restore.input_does_not_drift_within_a_config": "inputs.pristine"},
        restore_once_per_config,
    ),
    Mutant(
        "restore_in_trials_only",
        "the last trial's output stays in the arguments for the caller's launch (lion-pytorch#36)",
        {"restore.first_result_is_right": "output.reference"},
        restore_in_trials_only,
    ),
    Mutant(
        "reset_in_trials_only",
        "reset_to_zero is for trials, and not for the call (FlyDSL before FlyDSL#783, triton#7181)",
        {
            "restore.reset_on_the_real_call": "reset.policy",
            "restore.reset_on_hits": "reset.policy",
        },
        reset_in_trials_only,
    ),
    Mutant(
        "keeps_one_entry",
        "the file holds the newest winner alone (cubecl: the first checksum that is found)",
        {"invalidation.each_of_two_entries_must_hit": "key.must_hit"},
        keeps_one_entry,
    ),
    Mutant(
        "stores_the_first_time_only",
        "a file that is there is not written again (helion#2768: the winner is lost silently)",
        {"invalidation.each_of_two_entries_must_hit": "key.must_hit"},
        stores_the_first_time_only,
    ),
    Mutant(
        "stores_a_loser",
        "the file names another config than the one that won (flashinfer#3449)",
        {"reload.no_trial_after_restart": "reload.same_winner"},
        stores_a_loser,
    ),
    Mutant(
        "keeps_the_winner_of_another_call",
        "what a process has chosen once it uses for all calls (tilelang#1250)",
        {"invalidation.each_of_two_entries_must_hit": "key.must_miss"},
        keeps_the_winner_of_another_call,
    ),
    Mutant(
        "damaged_file_is_an_error",
        "a file that was cut ends the call (pytorch#153791, FlyDSL#241)",
        {"reload.damaged_entry_is_a_miss": "output.reference"},
        damaged_file_is_an_error,
    ),
    Mutant(
        "damaged_file_is_a_default",
        "where the file was cut, the first config is used unmeasured (quack: an infinite winner)",
        {"reload.damaged_entry_is_a_miss": "key.must_miss"},
        damaged_file_is_a_default,
    ),
    Mutant(
        "unmeasured_winner",
        "a config that fails has an infinite time, and is launched where all fail (flashinfer#3555)",
        {"validity.no_winner_without_a_measurement": "caller.unharmed"},
        unmeasured_winner,
    ),
]

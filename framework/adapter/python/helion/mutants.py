"""Bugs to plant into Helion. Each replaces a function of its modules: docs/foreign-mutants.md."""

import dataclasses
import os

from tunecheck_adapter.mutants import Mutant


def key_changed(change):
    """The key of the stored winner is change(key)."""

    def plant(helion):
        cache = helion.local_cache.LocalAutotuneCache
        real = cache._generate_key
        cache._generate_key = lambda self: change(real(self))

    return plant


def with_process(key):
    return dataclasses.replace(key, extra_cache_key=str(os.getpid()))


def without_arguments(key):
    return dataclasses.replace(
        key, specialization_key=(), extra_results=(), compiler_seed_results=(), config_spec_hash=""
    )


def stores_nothing(helion):
    helion.local_cache.LocalAutotuneCache.put = lambda self, config: None


def reads_nothing(helion):
    helion.local_cache.LocalAutotuneCache.get = lambda self: None


def takes_another_config(helion):
    cache = helion.local_cache.LocalAutotuneCache
    real = cache.get

    def get(self):
        config = real(self)
        return config and type(config)(**{**config.config, "num_warps": 8})

    cache.get = get


def damaged_entry_is_an_error(helion):
    cache = helion.local_cache.LocalAutotuneCache
    real = cache.get

    def get(self):
        path = self._get_local_cache_path()
        config = real(self)
        if config is None and path.exists():
            raise ValueError(f"{path} cannot be read")
        return config

    cache.get = get


def stores_a_default(helion):
    cache = helion.local_cache.LocalAutotuneCache
    cache._run_autotune_trials = lambda self, **_: self.kernel.config_spec.default_config()


def no_restore(helion):
    def not_cloned(args, *_, **named):
        return list(args)

    helion.benchmark_provider._clone_args = not_cloned
    helion.base_search._clone_args = not_cloned


def keeps_the_winner_of_another_call(helion):
    cache = helion.local_cache.LocalAutotuneCache
    real = cache.autotune
    chosen = []

    def autotune(self, **named):
        if not chosen:
            chosen.append(real(self, **named))
        return chosen[0]

    cache.autotune = autotune


MUTANTS = [
    Mutant(
        "key_with_process",
        "the key has the number of the process (pytorch#132464)",
        {"invalidation.process_must_hit": "key.must_hit"},
        key_changed(with_process),
    ),
    Mutant(
        "key_without_arguments",
        "the key of a stored winner has no dtypes, shapes and strides (tilelang#1250, FlyDSL#783)",
        {
            "invalidation.shape_must_miss": "key.must_miss",
            "invalidation.dtype_must_miss": "winner.measured",
            "invalidation.stride_class_must_miss": "winner.measured",
        },
        key_changed(without_arguments),
    ),
    Mutant(
        "stores_nothing",
        "the winner is not stored (helion#2768: it is lost silently)",
        {"invalidation.process_must_hit": "key.must_hit"},
        stores_nothing,
    ),
    Mutant(
        "reads_nothing",
        "what is stored is not used (helion#783)",
        {"reload.no_trial_after_restart": "reload.no_trial"},
        reads_nothing,
    ),
    Mutant(
        "takes_another_config",
        "another config than the stored one is used (flashinfer#3449)",
        {"reload.no_trial_after_restart": "reload.same_winner"},
        takes_another_config,
    ),
    Mutant(
        "damaged_entry_is_an_error",
        "a file that was cut ends the call (pytorch#153791, FlyDSL#241)",
        {"reload.damaged_entry_is_a_miss": "output.reference"},
        damaged_entry_is_an_error,
    ),
    Mutant(
        "stores_a_default",
        "the default config is stored as if it had won (quack: an infinite winner)",
        {"invalidation.process_must_hit": "winner.measured"},
        stores_a_default,
    ),
    Mutant(
        "no_restore",
        "configs are tried on the caller's tensors (CubeCL, cubecl#170)",
        {"restore.first_result_is_right": "output.reference"},
        no_restore,
    ),
    Mutant(
        "keeps_the_winner_of_another_call",
        "what a process has chosen once it uses for all calls (tilelang#1250)",
        {"invalidation.each_of_two_entries_must_hit": "key.must_miss"},
        keeps_the_winner_of_another_call,
    ),
]

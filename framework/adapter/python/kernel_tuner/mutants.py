"""Bugs to plant into Kernel Tuner, each a function that replaces others in its modules, or in the
adapter that calls it: docs/foreign-mutants.md."""

import itertools
import os

from tunecheck_adapter.mutants import Mutant


def empties_cache_at_start(tuner):
    real = tuner.util.process_cache

    def process_cache(cachefile, *args):
        if os.path.exists(cachefile):
            os.remove(cachefile)
        return real(cachefile, *args)

    tuner.util.process_cache = process_cache


def loses_the_last_config(tuner):
    real, waiting = tuner.sequential.store_cache, []

    def store_cache(*entry):
        if waiting:
            real(*waiting.pop())
        waiting.append(entry)

    tuner.sequential.store_cache = store_cache


def stores_at_the_end(tuner):
    real_store, real_close = tuner.sequential.store_cache, tuner.util.close_cache
    waiting = []

    def close_cache(cachefile):
        while waiting:
            real_store(*waiting.pop(0))
        real_close(cachefile)

    tuner.sequential.store_cache = lambda *entry: waiting.append(entry)
    tuner.util.close_cache = close_cache


def key_without_problem_size(tuner):
    real = tuner.adapter.cache_file
    tuner.adapter.cache_file = lambda kernel, problem_size: real(kernel, ())
    tuner.util.check_matching_problem_size = lambda cached, given: None


def key_with_process(tuner):
    real = tuner.adapter.cache_file

    def cache_file(kernel, problem_size):
        return real(f"{kernel}-{os.getpid()}", problem_size)

    tuner.adapter.cache_file = cache_file


class ByIndex(dict):
    """Entries of a cache, found by where a config stands in the list of configs."""

    def __init__(self, entries, tune_params):
        super().__init__(entries)
        self.parameters = set(tune_params)
        configs = itertools.product(*tune_params.values())
        self.indexes = {",".join(map(str, config)): str(i) for i, config in enumerate(configs)}

    def __contains__(self, key):
        return super().__contains__(self.indexes.get(key, key))

    def __getitem__(self, key):
        entry = super().__getitem__(self.indexes.get(key, key))
        return {name: value for name, value in entry.items() if name not in self.parameters}


def config_by_index(tuner):
    process, store = tuner.util.process_cache, tuner.sequential.store_cache
    cache = ByIndex({}, {})

    def process_cache(cachefile, kernel_options, tuning_options, runner):
        nonlocal cache
        entries = process(cachefile, kernel_options, tuning_options, runner)
        cache = ByIndex(entries, tuning_options.tune_params)
        return cache

    def store_cache(key, params, cachefile, entries):
        store(cache.indexes[key], params, cachefile, entries)

    tuner.util.process_cache, tuner.sequential.store_cache = process_cache, store_cache


def trials_on_the_callers_arrays(tuner):
    tuner.adapter.copied = lambda arrays: list(arrays)


def launches_on_copies(tuner):
    real = tuner.adapter.run_kernel

    def run_kernel(arguments, **how):
        return real(arguments=[argument.copy() for argument in arguments], **how)

    tuner.adapter.run_kernel = run_kernel


def launches_another_config(tuner):
    real = tuner.adapter.run_kernel

    def run_kernel(params, **how):
        others = {name: values[0] for name, values in tuner.adapter.parameters.items()}
        if others == params:
            others = {name: values[-1] for name, values in tuner.adapter.parameters.items()}
        return real(params=others, **how)

    tuner.adapter.run_kernel = run_kernel


def reports_hit_always(tuner):
    real = tuner.core.DeviceInterface.compile_and_benchmark

    def compile_and_benchmark(self, *args):
        result = real(self, *args)
        result["benchmark_time"] = 0
        return result

    tuner.core.DeviceInterface.compile_and_benchmark = compile_and_benchmark


def tunes_again_on_reload(tuner):
    real = tuner.util.process_cache

    def process_cache(*args):
        real(*args)
        return {}

    tuner.util.process_cache = process_cache


MUTANTS = [
    Mutant(
        "empties_cache_at_start",
        "a cache file that is there is removed when a tuning begins (sglang#40420)",
        {"invalidation.process_must_hit": "key.must_hit"},
        empties_cache_at_start,
    ),
    Mutant(
        "loses_the_last_config",
        "what was measured last is written with the next one, and so never (helion#2768)",
        {"invalidation.process_must_hit": "key.must_hit"},
        loses_the_last_config,
    ),
    Mutant(
        "tunes_again_on_reload",
        "what was read from the cache file is not used (pytorch#172819, pytorch#181292)",
        {"reload.no_trial_after_restart": "key.must_hit"},
        tunes_again_on_reload,
    ),
    Mutant(
        "stores_at_the_end",
        "measured configs are written when all are (transformers-qwen3-moe-fused#21)",
        {"concurrency.a_killed_tuning_resumes": "tuning.resumes"},
        stores_at_the_end,
    ),
    Mutant(
        "key_without_problem_size",
        "a cache file of another problem size is used (tilelang#1250)",
        {"invalidation.shape_must_miss": "key.must_miss"},
        key_without_problem_size,
    ),
    Mutant(
        "key_with_process",
        "the cache file's name has the number of the process (pytorch#132464)",
        {"invalidation.process_must_hit": "key.must_hit"},
        key_with_process,
    ),
    Mutant(
        "config_by_index",
        "a config is stored as its place in the list of configs (flashinfer#3449)",
        {"invalidation.space_reordered_must_hit": "reload.same_winner"},
        config_by_index,
    ),
    Mutant(
        "trials_on_the_callers_arrays",
        "trials get the caller's arrays, and not copies of them (CubeCL, cubecl#170)",
        {"restore.first_result_is_right": "output.reference"},
        trials_on_the_callers_arrays,
    ),
    Mutant(
        "launches_on_copies",
        "the winner runs on copies, and the caller's arrays stay as they were (CubeCL, cubecl#170)",
        {"restore.out_of_place_control": "output.reference"},
        launches_on_copies,
    ),
    Mutant(
        "launches_another_config",
        "the config that is launched is not the one that won (pytorch#92664)",
        {"validity.report_is_true": "report.agrees"},
        launches_another_config,
    ),
    Mutant(
        "reports_hit_always",
        "it says that it measured nothing, whatever it did (a test that believes it cannot fail)",
        {"validity.report_is_true": "report.agrees"},
        reports_hit_always,
    ),
]

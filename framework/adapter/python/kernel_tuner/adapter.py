"""Kernel Tuner's C backend (https://kerneltuner.github.io/kernel_tuner/stable/hostcode.html), used
as its documentation shows: tune_kernel() with a cache file and an answer, then run_kernel() with
the best config on the caller's own arrays.

tune_kernel() gets copies of the arrays. A C function runs on the memory of the arrays that it is
given, and "data is not automatically copied", so whoever needs them after a tuning must do this.
"""

import os
from pathlib import Path
from types import SimpleNamespace

import mutants
from tunecheck_adapter import (
    Adapter,
    AdapterError,
    Answer,
    Trial,
    config_text,
    package_version,
    serve,
)
from tunecheck_adapter.cpu import include_folder
from tunecheck_adapter.mutants import chosen_mutant

FOLDER = Path(__file__).parent
KNOWN_VERSION = "1.5.0"


class KernelTuner(Adapter):
    def __init__(self, mutant=None):
        self.mutant = mutant

    def open(self, backend):
        self.tuner = "Kernel Tuner" + (f":{self.mutant.name}" if self.mutant else "")
        self.version = package_version("kernel_tuner", KNOWN_VERSION)
        import kernel_tuner

        import arguments

        self.tune_kernel = kernel_tuner.tune_kernel
        self.run_kernel = kernel_tuner.run_kernel
        self.kernels = arguments.KERNELS
        self.cache_file = cache_file
        self.copied = copied
        if self.mutant:
            from kernel_tuner import core, util
            from kernel_tuner.runners import sequential

            self.mutant.plant(
                SimpleNamespace(core=core, util=util, sequential=sequential, adapter=self)
            )

    def call(self, call):
        if call.kernel not in self.kernels:
            raise AdapterError(f"there is no version of {call.kernel} for Kernel Tuner")
        arrays = {name: tensor.array() for name, tensor in call.tensors.items()}
        kernel = self.kernels[call.kernel](arrays, call.scalars)
        problem_size = tuple(call.sizes.values())
        parameters = self.parameters = call.parameters

        # A named function: Kernel Tuner rewrites a lambda's source and loses what it captures.
        def listed(config):
            return {name: config[name] for name in parameters} in call.configs

        what = {
            "kernel_name": call.kernel,
            "kernel_source": str(FOLDER / "kernels" / f"{call.kernel}.cc"),
            "problem_size": problem_size,
            "lang": "C",
            "defines": defines_of(parameters),
            "compiler_options": [
                "-std=c++20",
                "-O3",
                f"-I{FOLDER / 'kernels'}",
                f"-I{include_folder()}",
            ],
            "quiet": True,
        }
        results, env = self.tune_kernel(
            arguments=self.copied(kernel.arguments),
            tune_params=parameters,
            restrictions=listed,
            answer=kernel.answer,
            atol=kernel.atol,
            cache=str(self.cache_file(call.kernel, problem_size)),
            **what,
        )
        best = {name: env["best_config"][name] for name in parameters}
        self.run_kernel(arguments=kernel.arguments, params=best, **what)
        measured = [result for result in results if result["benchmark_time"] > 0]
        return Answer(
            winner=best,
            cache="miss" if measured else "hit",
            trials=[trial_of(result, parameters) for result in measured],
        )


def defines_of(parameters):
    """A config's macros, in upper case as in tunecheck's kernels, and its text for observers."""

    def text_of(config):
        return config_text({name: config[name] for name in parameters})

    return {**{name.upper(): name for name in parameters}, "TUNECHECK_CONFIG": text_of}


def cache_file(kernel, problem_size):
    """One file for each kernel and problem size: Kernel Tuner refuses one of another."""
    size = "x".join(map(str, problem_size))
    return Path(os.environ["KERNEL_TUNER_CACHE"]) / f"{kernel}-{size}.json"


def copied(arguments):
    return [argument.copy() for argument in arguments]


def trial_of(result, parameters):
    config = {name: result[name] for name in parameters}
    if "__error__" in result:
        return Trial(config, failure=str(result["__error__"]))
    times_ns = sorted(time * 1e6 for time in result["times"])
    return Trial(config, median_ns=times_ns[len(times_ns) // 2], reps=len(times_ns))


if __name__ == "__main__":
    serve(KernelTuner(chosen_mutant(mutants.MUTANTS)))

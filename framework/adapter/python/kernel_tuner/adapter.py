"""Kernel Tuner's C backend (https://kerneltuner.github.io/kernel_tuner/stable/hostcode.html), used
as its documentation shows: tune_kernel() with a cache file and an answer, then run_kernel() with
the best config on the caller's own arrays.

tune_kernel() gets copies of the arrays. A C function runs on the memory of the arrays that it is
given, and "data is not automatically copied", so whoever needs them after a tuning must do this.

The C function is the kernel folder's own source with a few lines that the adapter adds: arguments
of plain types, and the time that the function returns.
"""

import math
import os
import tempfile
from pathlib import Path
from types import SimpleNamespace

import mutants
from tunecheck_adapter import (
    Adapter,
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
        self.arguments_of = arguments.arguments_of
        self.folder = tempfile.TemporaryDirectory()
        self.cache_file = cache_file
        self.copied = copied
        if self.mutant:
            from kernel_tuner import core, util
            from kernel_tuner.runners import sequential

            self.mutant.plant(
                SimpleNamespace(core=core, util=util, sequential=sequential, adapter=self)
            )

    def call(self, call):
        kernel = self.arguments_of(call)
        problem_size = tuple(call.sizes.values())
        parameters = self.parameters = {
            name: [value for value in values if any(config[name] == value for config in call.configs)]
            for name, values in call.parameters.items()
        }

        # A named function: Kernel Tuner rewrites a lambda's source and loses what it captures. Where there is one
        # parameter, it would get its value instead of a config, and has nothing to leave out.
        def listed(config):
            return {name: config[name] for name in parameters} in call.configs

        combinations = math.prod(len(values) for values in parameters.values())
        what = {
            "kernel_name": call.kernel,
            "kernel_source": str(self.source(call)),
            "problem_size": problem_size,
            "lang": "C",
            "defines": defines_of(parameters),
            "compiler_options": [*call.build_options, f"-I{FOLDER}", f"-I{include_folder()}"],
            "quiet": True,
        }
        results, env = self.tune_kernel(
            arguments=self.copied(kernel.arguments),
            tune_params=parameters,
            restrictions=listed if combinations > len(call.configs) else None,
            answer=kernel.answer,
            atol=kernel.atol,
            # Kernel Tuner has no variable for this: who wants no cache names none.
            cache=None
            if "KERNEL_TUNER_WITHOUT_CACHE" in os.environ
            else str(self.cache_file(call.kernel, problem_size)),
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

    def source(self, call):
        """The file with the C function of a call's kernel."""
        tensors = [f"char* {name}_" for name in call.tensor_order]
        scalars = [f"double {name}_" for name in call.scalar_order]
        memory, values = (
            ", ".join(f"{name}_" for name in names)
            for names in (call.tensor_order, call.scalar_order)
        )
        file = Path(self.folder.name) / f"{call.kernel}.cc"
        file.write_text(
            f'#include "{call.source.resolve()}"\n#include "timed_launch.h"\n\n'
            f'extern "C" __attribute__((visibility("default"))) float {call.kernel}(\n'
            f"    {', '.join([*tensors, 'const int64_t* layout_', *scalars])}) {{\n"
            f"  return timed_launch({{{memory}}}, layout_, {{{values}}});\n}}\n"
        )
        return file


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

"""FlyDSL's autotuner (https://github.com/ROCm/FlyDSL, flydsl.autotune) on functions for the CPU:
what FlyDSL's compiler makes of a kernel is replaced by a kernel of tunecheck, its timer by one for
the CPU, which is given as `do_bench`, and torch's tensors by arrays with the methods that it calls.
stand_in/torch.py says why FlyDSL finds a torch to import.
"""

import inspect
import keyword
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import mutants
from tunecheck_adapter import Adapter, Answer, Trial, config_text, package_version, serve
from tunecheck_adapter import compiled
from tunecheck_adapter.answers import text_of
from tunecheck_adapter.cpu import Library
from tunecheck_adapter.mutants import chosen_mutant
from tunecheck_adapter.references import reference_of
from tunecheck_adapter.versions import load_version, named

KNOWN_VERSION = "0.4.2"
STAND_IN = Path(__file__).parent / "stand_in"


class Array:
    """A tensor as FlyDSL's autotuner takes it: torch is not needed for what it does with one."""

    def __init__(self, tensor):
        self.tensor = tensor
        self.elements = tensor.array()
        self.shape = tensor.shape
        self.dtype = tensor.dtype

    def stride(self):
        return self.tensor.strides

    def clone(self):
        return self.elements.copy()

    def copy_(self, source):
        self.elements[...] = source

    def zero_(self):
        self.elements[...] = 0


def python_names(names):
    """As parameters of a function in Python, which knows words such as "in" itself."""
    return [name + "_" if keyword.iskeyword(name) else name for name in names]


def pythonic(names):
    """Pairs: a name, and what Python calls it."""
    return list(zip(names, python_names(names)))


class FlyDsl(Adapter):
    def __init__(self, mutant=None):
        self.mutant = mutant

    def open(self, backend):
        self.tuner = "FlyDSL" + (f":{self.mutant.name}" if self.mutant else "")
        self.version = package_version("flydsl", KNOWN_VERSION)
        sys.path.append(str(STAND_IN))
        from flydsl import Config, autotune

        if self.mutant:
            # The module, which the function of the same name hides: its decorator makes this class.
            module = sys.modules["flydsl.autotune"]
            module.Autotuner = self.mutant.plant(module.Autotuner)
        self.config, self.autotune = Config, autotune
        self.folder = tempfile.TemporaryDirectory()
        self.tuned = {}
        self.lock = threading.Lock()

    def call(self, call):
        # One decorated function per kernel and list of configs, as in a program that calls it often.
        what = call.kernel, str(call.configs)
        with self.lock:
            if what not in self.tuned:
                self.tuned[what] = Tuned(self, call)
            tuned = self.tuned[what]
        try:
            return tuned.call(call)
        except Exception as error:
            # "All autotune configs failed" is raised from the error of the last one, which says why.
            if error.__cause__ is not None:
                error.args = (f"{error}: {text_of(error.__cause__)}",)
            raise


class Seen(threading.local):
    """What is seen of a call from outside, by the thread that makes it."""

    call = None  # that is being made
    config = None  # that was launched last
    trials = ()  # what was timed


class Tuned:
    """A kernel with @autotune."""

    def __init__(self, adapter, call):
        self.seen = Seen()
        self.folder = adapter.folder.name
        self.libraries = {}
        self.version = load_version(call.kernel_folder, "flydsl.py")
        if self.version is not None:
            configs = [adapter.config(**config) for config in call.configs]
            self.call_tuned = named(self.version, "tuned")(configs, self.bench)
            return
        names = python_names([*call.tensor_order, *call.scalar_order, *call.parameters])
        options = {
            "key": python_names([*call.tensor_order, *call.key_scalars]),
            "reset_to_zero": python_names(call.reset_to_zero),
            "do_bench": self.bench,
            "warmup": 1,
            "rep": 5,
        }
        # FlyDSL launches what its author's heuristic says, and searches only where FLYDSL_AUTOTUNE says so.
        if "FLYDSL_WITH_DEFAULT" in os.environ and call.default:
            chosen = dict(zip(python_names(call.default), call.default.values()))
            options["default"] = lambda *arguments, **named: adapter.config(**chosen)
        # Its offline table, which a cache that is emptied does not take along.
        if "FLYDSL_WITH_TABLE" in os.environ:
            options["artifact_name"] = call.kernel
            table = os.environ["FLYDSL_AUTOTUNE_CACHE_DIR"] + "-table"
            os.environ.setdefault("FLYDSL_AUTOTUNE_CONFIG_DIR", table)
        # Versions before 0.2.3 know no restore_value: a caller has nothing to ask for there.
        if "restore_value" in inspect.signature(adapter.autotune).parameters:
            options["restore_value"] = python_names(call.restore_value)
        if reference_of(call) and "validate_hook" in inspect.signature(adapter.autotune).parameters:
            options["validate_hook"] = self.validated
        function = self.function(call.kernel, names)
        configs = [
            adapter.config(**dict(zip(python_names(config), config.values())))
            for config in call.configs
        ]
        self.call_tuned = adapter.autotune(configs=configs, **options)(function)

    def call(self, call):
        self.seen.call, self.seen.trials = call, []
        tensors = {name: Array(tensor) for name, tensor in call.tensors.items()}
        scalars = {name: call.scalars[name] for name in call.scalar_order}
        # By position, as a kernel is called; in another order than the function's, by name.
        if call.is_reordered:
            named = {**tensors, **scalars}
            self.call_tuned(**dict(zip(python_names(named), named.values())))
        else:
            self.call_tuned(*tensors.values(), *scalars.values())
        trials = self.seen.trials
        return Answer(winner=self.launched, cache="miss" if trials else "hit", trials=trials)

    @property
    def launched(self):
        """The config that this thread launched last."""
        return self.seen.config if self.version is None else compiled.launched.config

    def function(self, kernel, names):
        """What FlyDSL would make by @flyc.jit: called with arguments and a config, it compiles
        where it has to, and launches."""

        def launch(*arguments, **named):
            call = self.seen.call
            given = dict(zip(names, arguments), **named)
            config = {name: given[each] for name, each in pythonic(call.parameters)}
            tensors = [given[each].tensor for _, each in pythonic(call.tensor_order)]
            scalars = [given[each] for _, each in pythonic(call.scalar_order)]
            self.seen.config = config
            status = self.library(config).launch(tensors, scalars)
            if status != 0:
                raise RuntimeError(f"the launch was refused with status {status}")

        parameter = inspect.Parameter
        launch.__name__ = kernel
        launch.__signature__ = inspect.Signature(
            [parameter(name, parameter.POSITIONAL_OR_KEYWORD) for name in names]
        )
        return launch

    def options(self, config):
        """What compiles a config. FlyDSL may choose one that is in the list no more."""
        call = self.seen.call
        try:
            return call.options(config)
        except KeyError:
            macros = [f"-D{name.upper()}={value}" for name, value in config.items()]
            text = f"-DTUNECHECK_CONFIG={config_text(config)}"
            return [*call.build_options, *macros, text]

    def library(self, config):
        options = self.options(config)
        key = tuple(options)
        if key not in self.libraries:
            file, output = tempfile.mkstemp(suffix=".so", dir=self.folder)
            os.close(file)
            command = ["c++", *options, self.seen.call.source, "-o", output]
            subprocess.run(command, check=True, cwd=self.seen.call.kernel_folder)
            self.libraries[key] = Library(Path(output))
        return self.libraries[key]

    @contextmanager
    def validated(self, arguments):
        """Around a launch of a config before its trial: what it writes must be right."""
        import numpy as np

        call = self.seen.call
        reference = reference_of(call)
        if reference is None:  # for these dtypes
            yield
            return
        arrays = {name: arguments[each].elements for name, each in pythonic(call.tensor_order)}
        before = {name: array.copy() for name, array in arrays.items()}
        expected = reference.outputs(before, call.scalars)
        for name in set(expected) - set(call.restore_value) - set(call.reset_to_zero):
            arrays[name].fill(255 if arrays[name].dtype == np.uint8 else np.nan)
        try:
            yield
            for name, array in arrays.items():
                right = expected.get(name, before[name])
                relative, absolute = (1e-5, reference.absolute) if name in expected else (0, 0)
                if not np.allclose(array, right, relative, absolute, equal_nan=True):
                    raise ValueError(f"the launch left {name} wrong")
        except Exception as error:
            self.seen.trials.append(Trial(self.seen.config, failure=text_of(error)))
            for name in expected:
                arrays[name][...] = before[name]
            raise

    def bench(self, launch, warmup, rep):
        """Milliseconds of one launch: what FlyDSL's do_bench takes from a GPU's events."""
        # FlyDSL hands over a function that names no config: the launch does.
        trial = Trial({})
        self.seen.trials.append(trial)
        try:
            for _ in range(warmup):
                launch()
            times = []
            for _ in range(rep):
                begin = time.perf_counter()
                launch()
                times.append((time.perf_counter() - begin) * 1e3)
        except Exception as error:
            trial.failure = text_of(error)
            raise
        finally:
            trial.config = self.launched or {}
        trial.median_ns, trial.reps = statistics.median(times) * 1e6, len(times)
        return statistics.median(times)


if __name__ == "__main__":
    serve(FlyDsl(chosen_mutant(mutants.MUTANTS)))

"""Tuners derived from Triton's Autotuner: what is made of a call, and of what the tuner left behind. A
stand-in takes the place of the decorator, since the tuners themselves need a GPU."""

import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from tunecheck_adapter import AdapterError, torch_tensors
from tunecheck_adapter.triton_autotuner import TritonAutotuner

ADAPTERS = Path(__file__).parents[2] / "framework/adapter/python"
INFINITY = float("inf")


class Config:
    def __init__(self, kwargs, num_warps, pre_hook):
        self.kwargs, self.num_warps, self.pre_hook = kwargs, num_warps, pre_hook


class StandIn:
    """Called as triton.autotune is. What it is launched with is in `launches`; `times` are what it
    measures, None where it measures nothing."""

    def __init__(self, times=None, bench_time=1.5):
        self.times, self.launches, self.decorated = times, [], []
        self.bench_time_of_a_tuning = bench_time

    def __call__(self, configs, **named):
        self.decorated.append((configs, named))
        self.configs = configs
        return lambda function: self

    def __getitem__(self, grid):
        self.grid = grid
        return self.launch

    def launch(self, *given, **named):
        self.launches.append((given, named))
        self.best_config = self.configs[-1]
        if self.times:
            self.configs_timings = dict(zip(self.configs, self.times))
            self.bench_time = self.bench_time_of_a_tuning


class Tensor:
    def __init__(self, *strides):
        self.strides = strides

    def stride(self):
        return self.strides


KERNEL = SimpleNamespace(
    function=SimpleNamespace(arg_names=["source", "out", "n", "in_step", "out_step", "BLOCK"]),
    tensors=["in", "out"],
    key=["n"],
    restore_value=["out"],
    reset_to_zero=[],
    arguments=lambda sizes, scalars: [sizes["n"]],
    warps=lambda config: config["BLOCK"] // 32,
    grid=lambda sizes, meta: (sizes["n"] // meta["BLOCK"],),
    fixed=lambda sizes: {"WIDTH": 8},
)


def a_call(**changes):
    call = SimpleNamespace(
        kernel="copied",
        configs=[{"block": 64}, {"block": 128}],
        hook_zeroes=[],
        sizes={"n": 256},
        scalars={},
        tensors={},
        is_reordered=False,
    )
    return SimpleNamespace(**{**vars(call), **changes})


class Tuners(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        patch = mock.patch.object(torch_tensors, "watch_file", lambda: Path(folder.name, "watch"))
        patch.start()
        self.addCleanup(patch.stop)
        self.tensors = {"in": Tensor(2), "out": Tensor(1)}

    def run_with(self, stand_in, call=None, tensors=None, **named):
        adapter = TritonAutotuner(**named)
        adapter.decorator = lambda: stand_in
        adapter.triton = SimpleNamespace(Config=Config)
        adapter.kernels = {"copied": KERNEL}
        call = call or a_call()
        call.tensors = {
            name: SimpleNamespace(dtype="f32", shape=(256,), strides=(1,)) for name in self.tensors
        }
        return adapter.run(call, tensors or self.tensors)

    def test_a_config_has_the_names_and_the_warps_of_the_kernel(self):
        stand_in = StandIn()
        self.run_with(stand_in)
        configs, named = stand_in.decorated[0]
        self.assertEqual([config.kwargs for config in configs], [{"BLOCK": 64}, {"BLOCK": 128}])
        self.assertEqual([config.num_warps for config in configs], [2, 4])
        self.assertEqual(named, {"key": ["n"], "restore_value": ["out"], "reset_to_zero": []})

    def test_tensors_come_first_then_numbers_then_strides(self):
        stand_in = StandIn()
        self.run_with(stand_in)
        tensors = [self.tensors["in"], self.tensors["out"]]
        self.assertEqual(stand_in.launches, [((*tensors, 256, 2, 1), {"WIDTH": 8})])
        self.assertEqual(stand_in.grid({"BLOCK": 64}), (4,))

    def test_named_arguments_keep_the_order_of_the_caller(self):
        stand_in = StandIn()
        reordered = {"out": self.tensors["out"], "in": self.tensors["in"]}
        self.run_with(stand_in, a_call(is_reordered=True), reordered)
        given, named = stand_in.launches[0]
        self.assertEqual(given, ())
        self.assertEqual(list(named)[:2], ["out", "source"])
        self.assertIs(named["source"], self.tensors["in"])
        self.assertEqual((named["n"], named["in_step"], named["out_step"]), (256, 2, 1))

    def test_what_measured_is_a_miss_with_trials(self):
        answer = self.run_with(StandIn(times=[[0.5, 0.4, 0.6], INFINITY]))
        self.assertEqual((answer.cache, answer.winner), ("miss", {"block": 128}))
        measured, failed = answer.trials
        self.assertEqual((measured.config, measured.median_ns), ({"block": 64}, 500_000))
        self.assertEqual(failed.config, {"block": 128})
        self.assertNotEqual(failed.failure, "")

    def test_times_found_on_disk_are_a_hit_without_trials(self):
        for stand_in in StandIn(), StandIn(times=[1, 2], bench_time=0):
            answer = self.run_with(stand_in)
            self.assertEqual((answer.cache, answer.trials), ("hit", []))

    def test_a_hook_zeroes_what_the_call_names(self):
        stand_in = StandIn()
        self.run_with(stand_in, a_call(hook_zeroes=["out"]))
        zeroed = mock.Mock()
        stand_in.configs[0].pre_hook({"out": zeroed})
        zeroed.zero_.assert_called_once_with()

    def test_without_restoring_nothing_is_named(self):
        stand_in = StandIn()
        self.run_with(stand_in, restores=False)
        named = stand_in.decorated[0][1]
        self.assertEqual((named["restore_value"], named["reset_to_zero"]), (None, None))

    def test_another_space_is_another_decorated_kernel(self):
        adapter, stand_in = TritonAutotuner(), StandIn()
        adapter.decorator, adapter.kernels = lambda: stand_in, {"copied": KERNEL}
        adapter.triton = SimpleNamespace(Config=Config)
        for configs in ([{"block": 64}], [{"block": 64}], [{"block": 32}]):
            adapter._tuned_for(a_call(configs=configs))
        self.assertEqual(len(stand_in.decorated), 2)


class Quack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(ADAPTERS / "quack"))
        sys.modules.pop("adapter", None)
        import adapter

        cls.quack = adapter
        sys.path.remove(str(ADAPTERS / "quack"))
        sys.modules.pop("adapter")

    def launched(self, *given, **named):
        launches = []
        grids = []

        def launch(*values, **options):
            launches.append((values, options))

        class Function:
            arg_names = KERNEL.function.arg_names

            def __getitem__(self, grid):
                grids.append(grid({"BLOCK": 64}))
                return launch

        kernel = SimpleNamespace(**{**vars(KERNEL), "function": Function()})
        function = self.quack.user_function("copied", kernel)
        function(*given, sizes={"n": 256}, scalars={}, n=256, BLOCK=64, **named)
        self.assertEqual(grids, [(4,)])
        return function, launches

    def test_a_function_has_its_tensors_as_parameters(self):
        import inspect

        function, launches = self.launched(Tensor(2), Tensor(1))
        self.assertEqual(list(inspect.signature(function).parameters), ["source", "out"])
        self.assertEqual(function.__name__, "copied")
        values, options = launches[0]
        self.assertEqual(values[2:], (256, 2, 1))
        self.assertEqual(options, {"WIDTH": 8, "BLOCK": 64, "num_warps": 2})

    def test_tensors_by_name_are_put_in_place(self):
        _, launches = self.launched(out=Tensor(1), source=Tensor(2))
        self.assertEqual(launches[0][0][2:], (256, 2, 1))


if __name__ == "__main__":
    unittest.main()

"""Which kernel a tuner generated is read from its code: samples of PyTorch 2.11 and Helion 1.5."""

import importlib.util
import re
import unittest
from unittest import mock
from pathlib import Path

from tunecheck_adapter import AdapterError

ADAPTERS = Path(__file__).parents[2] / "framework/adapter/python"


def load(file):
    spec = importlib.util.spec_from_file_location(file.replace("/", "_"), ADAPTERS / f"{file}.py")
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict("sys.modules", {"mutants": mock.Mock()}):  # another file of that name may be loaded
        spec.loader.exec_module(module)
    return module


read_kernel = load("inductor/generated_code").read_kernel
read_launch = load("helion/adapter").read_launch

INDUCTOR = """
triton_per_fused_add_copy_0 = async_compile.triton('triton_per_fused_add_copy_0', '''
@triton.jit
def triton_per_fused_add_copy_0(in_ptr0, in_ptr1, out_ptr3, out_ptr4, xnumel, XBLOCK : tl.constexpr):
    xnumel = 32
''', device_str='cuda')

class Runner:
    def call(self, args):
        arg0_1, arg1_1, arg2_1 = args
        args.clear()
        triton_per_fused_add_copy_0.run(arg0_1, arg1_1, arg0_1, arg2_1, 32, 768, stream=stream0)
        return ()
"""

HELION = """
@triton.jit
def _helion_axpy(y, x, alpha, _BLOCK_SIZE_0: tl.constexpr):
    pass

def axpy(alpha: float, x: torch.Tensor, y: torch.Tensor, *, _launcher=_default_launcher):
    _launcher(_helion_axpy, (triton.cdiv(65536, _BLOCK_SIZE_0),), y, x, alpha, num_warps=4)
"""


class InductorCode(unittest.TestCase):
    def test_a_kernel_is_called_triton_where_names_need_not_be_unique(self):
        code = re.sub("def triton_per_fused_add_copy_0", "def triton_", INDUCTOR)
        symbol, places = read_kernel(code, ["residual", "input", "out"])
        self.assertEqual(symbol, "triton_")
        self.assertEqual(places, read_kernel(INDUCTOR, ["residual", "input", "out"])[1])

    def test_a_tensor_is_seen_where_the_kernel_reads_it(self):
        symbol, places = read_kernel(INDUCTOR, ["residual", "input", "out"])
        self.assertEqual(symbol, "triton_per_fused_add_copy_0")
        self.assertEqual(places, {"residual": 0, "input": 1, "out": 3})

    def test_it_is_seen_there_even_if_it_is_written_through_an_earlier_parameter(self):
        passed = "(arg1_1, arg0_1, arg2_1, arg1_1,"
        parameters = "(out_ptr0, in_ptr1, out_ptr2, in_ptr3,"
        source = INDUCTOR.replace("(arg0_1, arg1_1, arg0_1, arg2_1,", passed)
        source = source.replace("(in_ptr0, in_ptr1, out_ptr3, out_ptr4,", parameters)
        self.assertEqual(read_kernel(source, ["a", "b", "c"])[1], {"b": 3, "a": 1, "c": 2})

    def test_one_input_alone(self):
        source = INDUCTOR.replace("arg0_1, arg1_1, arg2_1 = args", "arg0_1, = args")
        self.assertEqual(read_kernel(source, ["x"])[1], {"x": 0})

    def test_another_number_of_kernels_is_refused(self):
        launch = next(line for line in INDUCTOR.splitlines() if ".run(" in line)
        for source, count in (INDUCTOR.replace(launch, ""), 0), (
            INDUCTOR.replace(launch, f"{launch}\n{launch}"),
            2,
        ):
            with self.assertRaisesRegex(AdapterError, f"made {count} kernels"):
                read_kernel(source, ["a", "b", "c"])

    def test_another_number_of_inputs_is_refused(self):
        with self.assertRaisesRegex(AdapterError, "takes 3 inputs, not 2"):
            read_kernel(INDUCTOR, ["a", "b"])


class HelionCode(unittest.TestCase):
    def test_arguments_are_found_in_the_launch(self):
        symbol, places = read_launch(HELION, ["alpha", "x", "y"])
        self.assertEqual(symbol, "_helion_axpy")
        self.assertEqual(places, {0: 2, 1: 1, 2: 0})

    def test_another_number_of_launches_is_refused(self):
        with self.assertRaisesRegex(AdapterError, "made 0 kernels"):
            read_launch(HELION.replace("    _launcher", "    other"), ["alpha"])


if __name__ == "__main__":
    unittest.main()

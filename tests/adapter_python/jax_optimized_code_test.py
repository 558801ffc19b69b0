"""Which kernel XLA made of a function: read from programs as JAX shows them."""

import importlib.util
import sys
import unittest
from pathlib import Path

from tunecheck_adapter import AdapterError

FOLDER = Path(__file__).parents[2] / "framework/adapter/python/jax"
SPEC = importlib.util.spec_from_file_location("optimized_code", FOLDER / "optimized_code.py")
optimized_code = importlib.util.module_from_spec(SPEC)
sys.modules["optimized_code"] = optimized_code  # where dataclasses look
SPEC.loader.exec_module(optimized_code)

PROGRAM = """\
HloModule jit_axpy, is_scheduled=true, input_output_alias={{ {{}}: (1, {{}}, may-alias) }}

%fused_computation (param_0: f32[8], param_1.2: f32[8], param_2.1: f32[]) -> f32[8] {{
  %param_0 = f32[8]{{0}} parameter(0)
  ROOT %add.0 = f32[8]{{0}} add(%param_0, %mul.0), metadata={{op_name="jit(axpy)/add"}}
}}

ENTRY %main.1 (x.1: f32[8], y.1: f32[8], a.1: f32[]) -> f32[8] {{
  %x.1 = f32[8]{{0}} parameter(0), metadata={{op_name="x"}}
  %y.1 = f32[8]{{0}} parameter(1), metadata={{op_name="y"}}
  %a.1 = f32[] parameter(2), metadata={{op_name="a"}}
{body}
}}

"""
FUSION = "  ROOT %multiply_add_fusion.1-a = f32[8]{0} fusion(%y.1, %x.1, %a.1), kind=kLoop, calls=%fused_computation"


class ReadKernel(unittest.TestCase):
    def read(self, *body):
        return optimized_code.read_kernel(PROGRAM.format(body="\n".join(body)))

    def test_a_kernel_has_the_name_of_its_fusion_and_its_operands_as_parameters(self):
        made = self.read(FUSION)
        self.assertEqual(made.symbol, "multiply_add_fusion_1_a")
        self.assertEqual(made.parameters, [1, 0, 2])

    def test_views_and_tuples_are_no_kernels(self):
        made = self.read(
            "  %bitcast.2 = f32[2,4]{1,0} bitcast(%y.1)",
            "  %bitcast.3 = f32[4,2]{1,0} bitcast(%bitcast.2)",
            "  %both = (f32[8]{0}, f32[8]{0}) fusion(%x.1, %bitcast.3), kind=kInput, calls=%f",
            "  %one = f32[8]{0} get-tuple-element(%both), index=0",
            "  ROOT %tuple.1 = (f32[8]{0}) tuple(%one)",
        )
        self.assertEqual((made.symbol, made.parameters), ("both", [0, 1]))

    def test_an_argument_that_is_given_twice_is_one_parameter(self):
        made = self.read("  ROOT %sum = f32[8]{0} fusion(%y.1, %x.1, %y.1), kind=kLoop, calls=%f")
        self.assertEqual(made.parameters, [1, 0])

    def test_what_is_no_argument_is_a_parameter_all_the_same(self):
        made = self.read(
            "  %constant.1 = f32[8]{0} constant({...})",
            "  ROOT %sum = f32[8]{0} fusion(%constant.1, %x.1), kind=kLoop, calls=%f",
        )
        self.assertEqual(made.parameters, [None, 0])

    def test_two_kernels_are_refused_by_name(self):
        with self.assertRaisesRegex(AdapterError, "2 kernels .*, not one: first, second"):
            self.read(
                "  %first = f32[8]{0} fusion(%x.1), kind=kLoop, calls=%f",
                "  ROOT %second = f32[8]{0} copy(%first)",
            )

    def test_a_program_without_a_kernel_is_refused(self):
        with self.assertRaisesRegex(AdapterError, "0 kernels"):
            self.read("  ROOT %bitcast.2 = f32[2,4]{1,0} bitcast(%y.1)")

    def test_a_text_that_is_no_program_is_refused(self):
        with self.assertRaisesRegex(AdapterError, "has no ENTRY"):
            optimized_code.read_kernel("HloModule jit_axpy\n")


if __name__ == "__main__":
    unittest.main()

"""Spaces and the expressions of their conditions."""

import re
import unittest
from pathlib import Path

from tunecheck_adapter import ExpressionError, Space, config_text, evaluate

ROOT = Path(__file__).parents[2]


class Expressions(unittest.TestCase):
    def test_they_mean_what_they_mean_in_a_kernel_file(self):
        names = {"n": 100.0, "block": 64.0, "zero": 0.0}
        for expression, value in (
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("7 / 2", 3.5),
            ("-7 % 4", -3),
            ("8 - 3 - 2", 3),
            ("2 ^ 3 ^ 2", 512),
            ("-2 ^ 2", -4),
            ("2 * -3", -6),
            ("1e2 + .5", 100.5),
            ("block <= n && n < 200", 1),
            ("block > n || n == 100", 1),
            ("block > n && n == 100 || n != 100", 0),
            ("1 < 2 == 1", 1),
            ("n >= 100 ? block : 1", 64),
            ("n < 1 ? 1 : n < 2 ? 2 : 3", 3),
            ("min(3, n, 2) + max(1, zero)", 3),
            ("ceil_div(n, block)", 2),
            ("n % zero == 0", 0),
            ("zero == 0 || 1 / zero > 0", 1),
        ):
            self.assertEqual(evaluate(expression, names), value, expression)

    def test_a_mistake_says_what_it_is(self):
        for expression, what in (
            ("", "expected a value, found the end"),
            ("1 +", "expected a value, found the end"),
            ("(1", 'expected ")", found "the end"'),
            ("1 2", 'expected the end or an operator, found "2"'),
            ("1 ? 2", 'expected ":"'),
            ("n $ 2", 'unexpected "$ 2"'),
            ("m", 'unknown name "m"; known names: n'),
            ("sin(n)", "unknown function sin of 1 values"),
            ("__import__(1)", "unknown function __import__"),
            ("1 / 0", "is inf; expected a finite number"),
            ("0 / 0", "is nan; expected a finite number"),
        ):
            with self.assertRaises(ExpressionError, msg=expression) as raised:
                evaluate(expression, {"n": 1})
            self.assertIn(what, str(raised.exception))

    def test_every_condition_of_a_kernel_can_be_read(self):
        conditions = []
        for file in sorted((ROOT / "kernels").glob("*/kernel.info")):
            text = file.read_text()
            smoke = re.search(r"smoke\s*\{([^}]*)\}", text).group(1).split()
            sizes = dict(zip(smoke[::2], map(int, smoke[1::2])))
            space = re.search(r"space\s*\{(.*?)\n?\s*\}", text, re.S).group(1)
            for where in re.findall(r'where\s+"([^"]*)"', space):
                values = re.findall(r'(\w+)\s+(?:"([\d ]+)"|(\d+))', space)
                parameters = {
                    name: [int(value) for value in (several or one).split()]
                    for name, several, one in values
                }
                conditions.append(where)
                self.assertTrue(list(Space(parameters, where, sizes)), file)
        self.assertGreater(len(conditions), 3)


class Spaces(unittest.TestCase):
    def test_the_first_parameter_varies_slowest_and_where_leaves_out(self):
        space = Space({"block": [64, 16], "vec": [1, 4]}, "block * vec <= n", {"n": 64})
        self.assertEqual(
            list(space),
            [{"block": 64, "vec": 1}, {"block": 16, "vec": 1}, {"block": 16, "vec": 4}],
        )

    def test_a_space_without_parameters_has_one_config(self):
        self.assertEqual(list(Space({})), [{}])

    def test_the_text_of_a_config_is_sorted_by_name(self):
        self.assertEqual(config_text({"vec": 4, "block": 64}), "block=64,vec=4")


if __name__ == "__main__":
    unittest.main()

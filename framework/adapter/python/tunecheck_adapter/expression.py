"""The expressions of kernel files (docs/kernels.md, sizes): over numbers by name, `+ - * / % ^`,
comparisons, `&& ||`, `? :`, parentheses, `min`, `max` and `ceil_div`. As there, everything is a
floating-point number, a condition is 1 or 0, and a division by 0 is no error by itself."""

import math
import re
from typing import Callable, Mapping

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>&&|\|\||==|!=|<=|>=|[-+*/%^<>?:(),]))"
)


class ExpressionError(ValueError):
    """Not an expression, or one without a finite value."""


def evaluate(expression: str, variables: Mapping[str, float]) -> float:
    """The value of the expression, a finite number; ExpressionError says what is wrong."""
    value = _Reader(expression, variables).read()
    if not math.isfinite(value):
        raise ExpressionError(f'"{expression}" is {value}; expected a finite number')
    return value


def _divide(a: float, b: float) -> float:
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a)


def _remainder(a: float, b: float) -> float:
    return math.fmod(a, b) if b != 0 and math.isfinite(a) else math.nan


def _power(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except (OverflowError, ValueError):
        return math.nan


def _ceil_div(a: float, b: float) -> float:
    quotient = _divide(a, b)
    return float(math.ceil(quotient)) if math.isfinite(quotient) else quotient


_Operator = Callable[[float, float], float]

# From the weakest to the strongest; those of one row from left to right.
_ROWS: list[dict[str, _Operator]] = [
    {"||": lambda a, b: float(a != 0 or b != 0)},
    {"&&": lambda a, b: float(a != 0 and b != 0)},
    {
        "==": lambda a, b: float(a == b),
        "!=": lambda a, b: float(a != b),
        "<": lambda a, b: float(a < b),
        ">": lambda a, b: float(a > b),
        "<=": lambda a, b: float(a <= b),
        ">=": lambda a, b: float(a >= b),
    },
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b, "/": _divide, "%": _remainder},
]


class _Reader:
    """Reads one expression from left to right and computes as it goes."""

    def __init__(self, expression: str, variables: Mapping[str, float]) -> None:
        self._expression = expression
        self._variables = variables
        self._tokens = self._split(expression)
        self._at = 0

    def read(self) -> float:
        value = self._choice()
        if self._next() is not None:
            raise self._mistake(f'expected the end or an operator, found "{self._next()}"')
        return value

    def _split(self, text: str) -> list[str]:
        tokens, at = [], 0
        text = text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise self._mistake(f'unexpected "{text[at:].strip()}"')
            tokens.append(match.group().strip())
            at = match.end()
        return tokens

    def _next(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, token: str) -> bool:
        found = self._next() == token
        self._at += found
        return found

    def _expect(self, token: str) -> None:
        if not self._take(token):
            raise self._mistake(f'expected "{token}", found "{self._next() or "the end"}"')

    def _mistake(self, what: str) -> ExpressionError:
        return ExpressionError(f'"{self._expression}": {what}')

    def _choice(self) -> float:
        condition = self._row(0)
        if not self._take("?"):
            return condition
        yes = self._choice()
        self._expect(":")
        no = self._choice()
        return yes if condition != 0 else no

    def _row(self, row: int) -> float:
        if row == len(_ROWS):
            return self._signed()
        value = self._row(row + 1)
        while (token := self._next()) in _ROWS[row]:
            self._at += 1
            value = _ROWS[row][token](value, self._row(row + 1))
        return value

    def _signed(self) -> float:
        if self._take("-"):
            return -self._signed()
        if self._take("+"):
            return self._signed()
        base = self._value()
        return _power(base, self._signed()) if self._take("^") else base

    def _value(self) -> float:
        token = self._next()
        if token is None:
            raise self._mistake("expected a value, found the end")
        self._at += 1
        if token == "(":
            value = self._choice()
            self._expect(")")
            return value
        if token[0].isdigit() or token[0] == ".":
            return float(token)
        if self._next() == "(":
            return self._function(token)
        if token in self._variables:
            return float(self._variables[token])
        known = ", ".join(sorted(self._variables))
        raise self._mistake(f'unknown name "{token}"; known names: {known}')

    def _function(self, name: str) -> float:
        self._expect("(")
        values = [self._choice()]
        while self._take(","):
            values.append(self._choice())
        self._expect(")")
        if name in ("min", "max"):
            return (min if name == "min" else max)(values)
        if name == "ceil_div" and len(values) == 2:
            return _ceil_div(*values)
        raise self._mistake(f"unknown function {name} of {len(values)} values")

"""Which kernel XLA made of a function, and which of its parameters point at the function's arguments: read from
the optimized program that JAX shows (Compiled.as_text())."""

import re
from dataclasses import dataclass
from typing import Optional

from tunecheck_adapter import AdapterError

_INSTRUCTION = re.compile(r"^ +(?:ROOT )?%(?P<name>[\w.-]+) = (?:\([^=]*?\)|\S+) (?P<rest>[\w-]+\(.*)$")
_OPERATION = re.compile(r"^(?P<operation>[\w-]+)\((?P<operands>[^()]*)\)")
# Launch no kernel.
_NO_KERNEL = {"parameter", "constant", "bitcast", "tuple", "get-tuple-element"}


@dataclass
class MadeKernel:
    """symbol: of the launch.
    parameters: by the kernel's parameter, the number of the function's argument at which it points; None
        for one that is no argument. Results that take the place of no argument follow.
    """

    symbol: str
    parameters: list[Optional[int]]


def read_kernel(program: str) -> MadeKernel:
    """AdapterError where the program does not launch one kernel."""
    arguments: dict[str, int] = {}  # by the instruction's name
    aliases: dict[str, str] = {}
    launches: list[tuple[str, list[str]]] = []
    for line in _entry(program):
        instruction = _INSTRUCTION.match(line)
        operation = _OPERATION.match(instruction["rest"]) if instruction else None
        if instruction is None or operation is None:
            continue
        name = instruction["name"]
        operands = re.findall(r"%([\w.-]+)", operation["operands"])
        if operation["operation"] == "parameter":
            arguments[name] = int(operation["operands"])
        elif operation["operation"] == "bitcast":
            aliases[name] = operands[0]
        elif operation["operation"] not in _NO_KERNEL:
            launches.append((name, operands))
    if len(launches) != 1:
        names = ", ".join(name for name, _ in launches)
        raise AdapterError(f"XLA made {len(launches)} kernels of this function, not one: {names}")
    name, operands = launches[0]
    parameters: list[Optional[int]] = []
    for operand in operands:
        while operand in aliases:
            operand = aliases[operand]
        number = arguments.get(operand)
        if number is None or number not in parameters:  # one buffer is one parameter
            parameters.append(number)
    return MadeKernel(re.sub(r"[.-]", "_", name), parameters)


def _entry(program: str) -> list[str]:
    lines = program.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith("ENTRY ")), None)
    if begin is None:
        raise AdapterError("the program that JAX shows has no ENTRY")
    end = lines.index("}", begin)
    return lines[begin + 1 : end]

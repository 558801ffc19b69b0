"""Which kernel Inductor made of a graph, and which of its parameters point at the caller's tensors:
read from the code that it generated."""

import ast
import re
from typing import Sequence

from tunecheck_adapter import AdapterError


def read_kernel(source: str, inputs: Sequence[str]) -> tuple[str, dict[str, int]]:
    """The symbol of the one kernel that the generated module launches, and by the name of a graph's
    input the number of the parameter through which the kernel reads it; where it only writes it,
    through which it does. `inputs` are the graph's inputs in order. AdapterError where there is not
    one kernel."""
    launches = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "run"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id.startswith("triton_")
    ]
    if len(launches) != 1:
        raise AdapterError(f"Inductor made {len(launches)} kernels of this function, not one")
    symbol = launches[0].func.value.id
    # Inductor calls each kernel triton_ where its names need not be unique.
    declared = re.search(rf"^def ({symbol}|triton_)\(([^)]*)\)", source, re.MULTILINE)
    if declared is None:
        raise AdapterError(f"Inductor's code has no kernel {symbol}")
    parameters = [each.split(":")[0].strip() for each in declared.group(2).split(",")]
    names = _unpacked_inputs(source, inputs)
    places: dict[str, int] = {}
    for number, argument in enumerate(launches[0].args):
        name = names.get(argument.id) if isinstance(argument, ast.Name) else None
        if name is None:
            continue
        reads = parameters[number].startswith("in_")
        if name not in places or (reads and not parameters[places[name]].startswith("in_")):
            places[name] = number
    return declared.group(1), places


def _unpacked_inputs(source: str, inputs: Sequence[str]) -> dict[str, str]:
    """By the variable of the generated code (`arg0_1, arg1_1 = args`): the graph's input."""
    unpacked = re.search(r"^ +(\w+(?:, \w+)*),? = args$", source, re.MULTILINE)
    variables = unpacked.group(1).split(", ") if unpacked else []
    if len(variables) != len(inputs):
        raise AdapterError(f"Inductor's code takes {len(variables)} inputs, not {len(inputs)}")
    return dict(zip(variables, inputs))

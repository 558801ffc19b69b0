"""What kernel.info says of a kernel's arguments (docs/kernels.md), for tuners that use the sources
of kernel folders. The judge has read the file before, so mistakes in it are not looked for."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Optional

_TOKEN = re.compile(r'\s*(?:;[^\n]*|"((?:[^"\\]|\\.)*)"|([{}])|([^\s{};"]+))')


@dataclass
class KernelInfo:
    """Names, in the order of the kernel's function: first all tensors, then all scalars."""

    tensors: list[str]
    scalars: list[str]
    key_scalars: list[str]  # those for which another value asks for another winner
    restore_value: list[str]
    reset_to_zero: list[str]


@dataclass
class _Node:
    value: str
    children: dict[str, "_Node"]


def read_kernel_info(folder: Path) -> KernelInfo:
    """Reads the kernel.info of a folder."""
    root = _children(_tokens((folder / "kernel.info").read_text(encoding="utf-8")))
    kernel = root["kernel"].children
    nothing = _Node("", {})
    scalars = kernel.get("scalars", nothing).children

    def words(key: str) -> list[str]:
        return kernel.get(key, nothing).value.replace(",", " ").split()

    def is_key(scalar: _Node) -> bool:
        return scalar.children.get("key", nothing).value == "yes"

    return KernelInfo(
        tensors=list(kernel["tensors"].children),
        scalars=list(scalars),
        key_scalars=[name for name, scalar in scalars.items() if is_key(scalar)],
        restore_value=words("restore_value"),
        reset_to_zero=words("reset_to_zero"),
    )


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Each token, and whether it is a brace."""
    for match in _TOKEN.finditer(text):
        quoted, brace, word = match.groups()
        if brace is not None:
            yield brace, True
        elif quoted is not None or word is not None:
            yield (word if quoted is None else quoted), False


def _children(tokens: Iterator[tuple[str, bool]]) -> dict[str, _Node]:
    """A key, and then a value, or braces, or both: up to the closing brace or the end."""
    found: dict[str, _Node] = {}
    last: Optional[_Node] = None
    awaits_value = False
    for text, is_brace in tokens:
        if is_brace and text == "}":
            break
        if is_brace and last is not None:
            last.children = _children(tokens)
            awaits_value = False
        elif awaits_value and last is not None:
            last.value = text
            awaits_value = False
        else:
            last = found.setdefault(text, _Node("", {}))
            awaits_value = True
    return found

"""Reads what a schema describes into the classes that are made from it."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import types
import typing
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from ..errors import SchemaError

T = TypeVar("T")

# The least and the most that a number may be; None: there is no such limit.
Limits = typing.Tuple[typing.Optional[float], typing.Optional[float]]
D = TypeVar("D", bound="Document")


class Document:
    """A file that tunecheck writes.

    A file of the same major version is read: fields that a newer minor version has added are left out.
    """

    SCHEMA: ClassVar[str]

    @classmethod
    def read(cls: type[D], path: str | os.PathLike[str]) -> D:
        """Raises OSError where there is no such file, and SchemaError where it is something else."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise SchemaError(f"{path}: expected JSON, found something else: {error}") from None
        try:
            return cls.from_json(data)
        except SchemaError as error:
            raise SchemaError(f"{path}: {error}") from None

    @classmethod
    def from_json(cls: type[D], data: Any) -> D:
        found = data.get("schema") if isinstance(data, dict) else None
        numbers = str(found).split(".")
        own = cls.SCHEMA.split(".")
        if len(numbers) != 3 or numbers[0] != own[0] or not numbers[1].isdigit():
            raise SchemaError(f'schema: expected version {own[0]}.x.y, found "{found}"')
        reader = _Reader(is_newer=int(numbers[1]) > int(own[1]))
        return typing.cast(D, reader.value(cls, data, ""))


@functools.lru_cache(maxsize=None)
def _fields(kind: Any) -> list[tuple[str, str, Any, bool]]:
    """Attribute, name in the file, type, and whether it must be there."""
    hints = typing.get_type_hints(kind)
    return [
        (
            field.name,
            field.metadata.get("name", field.name),
            hints[field.name],
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
        )
        for field in dataclasses.fields(kind)
    ]


class _Reader:
    def __init__(self, is_newer: bool) -> None:
        self._is_newer = is_newer  # then words may be there that are not known here

    def value(self, kind: Any, data: Any, where: str) -> Any:
        origin = typing.get_origin(kind)
        if dataclasses.is_dataclass(kind):
            return self._object(typing.cast("type[Any]", kind), data, where)
        if origin is list:
            self._expect(isinstance(data, list), "a list", data, where)
            (item,) = typing.get_args(kind)
            return [self.value(item, each, f"{where}[{i}]") for i, each in enumerate(data)]
        if origin is dict:
            self._expect(isinstance(data, dict), "an object", data, where)
            item = typing.get_args(kind)[1]
            return {key: self.value(item, each, f"{where}.{key}") for key, each in data.items()}
        if origin is typing.Literal:
            words = typing.get_args(kind)
            self._expect(data in words or self._is_newer, f"one of {words}", data, where)
            return data
        if origin in (types.UnionType, typing.Union):
            if data is None:
                return None
            (kind,) = (each for each in typing.get_args(kind) if each is not types.NoneType)
            return self.value(kind, data, where)
        if kind is float:
            fits = isinstance(data, (int, float)) and not isinstance(data, bool)
            self._expect(fits, "a number", data, where)
            return float(data)
        fits = isinstance(data, kind) and (kind is bool or not isinstance(data, bool))
        self._expect(fits, f"a value of type {kind.__name__}", data, where)
        return data

    def _within(self, limits: Limits, data: Any, where: str) -> None:
        """A number, or each of a list of them, between the limits that the schema has."""
        if isinstance(data, list):
            for i, each in enumerate(data):
                self._within(limits, each, f"{where}[{i}]")
        elif data is not None:
            least, most = limits
            self._expect(least is None or data >= least, f"at least {least}", data, where)
            self._expect(most is None or data <= most, f"at most {most}", data, where)

    def _object(self, kind: type[T], data: Any, where: str) -> T:
        self._expect(isinstance(data, dict), "an object", data, where)
        found = {}
        limits: dict[str, Limits] = getattr(kind, "LIMITS", {})
        for attribute, name, of, required in _fields(typing.cast("typing.Hashable", kind)):
            if name in data:
                found[attribute] = self.value(of, data[name], f"{where}.{name}".lstrip("."))
                if name in limits:
                    self._within(limits[name], found[attribute], f"{where}.{name}".lstrip("."))
            elif required:
                raise SchemaError(f"{where}.{name}: expected a value, found none".lstrip("."))
        return kind(**found)

    @staticmethod
    def _expect(holds: bool, expected: str, found: Any, where: str) -> None:
        if not holds:
            text = json.dumps(found)
            raise SchemaError(f"{where}: expected {expected}, found {text[:80]}")

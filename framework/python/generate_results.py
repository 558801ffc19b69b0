#!/usr/bin/env python3
"""Writes the classes of tunecheck/results from the schemas of reports/schema.

generate_results.py          writes them
generate_results.py --check  fails if a file there is not what it would write
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parent.parent / "reports" / "schema"
TARGET = HERE / "tunecheck" / "results"

PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in re.split(r"[-_]", name))


class Module:
    """The classes of one schema, in an order in which each class comes behind those that it uses."""

    def __init__(self, name: str, schema: dict[str, Any]) -> None:
        self.name = name
        self.schema = schema
        self.classes: list[str] = []
        self.done: set[str] = set()
        self.words = False
        self.limits = False

    def text(self) -> str:
        self.add_class(camel(self.name), self.schema)
        for name, definition in self.schema.get("$defs", {}).items():
            self.add_class(name, definition)
        version = self.schema["properties"]["schema"]["const"]
        names = "from dataclasses import dataclass, field\n"
        typing = "from typing import ClassVar" + (", Literal" if self.words else "") + "\n"
        return (
            f'"""{self.schema["title"]}"""\n\n'
            f"# Made by framework/python/generate_results.py from reports/schema/{self.name}.schema.json.\n"
            "from __future__ import annotations\n\n"
            f"{names}{typing}\n"
            f"from ._reading import Document{', Limits' if self.limits else ''}\n\n\n" + "\n\n\n".join(self.classes) + "\n"
        ).replace("<VERSION>", version)

    def add_class(self, name: str, schema: dict[str, Any]) -> None:
        if name in self.done:
            return
        self.done.add(name)
        root = schema is self.schema
        lines = ["@dataclass(frozen=True, kw_only=True)"]
        lines.append(f"class {name}(Document):" if root else f"class {name}:")
        said = schema.get("title") if root else schema.get("description")
        if said:
            lines += [f'    """{said[0].upper() + said[1:].rstrip(".")}."""', ""]
        if root:
            lines += ['    SCHEMA: ClassVar[str] = "<VERSION>"', ""]
        lines += self.limits_of(schema["properties"])
        for key, value in schema["properties"].items():
            lines += self.field_of(name, key, value, key in schema["required"])
        self.classes.append("\n".join(lines))

    def limits_of(self, properties: dict[str, Any]) -> list[str]:
        """What numbers are between, by their names in the file."""
        rows = []
        for key, schema in properties.items():
            number = schema.get("items", schema)
            least, most = number.get("minimum"), number.get("maximum")
            if least is not None or most is not None:
                rows.append(f'        "{key}": ({least}, {most}),')
        if not rows:
            return []
        self.limits = True
        return ["    LIMITS: ClassVar[dict[str, Limits]] = {", *rows, "    }", ""]

    def field_of(self, owner: str, key: str, schema: dict[str, Any], required: bool) -> list[str]:
        lines = []
        said = schema.get("description")
        if said:
            lines += ["    # " + line for line in textwrap.wrap(said, 90)]
        kind = self.type_of(owner + camel(key), schema)
        options = []
        if not required:
            if kind.startswith("list["):
                options.append("default_factory=list")
            elif kind.startswith("dict["):
                options.append("default_factory=dict")
            else:
                kind = kind if kind.endswith("| None") else f"{kind} | None"
                options.append("default=None")
        attribute = key
        if keyword.iskeyword(key):
            attribute = key + "_"
            options.append(f'metadata={{"name": "{key}"}}')
        default = ""
        if options == ["default=None"]:
            default = " = None"
        elif options:
            default = f" = field({', '.join(options)})"
        line = f"    {attribute}: {kind}{default}"
        if len(line) > 99 and kind.startswith("Literal["):
            words = ",\n        ".join(json.dumps(word) for word in schema["enum"])
            line = line.replace(kind.removesuffix(" | None"), f"Literal[\n        {words},\n    ]")
        return lines + [line]

    def type_of(self, name: str, schema: dict[str, Any]) -> str:
        if "$ref" in schema:
            reference = schema["$ref"].rsplit("/", 1)[1]
            self.add_class(reference, self.schema["$defs"][reference])
            return str(reference)
        if "const" in schema:
            return "str"
        if "enum" in schema:
            self.words = True
            return f"Literal[{', '.join(json.dumps(word) for word in schema['enum'])}]"
        kind = schema["type"]
        if isinstance(kind, list):
            return " | ".join(PLAIN[each] for each in kind)
        if kind == "array":
            return f"list[{self.type_of(name, schema['items'])}]"
        if kind == "object" and "properties" not in schema:
            return f"dict[str, {self.type_of(name, schema['additionalProperties'])}]"
        if kind == "object":
            self.add_class(name, schema)
            return name
        return PLAIN[kind]


def generated() -> dict[Path, str]:
    files = {}
    modules = []
    for path in sorted(SCHEMAS.glob("*.schema.json")):
        name = path.name.removesuffix(".schema.json")
        modules.append(name)
        files[TARGET / (name.replace("-", "_") + ".py")] = Module(
            name, json.loads(path.read_text())
        ).text()
    imports = "".join(f"from .{name.replace('-', '_')} import {camel(name)}\n" for name in modules)
    listed = "".join(f'    "{camel(name)}",\n' for name in modules)
    files[TARGET / "__init__.py"] = (
        '"""The files that tunecheck writes, as classes: `Result.read("out/result.json")`."""\n\n'
        "# Made by framework/python/generate_results.py.\n"
        "from __future__ import annotations\n\n"
        f"{imports}\n__all__ = [\n{listed}]\n"
    )
    return files


def main() -> int:
    files = generated()
    stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    stale += [path for path in TARGET.glob("[!_]*.py") if path not in files]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"{path}: expected what framework/python/generate_results.py writes")
        return 1 if stale else 0
    for path in stale:
        if path in files:
            path.write_text(files[path])
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())

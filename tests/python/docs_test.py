"""docs/pytest.md and docs/python.md: their examples are what the package does. docs/versions.md: its numbers are
those of the sources."""

from __future__ import annotations

import inspect
import json
import re
import sys
from pathlib import Path

import pytest
from conftest import HANG_S, TREE, Suite

import tunecheck
from tunecheck import pytest_plugin, results
from tunecheck._pytest_inner import ASKS

DOCS = TREE / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text()


def test_the_example_of_the_plugin_s_page(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page("pytest.md")
    name, example = re.findall(r"`(test_\w+\.py)`:\n\n```python\n(.*?)```", text, re.DOTALL)[0]
    (suite.path / name).write_text(example)
    (command, shown) = re.findall(r"```console\n\$ pytest (.*?)\n(.*?)```", text, re.DOTALL)[0]
    # Without what pytester tells its own runs: temporary folders are then those of the watch.
    monkeypatch.delenv("PYTEST_DEBUG_TEMPROOT")
    result = suite.pytester.run(sys.executable, "-m", "pytest", *command.split(), timeout=HANG_S)
    # "..." stands for anything, also for lines.
    pattern = re.sub(r"(?<!\\\.)(\\\.){3}(?!\\\.)", ".*?", re.escape(shown.strip()))
    pattern = re.sub(r"(=|_)(\1+)", lambda bar: f"{bar[1]}+", pattern)
    assert re.search(pattern, result.stdout.str(), re.DOTALL), result.stdout.str()


def test_the_plugin_s_page_has_every_option_fixture_and_mark(pytester: pytest.Pytester) -> None:
    text = page("pytest.md")
    said = pytester.runpytest_subprocess("--help").stdout.str()
    options = set(re.findall(r"^ +(--tunecheck[a-z-]*)", said, re.MULTILINE))
    assert options == set(re.findall(r"^\| `(--tunecheck[a-z-]*)", text, re.MULTILINE))
    assert set(ASKS) == set(re.findall(r"^\| `(\w+)` \| (?:a|in|the)", text, re.MULTILINE))
    assert all(hasattr(pytest_plugin, name) for name in ASKS)


def test_the_package_s_page_has_every_function_parameter_and_class() -> None:
    text = page("python.md")
    for function in (tunecheck.run, tunecheck.watch):
        signature = re.findall(rf"`tunecheck\.{function.__name__}\((.*?)\)`", text)[0]
        names = [name.strip("*") for name in signature.split(", ")]
        assert names == list(inspect.signature(function).parameters)
    listed = re.findall(r"`(\w+)`", text[text.index("has a class for each") : text.index("They are made")])
    assert set(listed) == set(results.__all__)


def numbers() -> dict[str, str]:
    found = re.findall(r"^\| (.*?) \| (.*?) \| (.*?) \|$", page("versions.md").split("## ")[0], re.MULTILINE)
    return {re.sub(r"[\[\]]|\(.*?\)", "", what): number for what, number, _ in found}


def source(path: str, pattern: str) -> str:
    found = re.search(pattern, (TREE / path).read_text())
    assert found is not None, (path, pattern)
    return found[1]


def test_the_versions_page_has_the_numbers_of_the_sources() -> None:
    said = numbers()
    package = source("CMakeLists.txt", r"project\(tunecheck VERSION ([0-9.]+)")
    assert said["the package: programs, Python package, exit statuses, options"] == package
    assert said["the adapter protocol"] == source(
        "framework/adapter/protocol/messages.hpp", r"constexpr int version = (\d+)"
    )
    assert said["the cache format of the reference tuner"] == source(
        "framework/tuner/store/entry_format.cpp", r'"tunecheck-entry-(\d+) "'
    )
    assert said["the history's file"] == source("docs/history.md", r"version of the schema, now (\d+)")


def test_the_versions_page_has_the_number_of_each_schema() -> None:
    said = re.sub(r"[;,]| and", " ", numbers()["the files of results, each with its schema"])
    of_name: dict[str, str] = {}
    names: list[str] = []
    for word in said.split(":")[-1].split():
        if word[0].isdigit():
            of_name.update(dict.fromkeys(names, word))
            names = []
        else:
            names.append(word)
    for path in sorted(Path(TREE / "reports" / "schema").glob("*.schema.json")):
        name = path.name.removesuffix(".schema.json")
        version = json.loads(path.read_text())["properties"]["schema"]["const"]
        assert of_name.get(name, of_name.get(name.split("-")[0])) == version, name


def test_the_changelog_begins_with_this_version() -> None:
    package = source("CMakeLists.txt", r"project\(tunecheck VERSION ([0-9.]+)")
    assert source("CHANGELOG.md", r"(?m)^## ([0-9.]+)") == package

"""The classes that are made from the schemas read what tunecheck writes, and refuse what it does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import TREE

import tunecheck.results as results
from tunecheck import SchemaError


def watch_json(**changes: object) -> dict[str, object]:
    document: dict[str, object] = {
        "schema": results.Watch.SCHEMA,
        "tunecheck_version": "0.1.0",
        "watched": ["./a"],
        "folder": "out/watch",
        "interrupted": False,
        "runs": [],
        "findings": [],
        "kernels": [],
        "notes": [],
    }
    document.update(changes)
    return document


def test_every_schema_has_a_class_of_its_version() -> None:
    for path in (TREE / "reports" / "schema").glob("*.schema.json"):
        name = "".join(part.capitalize() for part in path.name.split(".")[0].split("-"))
        version = json.loads(path.read_text())["properties"]["schema"]["const"]
        assert getattr(results, name).SCHEMA == version


def test_what_need_not_be_there_has_a_default() -> None:
    watch = results.Watch.from_json(watch_json())
    assert watch.sections == [] and watch.started is None


def test_a_newer_minor_version_is_read_without_what_is_new() -> None:
    major, minor, _ = results.Watch.SCHEMA.split(".")
    newer = watch_json(schema=f"{major}.{int(minor) + 1}.0", what_is_new=1)
    assert results.Watch.from_json(newer).folder == "out/watch"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "9.0.0"}, 'schema: expected version 1.x.y, found "9.0.0"'),
        ({"schema": None}, "schema: expected version 1.x.y"),
        ({"notes": "one"}, 'notes: expected a list, found "one"'),
        ({"interrupted": 1}, "interrupted: expected a value of type bool, found 1"),
        ({"watched": [1]}, r"watched\[0\]: expected a value of type str, found 1"),
        ({"runs": [{}]}, r"runs\[0\].name: expected a value, found none"),
    ],
)
def test_a_mistake_is_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        results.Watch.from_json(watch_json(**change))


def test_a_word_that_is_unknown_is_refused_unless_the_file_is_newer() -> None:
    place = {"file": "", "line": 0, "function": ""}
    finding = {
        "word": "ODD", "certain": True, "kernel": "", "shapes": "", "place": place, "run": "cold", "text": "",
        "details": [], "allowed": False, "new": True,
    }  # fmt: skip
    with pytest.raises(SchemaError, match=r"findings\[0\].word: expected one of"):
        results.Watch.from_json(watch_json(findings=[finding]))
    newer = results.Watch.from_json(watch_json(schema="1.999.0", findings=[finding]))
    assert newer.findings[0].word == "ODD"


def run_json(**changes: object) -> dict[str, object]:
    stages = dict.fromkeys(
        ("prepare_ns", "adapter_ns", "reference_ns", "evidence_ns", "check_ns", "own_ns", "total_ns"), 1
    )
    document: dict[str, object] = {
        "schema": results.Result.SCHEMA, "tunecheck_version": "0.1.0", "started": "", "adapter": "a", "tuner": "t",
        "backend": "b", "seed": 1, "jobs": 1, "environment": {}, "exit_status": 0, "wall_ns": 1, "stages": stages,
        "counts": {"pass": 0, "fail": 0, "unsupported": 0, "error": 0, "known": 0}, "judge_share": 0.5,
        "complete": True, "scenarios": [],
    }  # fmt: skip
    document.update(changes)
    return document


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"wall_ns": -1}, "wall_ns: expected at least 0, found -1"),
        ({"jobs": 0}, "jobs: expected at least 1, found 0"),
        ({"judge_share": 1.5}, "judge_share: expected at most 1, found 1.5"),
        ({"shard": {"number": 0, "count": 2, "scenarios": 3, "selection": ""}}, "shard.number: expected at least 1"),
    ],
)
def test_a_number_that_the_schema_does_not_allow_is_refused(change: dict[str, object], message: str) -> None:
    assert results.Result.from_json(run_json()).wall_ns == 1
    with pytest.raises(SchemaError, match=message):
        results.Result.from_json(run_json(**change))


def test_a_file_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "watch.json").write_text("{")
    with pytest.raises(SchemaError, match="watch.json: expected JSON"):
        results.Watch.read(tmp_path / "watch.json")

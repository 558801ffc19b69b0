"""The pytest plugin: `pytest --tunecheck-warm` runs a suite cold and warm under `tunecheck watch`.

docs/pytest.md says what each option, fixture and mark means.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ._pytest_inner import ASKS, SAYS, Inner, ask, recorder
from ._pytest_outer import Outer, out_folder
from ._sections import is_watched


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tunecheck", "kernel autotuners, watched by tunecheck")
    group.addoption(
        "--tunecheck-warm",
        action="store_true",
        help="run the suite cold and then warm in cache folders of its own; the warm pass has outcomes of its "
        "own, and fails where it compiles or tunes again",
    )
    group.addoption(
        "--tunecheck",
        action="store_true",
        help="run the suite once, watched, with your own caches; only what fixtures and marks ask is judged, and "
        "results that a tuning has changed",
    )
    group.addoption(
        "--tunecheck-runs",
        type=int,
        default=2,
        metavar="N",
        help="passes of --tunecheck-warm; 2 if not given. With 3, what kernels are given is compared as well",
    )
    group.addoption(
        "--tunecheck-allow",
        action="append",
        default=[],
        metavar="WORD",
        help="a word that fails no test, such as COMPILED; may be given several times",
    )
    group.addoption(
        "--tunecheck-out",
        metavar="FOLDER",
        help="where the evidence and watch.json go; .tunecheck/pytest if not given",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    if not _is_outer(config):
        return
    if config.getoption("usepdb", False):
        raise pytest.UsageError("--pdb cannot be used with --tunecheck-warm or --tunecheck")
    if config.getoption("tunecheck") and config.getoption("tunecheck_warm"):
        raise pytest.UsageError("expected one of --tunecheck and --tunecheck-warm")
    if config.getoption("tunecheck_runs") < 2:
        raise pytest.UsageError("--tunecheck-runs: expected 2 or more")
    # Workers of xdist belong to the passes, not to this process.
    for option, value in (("numprocesses", None), ("dist", "no"), ("tx", []), ("distload", False)):
        if hasattr(config.option, option):
            setattr(config.option, option, value)


def pytest_configure(config: pytest.Config) -> None:
    for name in ASKS:
        config.addinivalue_line("markers", f"{name}(cold=False): {SAYS[name]} (tunecheck)")
    if recorder() is not None or is_watched():
        config.pluginmanager.register(Inner(config), "tunecheck-pass")
        if recorder() is not None and hasattr(config.option, "xmlpath"):
            config.option.xmlpath = None  # the one that asked for the passes writes it
    elif _is_outer(config):
        config.pluginmanager.register(Outer(config), "tunecheck-passes")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    # The home folder that a watch made has links to what is in the user's, perhaps to this suite.
    return True if collection_path == out_folder(config) else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for name in ASKS:
        for mark in item.iter_markers(name):
            ask(item, name, bool(mark.kwargs.get("cold", False)))


@pytest.fixture
def no_compile(request: pytest.FixtureRequest) -> Iterator[None]:
    """No compiler is started by this test once caches are filled."""
    ask(request.node, "no_compile")
    yield


@pytest.fixture
def no_tuning(request: pytest.FixtureRequest) -> Iterator[None]:
    """No kernel is tuned by this test once caches are filled."""
    ask(request.node, "no_tuning")
    yield


@pytest.fixture
def tuned_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each kernel is tuned exactly once by this test, and never again in a later start."""
    ask(request.node, "tuned_once")
    yield


def _is_outer(config: pytest.Config) -> bool:
    asked = config.getoption("tunecheck_warm") or config.getoption("tunecheck")
    other = any(
        config.getoption(option, False) for option in ("collectonly", "showfixtures", "show_fixtures_per_test")
    )
    return bool(asked) and not other and not is_watched() and not hasattr(config, "workerinput")

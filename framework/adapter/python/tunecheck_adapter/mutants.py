"""Bugs that an adapter can plant into the tuner that it drives, to show that the judge notices them:
docs/foreign-mutants.md."""

import json
import sys
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence

BAD_INPUT = 3


@dataclass(frozen=True)
class Mutant:
    """A planted bug.

    name: of lower-case letters, digits and `_`.
    summary: what the tuner does wrong, in a sentence without a full stop that names the real bug that
        it is modelled on.
    caught_by: names of scenarios, each with the check that must fail in it.
    plant: given a part of the tuner, returns what takes its place; the adapter says which part.
    """

    name: str
    summary: str
    caught_by: Mapping[str, str]
    plant: Callable[[Any], Any]


def chosen_mutant(
    mutants: Sequence[Mutant], arguments: Optional[list[str]] = None
) -> Optional[Mutant]:
    """What the command line asks for: None, or with `--mutant NAME` that mutant. With `--list`
    prints all of them as JSON and ends the process; with anything else ends it with status 3."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments:
        return None
    if arguments == ["--list"]:
        print(json.dumps([_listed(mutant) for mutant in mutants], indent=1))
        sys.exit(0)
    if len(arguments) == 2 and arguments[0] == "--mutant":
        for mutant in mutants:
            if mutant.name == arguments[1]:
                return mutant
        print(f'there is no mutant "{arguments[1]}"; see --list', file=sys.stderr)
        sys.exit(BAD_INPUT)
    print(f"expected --list, --mutant NAME or nothing, found: {arguments}", file=sys.stderr)
    sys.exit(BAD_INPUT)


def _listed(mutant: Mutant) -> dict[str, Any]:
    return {
        "name": mutant.name,
        "summary": mutant.summary,
        "caught_by": dict(mutant.caught_by),
    }

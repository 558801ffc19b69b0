#!/usr/bin/env python3
"""artifacts.py BILL NOTICES FILE...: are the notices complete in each of these packages?

For each wheel, Debian package and tarball: it holds the licence and exactly one text of the notices, which is that of
NOTICES; each component of BILL (CycloneDX) has a section there with a text of its own, and each section is of a
component; each shared library of others in the file is of a component that is bundled. Prints a line for each file with
what it counted, or what is wrong, and ends with status 1 then."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

COMPONENTS = json.loads((Path(__file__).parent / "components.json").read_text())["components"]
HEAD = re.compile(r"(?P<name>.+?)(?P<version> [0-9][^ ]*)? \((?P<licence>.+?)\), (bundled|linked|headers|page); ")
LEAST_TEXT = 200  # characters: no licence is shorter


def files_of_tar(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}  # type: ignore[union-attr]


def files_of(path: Path) -> dict[str, bytes]:
    """What is in a package, by name."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    if path.suffix == ".deb":
        return files_of_tar(subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True, check=True).stdout)
    return files_of_tar(path.read_bytes())


def sections_of(notices: str) -> dict[str, str]:
    """The text under each component's name."""
    found = {}
    for part in notices.split("\n" + "=" * 100 + "\n\n")[1:]:
        head, _, text = part.partition("\n\n")
        match = HEAD.match(head)
        if match is None:
            raise ValueError(f'expected the head of a section, found "{head[:80]}"')
        found[match["name"]] = text.strip()
    return found


def libraries_of(names: list[str]) -> list[str]:
    """Shared libraries of others: auditwheel puts a digest behind their names."""
    found = []
    for name in names:
        match = re.fullmatch(r".*/(lib[^/]+?)(-[0-9a-f]{8})?\.so(\.[0-9.]*)?", name)
        if match and not match[1].startswith("libtunecheck-"):
            found.append(match[1])
    return found


def wrong_with(path: Path, notices: str, components: set[str]) -> tuple[list[str], str]:
    """What is wrong, and what was counted."""
    files = files_of(path)
    wrong = []
    # Debian's "copyright" has tunecheck's licence in front of them.
    held = [name for name, text in files.items() if name.rsplit("/", 1)[-1] in ("THIRD-PARTY-NOTICES.txt", "copyright")
            and text.decode(errors="replace").rstrip().endswith(notices.rstrip())]
    others = [name for name in files if name.endswith("THIRD-PARTY-NOTICES.txt") and name not in held]
    if not held:
        wrong.append("expected the third-party notices of this commit, found none")
    wrong += [f"expected the third-party notices of this commit in {name}, found others" for name in others]
    if not any(b"Apache License" in text and b"Version 2.0" in text for name, text in files.items()
               if name.rsplit("/", 1)[-1] in ("LICENSE", "copyright")):
        wrong.append("expected tunecheck's licence, found none")
    bundled = {each["library"] for each in COMPONENTS if each["how"] == "bundled" and "library" in each}
    libraries = libraries_of(list(files))
    wrong += [f"expected a component for {name}, found none" for name in libraries if name not in bundled]
    if path.suffix == ".whl":
        wrong += [f"expected the library {name}, which components.json calls bundled, found none" for name in sorted(bundled - set(libraries))]
    return wrong, f"{len(components)} components, {len(sections_of(notices))} notices, {len(libraries)} libraries of others"


def wrong_with_notices(notices: str, components: set[str]) -> list[str]:
    sections = sections_of(notices)
    wrong = [f"expected a notice for {name}, found none" for name in sorted(components - set(sections))]
    wrong += [f"expected a component for the notice of {name}, found none" for name in sorted(set(sections) - components)]
    wrong += [f"expected the licence of {name}, found {len(text)} characters" for name, text in sections.items() if len(text) < LEAST_TEXT]
    return wrong


def main(arguments: list[str]) -> int:
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 3
    components = {each["name"] for each in json.loads(Path(arguments[0]).read_text())["components"]}
    notices = Path(arguments[1]).read_text()
    failed = False
    for line in wrong_with_notices(notices, components):
        failed = True
        print(f"{arguments[1]}: {line}")
    for name in arguments[2:]:
        wrong, counted = wrong_with(Path(name), notices, components)
        failed = failed or bool(wrong)
        print(*[f"{name}: {line}" for line in wrong or [counted]], sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

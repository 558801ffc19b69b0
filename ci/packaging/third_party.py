#!/usr/bin/env python3
"""Makes what the packages say of the software of others that is in them, from components.json, the Debian
packages that are installed here, and the page of HTML reports, which names the npm packages in it.

third_party.py notices PAGE                   prints THIRD-PARTY-NOTICES.txt
third_party.py bill PAGE VERSION EPOCH        prints a CycloneDX bill of materials
third_party.py check PAGE NOTICES             are the notices those of what is installed here?
third_party.py libraries FILE...              is each library that these files need the system's or listed?
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import uuid
from pathlib import Path

COMPONENTS = json.loads((Path(__file__).parent / "components.json").read_text())["components"]
DOCUMENTS = Path("/usr/share/doc")
TEXTS = Path("/usr/share/common-licenses")
# What a Linux of the wheel's tag has (PEP 600), and what a compiler brings.
OF_THE_SYSTEM = {"libc", "libm", "libpthread", "libdl", "librt", "libstdc++", "libgcc_s", "ld-linux-x86-64"}

HEAD = """tunecheck is licensed under the Apache License 2.0 (LICENSE). Its packages hold the software of others that
is listed here, each with its copyright notices and licence. "bundled" is a shared library in the wheel and in
the tarball, which the Debian package takes from Debian; "linked" and "headers" are compiled into tunecheck's
programs; "page" is in the pages that `tunecheck report html` writes. Sources: the address of each, and the
source package of the named Debian version, at https://snapshot.debian.org.
"""


def refuse(message: str) -> None:
    print(f"third_party.py: {message}", file=sys.stderr)
    sys.exit(3)


def version_of(package: str) -> str:
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True
    )
    if answer.returncode != 0 or not answer.stdout:
        refuse(f"expected Debian's package {package}, found none: ci/bootstrap installs it")
    return answer.stdout


def paragraphs_of(text: str, licences: list[str]) -> str:
    """The text of each licence, from a copyright file of Debian's that has thousands of notices: that of Boost,
    whose licence asks for none of them in compiled programs."""
    found = []
    for licence in licences:
        texts = re.findall(rf"(?m)^License: {re.escape(licence)}\n((?:[ \t].*\n)+)", text)
        whole = [each for each in texts if "IN NO EVENT" in each]
        if not whole:
            refuse(f"there is no text of {licence} in the copyright file")
        found.append(re.sub(r"(?m)^ \.?", "", min(whole, key=len)))
    return "\n".join(found)


def notice_of(component: dict) -> str:
    text = (DOCUMENTS / component["package"] / "copyright").read_text(errors="replace")
    if "paragraphs" in component:
        text = paragraphs_of(text, component["paragraphs"])
    for name in component.get("texts", []):
        text += f"\n---- {name}\n\n" + (TEXTS / name).read_text()
    return text.strip() + "\n"


def packages_of(page: Path) -> list[tuple[str, str, str, str]]:
    """Name, version, licence and text of each npm package of which a part is in the page."""
    text = page.read_text()
    notice = text[text.rindex("This page contains:") :].split("\n\n", 1)[1].rsplit("\n-->", 1)[0]
    found = []
    for part in notice.split("\n\n- -- -\n\n"):  # as build.mjs writes its "----" into a comment
        head, _, body = part.partition("\n\n")
        match = re.fullmatch(r"(\S+) (\S+) \((.+)\)", head.strip())
        if match is None:
            refuse(f'{page}: expected "NAME VERSION (LICENCE)", found "{head.strip()[:80]}"')
        found.append((*match.groups(), body.strip()))
    return found


def notices(page: Path) -> str:
    parts = [HEAD]
    for component in COMPONENTS:
        package = component["package"]
        parts.append(
            f"{component['name']} ({component['licence']}), {component['how']}; "
            f"{package} {version_of(package)}; {component['url']}\n\n" + notice_of(component)
        )
    for name, version, licence, text in packages_of(page):
        parts.append(f"{name} {version} ({licence}), page; https://www.npmjs.com/package/{name}\n\n{text}\n")
    return ("\n" + "=" * 100 + "\n\n").join(parts)


def identity_of(licence: str) -> dict:
    if " " in licence:
        return {"expression": licence}
    return {"license": {"id": licence}}


def bill(page: Path, version: str, epoch: int) -> str:
    components = []
    for component in COMPONENTS:
        package, installed = component["package"], version_of(component["package"])
        components.append(
            {
                "type": "library",
                "bom-ref": package,
                "name": component["name"],
                "version": installed,
                "scope": "required",
                "licenses": [identity_of(component["licence"])],
                "purl": f"pkg:deb/debian/{package}@{installed.replace('+', '%2B').replace(':', '%3A')}?arch=amd64",
                "externalReferences": [{"type": "website", "url": component["url"]}],
                "properties": [{"name": "tunecheck:how", "value": component["how"]}],
            }
        )
    for name, number, licence, _ in packages_of(page):
        address = name.replace("@", "%40")
        components.append(
            {
                "type": "library",
                "bom-ref": f"npm:{name}",
                "name": name,
                "version": number,
                "scope": "required",
                "licenses": [identity_of(licence)],
                "purl": f"pkg:npm/{address}@{number}",
                "properties": [{"name": "tunecheck:how", "value": "page"}],
            }
        )
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'tunecheck {version} {epoch}')}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "component": {
                "type": "application",
                "bom-ref": "tunecheck",
                "name": "tunecheck",
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "purl": f"pkg:pypi/tunecheck@{version}",
            },
        },
        "components": components,
        "dependencies": [
            {"ref": "tunecheck", "dependsOn": [component["bom-ref"] for component in components]}
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def needed_by(file: Path) -> list[str]:
    answer = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True)
    return re.findall(r"(?m)^\s+NEEDED\s+(\S+)", answer.stdout)


def check(page: Path, kept: Path) -> list[str]:
    """What is wrong, a line each."""
    if kept.read_text() == notices(page):
        return []
    return [f"{kept}: expected what `ci/packaging/third_party.py notices {page}` prints"]


def check_libraries(files: list[Path]) -> list[str]:
    """Likewise."""
    listed = {component.get("library") for component in COMPONENTS}
    wrong = []
    for file in files:
        for library in needed_by(file):
            # auditwheel puts a digest behind the name: libfmt-0123abcd.so.9
            name = re.sub(r"(-[0-9a-f]{8})?\.so(\..*)?$", "", library)
            if name not in OF_THE_SYSTEM and name not in listed:
                wrong.append(f"{file}: {library} is not in ci/packaging/components.json")
    return wrong


def said(wrong: list[str]) -> int:
    for line in wrong:
        print(line)
    return 1 if wrong else 0


def main(arguments: list[str]) -> int:
    match arguments:
        case ["notices", page]:
            print(notices(Path(page)), end="")
        case ["bill", page, version, epoch]:
            print(bill(Path(page), version, int(epoch)), end="")
        case ["check", page, kept]:
            return said(check(Path(page), Path(kept)))
        case ["libraries", *files] if files:
            return said(check_libraries([Path(file) for file in files]))
        case _:
            refuse(__doc__ or "")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Puts the pages of the tree where mkdocs finds them: site.py ROOT FOLDER

The README becomes the first page. A link to a file outside of docs/ leads to a copy of that file, and one to a
folder becomes plain text, so that no page leads anywhere but into the site. The order of the pages is that of the
README's table. A link that leads nowhere is an error.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

# Blocks of code have no links. Text in backticks may be the text of one.
BLOCK = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s:]+)((?:#[^)\s]*)?)\)")


class Site:
    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self._pages = folder / "pages"
        self._folder = folder
        self._wrong: list[str] = []

    def make(self) -> list[str]:
        shutil.rmtree(self._folder, ignore_errors=True)
        for source, target in self._sources().items():
            parts = BLOCK.split(source.read_text())
            for number in range(0, len(parts), 2):
                parts[number] = LINK.sub(lambda link: self._link(link, source, target), parts[number])
            text = "".join(parts)
            (self._pages / target).parent.mkdir(parents=True, exist_ok=True)
            (self._pages / target).write_text(text)
        (self._folder / "mkdocs.yml").write_text(json.dumps(self._settings(), indent=2))  # is YAML, too
        return self._wrong

    def _sources(self) -> dict[Path, Path]:
        """Each page, and where it is in the site."""
        pages = {self._root / "README.md": Path("index.md")}
        for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
            pages[self._root / name] = Path(name.lower())
        for page in sorted((self._root / "docs").rglob("*.md")):
            relative = page.relative_to(self._root / "docs")
            # mkdocs takes a README for the first page of its folder.
            pages[page] = relative
        return pages

    def _link(self, link: re.Match[str], source: Path, target: Path) -> str:
        text, path, anchor = link.groups()
        to = Path(os.path.normpath(source.parent / path))
        if not to.exists() or not to.is_relative_to(self._root):
            self._wrong.append(f"{source}: {path} leads nowhere")
            return text
        if to.is_dir():
            return text
        there = self._sources().get(to)
        if there is None:
            there = Path("files") / to.relative_to(self._root)
            # A page of Markdown that is none of ours is shown as text.
            there = there.with_name(there.name + ".txt") if there.suffix in (".md", "", ".cpp", ".py") else there
            (self._pages / there).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(to, self._pages / there)
            anchor = ""
        return f"[{text}]({os.path.relpath(there, target.parent)}{anchor})"

    def _settings(self) -> dict[str, object]:
        readme = (self._root / "README.md").read_text()
        listed = re.findall(r"^\| \[.*?\]\((.*?)\) \| ", readme[readme.index("## More") :], re.MULTILINE)
        pages = [self._sources()[Path(os.path.normpath(self._root / path))] for path in listed]
        return {
            "site_name": "tunecheck",
            "docs_dir": "pages",
            "site_dir": "site",
            "use_directory_urls": False,  # works from a folder, without a server
            "theme": {
                "name": "material",
                "font": False,
                "palette": [
                    {"media": f"(prefers-color-scheme: {scheme})", "scheme": name}
                    for scheme, name in (("light", "default"), ("dark", "slate"))
                ],
                "features": ["navigation.top", "search.suggest", "search.highlight", "content.code.copy"],
            },
            "plugins": ["search", "offline"],
            "markdown_extensions": ["tables", "fenced_code", {"toc": {"permalink": True}}],
            "nav": [{"tunecheck": "index.md"}, *[str(page) for page in pages]],
            "validation": {"nav": {"omitted_files": "ignore"}, "links": {"anchors": "warn"}},
        }


def main() -> int:
    root, folder = (Path(argument).resolve() for argument in sys.argv[1:3])
    wrong = Site(root, folder).make()
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

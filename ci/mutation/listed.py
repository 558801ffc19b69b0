"""A mutation, and a list of them in a file: `ci/mutate CAMPAIGN --list` prints one, --from reads it. Who reads it
needs no libclang."""

import dataclasses
import re

from tree import Refused

HEAD = re.compile(r"# (\w+), seed (\d+), revision (\w+)")
LINE = re.compile(r"(\S+):(\d+):(\d+) `(.+)` -> `(.*)`")


@dataclasses.dataclass(frozen=True)
class Mutation:
    file: str  # from the root of the tree
    line: int
    column: int  # in bytes, from 1
    offset: int  # of the token, in bytes
    before: str
    after: str
    text: str  # the line as it is, without the blanks around it

    @property
    def key(self):
        return (self.file, self.line, self.column, self.before, self.after)

    def applied_to(self, content):
        before = self.before.encode()
        assert content[self.offset:self.offset + len(before)] == before, self
        return content[:self.offset] + self.after.encode() + content[self.offset + len(before):]


def head(campaign, seed, revision):
    return f"# {campaign}, seed {seed}, revision {revision}"


def line_of(mutation):
    return f"{mutation.file}:{mutation.line}:{mutation.column} `{mutation.before}` -> `{mutation.after}`"


def mutation_of(root, text):
    """What a line of the list says of the sources below the root, which must be those that it was made of."""
    found = LINE.fullmatch(text)
    if not found:
        raise Refused(f"expected FILE:LINE:COLUMN `BEFORE` -> `AFTER`, found \"{text}\"", 3)
    file, line, column, before, after = found[1], int(found[2]), int(found[3]), found[4], found[5]
    lines = (root / file).read_bytes().split(b"\n")
    at = column - 1
    if line > len(lines) or lines[line - 1][at:at + len(before.encode())] != before.encode():
        raise Refused(f"{file}:{line}:{column}: there is no `{before}`; the list was made of another revision", 3)
    offset = sum(len(each) + 1 for each in lines[:line - 1]) + at
    return Mutation(file, line, column, offset, before, after, lines[line - 1].decode().strip())


def read_list(root, path, campaign):
    """The seed and the revision that the list was made of, and its mutations in their order."""
    first, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    found = HEAD.fullmatch(first)
    if not found or found[1] != campaign:
        raise Refused(f"expected \"{head(campaign, 'SEED', 'REVISION')}\" in the first line of {path}", 3)
    return int(found[2]), found[3], [mutation_of(root, line) for line in lines]

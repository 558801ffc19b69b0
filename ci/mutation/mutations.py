"""Where a source can be changed by one token. Comments, texts, characters, includes and other lines of the
preprocessor, static_asserts and attributes stay as they are: libclang says what each token is."""

import dataclasses
import fnmatch
import itertools
import pathlib
import random

from clang.cindex import Index, TokenKind

from listed import Mutation
from operators import ANYWHERE, BETWEEN_BLANKS, CALLED, KEYWORDS, of_number

NO_CONDITION = {";", "=", "==", "!=", "<=", ">="}


@dataclasses.dataclass(frozen=True)
class Token:
    kind: TokenKind
    spelling: str
    start: int
    end: int
    line: int
    column: int


def tokens_of(path, content):
    """Every token of the file, and of no header. Headers are not looked for: only the tokens are of interest."""
    unit = Index.create().parse(str(path), args=["-x", "c++", "-std=c++20", "-nostdinc", "-nostdinc++"],
                                unsaved_files=[(str(path), content.decode())])
    tokens = []
    for token in unit.get_tokens(extent=unit.cursor.extent):
        extent = token.extent
        tokens.append(Token(token.kind, token.spelling, extent.start.offset, extent.end.offset,
                            extent.start.line, extent.start.column))
    return tokens


def end_of_directive(tokens, at, lines):
    """The first token behind a line of the preprocessor that begins at tokens[at]."""
    line = tokens[at].line
    while lines[line - 1].endswith(b"\\"):
        line += 1
    while at < len(tokens) and tokens[at].line <= line:
        at += 1
    return at


def end_of_brackets(tokens, at, opening, closing):
    """The first token behind the bracket that closes what opens at or behind tokens[at]."""
    depth = 0
    while at < len(tokens):
        depth += (tokens[at].spelling == opening) - (tokens[at].spelling == closing)
        at += 1
        if depth == 0 and tokens[at - 1].spelling == closing:
            break
    return at


def end_of_definition(tokens, at):
    """The first token behind the function or table whose name is tokens[at]; `at` itself where it is only used."""
    depth, end = 0, at + 1
    while end < len(tokens) and depth >= 0 and (tokens[end].spelling != ";" or depth > 0):
        if tokens[end].spelling == "{":
            return end_of_brackets(tokens, end, "{", "}") if depth == 0 else at
        depth += (tokens[end].spelling == "(") - (tokens[end].spelling == ")")
        end += 1
    return at


@dataclasses.dataclass(frozen=True)
class LeftOut:
    """Names in one source: of functions whose arguments stay as they are, and of functions and tables that do."""

    calls: frozenset = frozenset()
    definitions: frozenset = frozenset()

    def end_at(self, tokens, at):
        """The first token behind what stays at tokens[at]; `at` where nothing does."""
        if tokens[at].spelling in self.calls and at + 1 < len(tokens) and tokens[at + 1].spelling == "(":
            return end_of_brackets(tokens, at, "(", ")")
        return end_of_definition(tokens, at) if tokens[at].spelling in self.definitions else at


def mutable(tokens, lines, left_out):
    """Without what is never changed."""
    kept, at = [], 0
    while at < len(tokens):
        token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        if token.kind == TokenKind.COMMENT:
            at += 1
        elif token.spelling == "#" and not lines[token.line - 1][:token.column - 1].strip():
            at = end_of_directive(tokens, at, lines)
        elif token.spelling in ("static_assert", "alignas", "__attribute__"):
            at = end_of_brackets(tokens, at, "(", ")")
        elif token.spelling == "[" and following and following.spelling == "[" and following.start == token.end:
            at = end_of_brackets(tokens, at, "[", "]")
        elif token.spelling == "operator":
            at += 2
        elif (end := left_out.end_at(tokens, at)) > at:
            at = end
        else:
            kept.append(token)
            at += 1
    return kept


def is_between_blanks(token, content):
    return content[token.start - 1:token.start] in (b" ", b"\n") and content[token.end:token.end + 1] in (b" ", b"\n")


def is_condition(tokens, at):
    """Whether "if (" or "while (" at tokens[at] begins with a name, declares nothing and compares nothing: what
    is compared has an operator of its own to change, and gcc refuses `!a == b`."""
    if [token.spelling for token in tokens[at:at + 2]] not in (["if", "("], ["while", "("]):
        return False
    inside = tokens[at + 2:end_of_brackets(tokens, at + 1, "(", ")")]
    return inside[0].kind == TokenKind.IDENTIFIER and NO_CONDITION.isdisjoint(token.spelling for token in inside)


def replacements(tokens, at, content):
    """What may stand instead of tokens[at]: a list of texts."""
    token = tokens[at]
    if token.kind == TokenKind.LITERAL:
        return of_number(token.spelling)
    if token.kind == TokenKind.PUNCTUATION:
        if token.spelling == "(" and at > 0 and is_condition(tokens, at - 1):
            return ["(!"]
        if is_between_blanks(token, content):
            return BETWEEN_BLANKS.get(token.spelling, [])
        return ANYWHERE.get(token.spelling, [])
    if token.kind == TokenKind.KEYWORD:
        return KEYWORDS.get(token.spelling, [])
    is_called = at + 1 < len(tokens) and tokens[at + 1].spelling == "("
    return CALLED.get(token.spelling, []) if is_called else []


def of_file(root, file, left_out=LeftOut()):
    """All mutations of one source, in its order."""
    content = (root / file).read_bytes()
    lines = content.split(b"\n")
    tokens = mutable(tokens_of(root / file, content), lines, left_out)
    return [Mutation(file, token.line, token.column, token.start, token.spelling, after,
                     lines[token.line - 1].decode().strip())
            for at, token in enumerate(tokens) for after in replacements(tokens, at, content)]


def left_out_of(campaign, file):
    return LeftOut(frozenset(campaign.left_out_calls), frozenset(campaign.left_out_code.get(file, ())))


def number_of_tokens(root, files, campaign=None):
    """How many tokens can be changed; without a campaign, its rules do not count."""
    return sum(len({each.offset for each in of_file(root, file, left_out_of(campaign, file) if campaign else LeftOut())})
               for file in files)


def sources(root, folders, left_out, globs):
    """The sources below the folders, sorted. Globs choose among all of them, those left out included."""
    files = sorted(str(path.relative_to(root)) for folder in folders for path in (root / folder).rglob("*.cpp"))
    if globs:
        return [file for file in files if any(fnmatch.fnmatch(file, glob) for glob in globs)]
    return [file for file in files if not any(fnmatch.fnmatch(file, glob) for glob in left_out)]


def shuffled(root, files, seed, campaign):
    """All mutations of the files that the campaign makes, in an order that follows from the seed and the sources alone. Each token comes
    once before one comes again: those with several replacements are no likelier."""
    chance, tokens = random.Random(seed), {}
    for file in files:
        for mutation in of_file(pathlib.Path(root), file, left_out_of(campaign, file)):
            tokens.setdefault((file, mutation.offset), []).append(mutation)
    order = list(tokens.values())
    chance.shuffle(order)
    for each in order:
        chance.shuffle(each)
    rounds = itertools.zip_longest(*order)
    return [mutation for each in rounds for mutation in each if mutation]

"""Which token may become which: one token for another, one less, or a `!` more."""

import re

# clang-format (ci/test insists on it) writes these with blanks around them where they are operators. Without
# them, `<` is the bracket of a template, `*` and `&` belong to a type, `-` and `!` have one operand.
BETWEEN_BLANKS = {
    "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"], "^": ["&"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "|=": ["&="], "&=": ["|="],
}
ANYWHERE = {"++": ["--"], "--": ["++"], "!": [""]}
KEYWORDS = {"true": ["false"], "false": ["true"], "continue": ["break"], "break": ["continue"], "else": [""]}
# Names of the standard library, where they are called.
CALLED = {
    "min": ["max"], "max": ["min"], "any_of": ["all_of", "none_of"], "all_of": ["any_of", "none_of"],
    "none_of": ["any_of"], "lower_bound": ["upper_bound"], "upper_bound": ["lower_bound"],
    "min_element": ["max_element"], "max_element": ["min_element"], "front": ["back"], "back": ["front"],
    "starts_with": ["ends_with"], "ends_with": ["starts_with"], "find": ["rfind"], "rfind": ["find"],
    "floor": ["ceil"], "ceil": ["floor"], "push_front": ["push_back"], "pop_front": ["pop_back"],
}
INTEGER = re.compile(r"(\d[\d']*)([a-zA-Z_]\w*)?")
FLOAT = re.compile(r"(\d[\d']*\.\d*)([a-zA-Z_]\w*)?")


def of_number(spelling):
    """One more and one less, or the double."""
    if found := INTEGER.fullmatch(spelling):
        value, suffix = int(found[1].replace("'", "")), found[2] or ""
        if re.fullmatch(r"[xXbB].*|[eE].*", suffix) or (len(found[1]) > 1 and found[1][0] == "0"):
            return []  # hexadecimal, binary, octal, or a power of ten
        return [f"{value + 1}{suffix}"] + ([f"{value - 1}{suffix}"] if value > 0 else [])
    if found := FLOAT.fullmatch(spelling):
        value, suffix = float(found[1].replace("'", "")), found[2] or ""
        return [] if suffix[:1] in ("e", "E") else [f"{value * 2 or 1.0}{suffix}"]
    return []

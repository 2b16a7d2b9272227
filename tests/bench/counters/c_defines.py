"""Lists the macros that C and C++ files define, by their lines alone: `path macro name line`, joined by tabs.

    python3 c_defines.py FOLDER <PATHS

PATHS, one a line on standard input, are relative to FOLDER. A directive is a line (comments taken out, continued lines
joined: C23 5.1.1.2, phases 2 and 3) that begins with `#`; every `#define` counts, on whichever branch of a condition. The
guard of a header does not: the first directive of a file is `#ifndef X` or `#if !defined(X)`, the second defines X to nothing,
and the last ends that condition.
"""

import pathlib
import re
import sys

# Raw strings, strings, character constants (not the separator of digits) and comments, in the order of trial.
TOKEN = re.compile(
    r'R"([^()\\\s]{0,16})\(.*?\)\1"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-zA-Z])'(?:\\.|[^'\\\n])*'"
    r"|//(?:\\\n|[^\n])*"
    r"|/\*.*?(?:\*/|\Z)",
    re.DOTALL,
)
DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w+)[ \t]*(.*)")
GUARD = re.compile(r"ifndef[ \t]+(\w+)[ \t]*$|if[ \t]*![ \t]*defined[ \t]*\(?[ \t]*(\w+)[ \t]*\)?[ \t]*$")


def blank(match):
    """What stands for a token: a comment is a space, anything else stays; lines stay lines."""
    text = match.group()
    if text.startswith(("//", "/*")):
        return " " + "\\\n" * text.count("\n")
    return text


def directives(text):
    """The directives of a text, as (name, the rest, line)."""
    lines = TOKEN.sub(blank, text).split("\n")
    at = 0
    while at < len(lines):
        first, line = at, lines[at]
        while line.endswith("\\") and at + 1 < len(lines):
            at += 1
            line = line[:-1] + lines[at]
        at += 1
        if directive := DIRECTIVE.match(line):
            yield directive.group(1), directive.group(2).strip(), first + 1


def guard(found):
    """The name of the guard that the directives of a whole file stand in."""
    opened = found and GUARD.match(" ".join(found[0][:2]))
    depth = 0
    for index, (name, _, _) in enumerate(found):
        depth += name.startswith("if") - (name == "endif")
        if depth == 0 and index + 1 < len(found):
            return None
    return (opened.group(1) or opened.group(2)) if opened else None


def main():
    folder = pathlib.Path(sys.argv[1])
    for path in sys.stdin.read().splitlines():
        text = (folder / path).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        found = list(directives(text))
        guarding = guard(found)
        for index, (name, rest, line) in enumerate(found):
            defined = re.match(r"[\w$]+", rest)
            if name == "define" and defined and not (index == 1 and rest == guarding):
                print(path, "macro", defined.group(), line, sep="\t")


main()

#!/usr/bin/env python3
"""Holds the files and declarations that Rift finds in real code against other parsers: Python's ast, Go's go/parser, the
Java and TypeScript compilers, syn for Rust, and universal-ctags for C and C++.

    tests/bench/counts.py [--examples N] [CORPUS…]

One row a corpus, language and group of kinds: Rift's count, the other's, the difference in percent of the other's.
`--examples` lists the first declarations, by path, group and name, that only one of the two has. `tests/bench/setup.sh`
installs the parsers.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

from measure import CACHE, HERE, build, corpora

COUNTERS = HERE / "counters"
# Files that the other parser cannot read, named at most.
PROBLEMS = 5

# Per language: what to ask, and groups of kinds as (group, Rift's kinds, the other's kinds).
TYPESCRIPT = [
    (kind, {kind}, {kind})
    for kind in ("function", "class", "interface", "type_alias", "enum", "enum_member", "method", "property", "namespace")
] + [
    ("constant, variable", {"constant", "variable"}, {"constant", "variable"}),
    ("export_alias", {"export_alias"}, {"export_alias"}),
]
C = [
    ("type", {"struct", "union", "class"}, {"struct", "union", "class"}),
    ("enum", {"enum"}, {"enum"}),
    ("enumerator", {"enumerator"}, {"enumerator"}),
    ("function", {"function", "method", "constructor", "destructor", "operator"}, {"function", "prototype"}),
    ("field", {"field"}, {"member"}),
    ("typedef", {"typedef", "type_alias"}, {"typedef"}),
    ("macro", {"macro"}, {"macro"}),
    ("variable", {"variable", "constant"}, {"variable", "externvar"}),
    ("namespace", {"namespace"}, {"namespace"}),
]
LANGUAGES = {
    "python": ("ast", [
        ("class", {"class"}, {"class"}),
        ("function", {"function", "method", "property"}, {"callable"}),
        ("name", {"variable", "constant", "field", "enum_member", "type_alias"}, {"name"}),
    ]),
    "go": ("go/parser", [
        ("type", {"struct", "interface", "type", "type_alias"}, {"type"}),
        ("function", {"function"}, {"function"}),
        ("method", {"method"}, {"method"}),
        ("field", {"field"}, {"field"}),
        ("constant", {"constant"}, {"const"}),
        ("variable", {"variable"}, {"var"}),
    ]),
    "java": ("javac", [
        ("type", {"class", "interface", "enum", "record", "annotation"}, {"type"}),
        ("method", {"method", "element"}, {"method"}),
        ("constructor", {"constructor"}, {"constructor"}),
        ("field", {"field", "constant", "enum_constant"}, {"field"}),
        ("module", {"module"}, {"module"}),
    ]),
    "typescript": ("typescript", TYPESCRIPT),
    "typescript:tsx": ("typescript", TYPESCRIPT),
    "javascript": ("typescript", TYPESCRIPT),
    "rust": ("syn", [("struct, union", {"struct", "union"}, {"struct"})] + [
        (kind, {kind}, {kind})
        for kind in ("enum", "variant", "trait", "function", "method", "field", "constant", "static", "type_alias",
                     "associated_type", "module", "macro", "use_alias")
    ]),
    "c": ("ctags", C),
    "cpp": ("ctags", C),
}
EXTENSIONS = {
    "python": {"py", "pyi", "pyw"},
    "go": {"go"},
    "java": {"java"},
    "typescript": {"ts", "mts", "cts"},
    "typescript:tsx": {"tsx"},
    "javascript": {"js", "jsx", "mjs", "cjs"},
    "rust": {"rs"},
    "c": {"c", "h"},
    "cpp": {"cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp", "txx"},
}
CORPORA = {
    "django": ["python", "javascript"],
    "openjdk-17-source": ["java"],
    "golang-github-docker-docker-dev": ["go"],
    "effect": ["typescript"],
    "rxjs": ["typescript"],
    "react-native-paper": ["typescript", "typescript:tsx"],
    "three": ["javascript"],
    "react-native": ["cpp", "c", "java", "javascript", "typescript"],
    "librocksdb-sys": ["cpp", "c"],
    "openssl-src": ["c"],
    "tantivy": ["rust"],
    "rust-crates": ["rust"],
}


def rift(binary, root):
    """The files, as {path: (language, state)}, and declarations, as (path, kind, name), that Rift has of a tree."""
    output = subprocess.run([binary, root], check=True, stdout=subprocess.PIPE, text=True).stdout
    files, declarations = {}, []
    for line in output.splitlines():
        mark, *fields = line.split("\t")
        if mark == "F":
            files[fields[0]] = (fields[1], fields[2])
        else:
            declarations.append(tuple(fields[:3]))
    return files, declarations


def listed(command, paths):
    """Declarations printed as `path kind name line` by a command that reads paths from its standard input."""
    asked = "".join(path + "\n" for path in paths)
    done = subprocess.run(command, input=asked, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in done.stderr.splitlines()[:PROBLEMS]:
        print(f"    {line}", file=sys.stderr)
    return [tuple(line.split("\t")[:3]) for line in done.stdout.splitlines()]


def ctags(root, language, paths):
    name = {"cpp": "C++", "c": "C", "rust": "Rust"}[language]
    command = ["ctags", "--output-format=json", f"--language-force={name}", "--kinds-C=+px", "--kinds-C++=+px", "-f", "-", "-L", "-"]
    done = subprocess.run(command, cwd=root, input="\n".join(paths) + "\n", check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    tags = (json.loads(line) for line in done.stdout.splitlines())
    # Names of its own making, `__anon…`, stand for unnamed types.
    return [(t["path"], t["kind"], t["name"]) for t in tags if t["_type"] == "tag" and not t["name"].startswith("__anon")]


def typescript(root, paths):
    """The compiler's list over the whole folder, held to the wanted paths."""
    extensions = sorted({"." + p.rsplit(".", 1)[1] for p in paths})
    compiler = CACHE / "typescript" / "node_modules" / "typescript"
    command = ["node", COUNTERS / "ts_counts.mjs", root, *extensions, "--list", "--with-dts", f"--typescript={compiler}"]
    wanted = set(paths)
    return [entry for entry in listed([str(part) for part in command], []) if entry[0] in wanted]


def other(oracle, root, language, paths):
    match oracle:
        case "ast":
            return listed([sys.executable, COUNTERS / "python_list.py", root], paths)
        case "go/parser":
            return listed(["go", "run", COUNTERS / "go_list.go", root], paths)
        case "javac":
            return listed(["java", COUNTERS / "JavaList.java", root], paths)
        case "typescript":
            return typescript(root, paths)
        case "syn":
            manifest = COUNTERS / "rust_list" / "Cargo.toml"
            target = CACHE / "rust_list"
            command = ["cargo", "run", "--quiet", "--release", "--manifest-path", manifest, "--target-dir", target, "--", root]
            return listed([str(part) for part in command], paths)
        case "ctags":
            return ctags(root, language, paths)


def tally(declarations, groups, side):
    """Counts of (path, group, name)."""
    group_of = {kind: group[0] for group in groups for kind in group[side]}
    counted = ((path, group_of.get(kind), name) for path, kind, name in declarations)
    return collections.Counter(entry for entry in counted if entry[1])


def percent(ours, theirs):
    return f"{(ours - theirs) / theirs * 100:+.2f}" if theirs else ("0.00" if ours == 0 else "-")


def compare(corpus, root, language, files, declarations, examples):
    oracle, groups = LANGUAGES[language]
    there = [p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file() and not p.is_symlink()]
    there = [p for p in there if p.rsplit(".", 1)[-1].lower() in EXTENSIONS[language] and not p.startswith("target/")]
    # A header is C or C++ by its text; both languages' files are counted by what Rift took them for.
    ours = sorted(p for p, (l, _) in files.items() if l == language)
    parsed = {p for p in ours if files[p][1] == "parsed"}
    found = len([p for p in there if language not in ("c", "cpp") or files.get(p, ("",))[0] == language])
    print(f"| {corpus} | {language} | files (parsed {len(parsed)}) | {len(ours)} | {found} | {percent(len(ours), found)} | find |")
    mine = tally((d for d in declarations if d[0] in parsed), groups, 1)
    theirs = tally(other(oracle, root, language, sorted(parsed)), groups, 2)
    for group, *_ in groups:
        a = sum(n for key, n in mine.items() if key[1] == group)
        b = sum(n for key, n in theirs.items() if key[1] == group)
        if a or b:
            print(f"| {corpus} | {language} | {group} | {a} | {b} | {percent(a, b)} | {oracle} |", flush=True)
        for title, entries in (("only rift", mine - theirs), (f"only {oracle}", theirs - mine)):
            entries = sorted(key for key in entries if key[1] == group)
            for path, _, name in entries[: examples]:
                print(f"    {title}: {group} {name} in {path}", file=sys.stderr)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpora", nargs="*", default=list(CORPORA))
    arguments.add_argument("--examples", type=int, default=0)
    options = arguments.parse_args()
    (binary,) = build("declarations")
    print("| corpus | language | what | rift | other | difference % | other is |\n|---|---|---|---|---|---|---|")
    for corpus, root in corpora(*options.corpora).items():
        files, declarations = rift(binary, root)
        for language in CORPORA[corpus]:
            compare(corpus, pathlib.Path(root), language, files, declarations, options.examples)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Holds the files and declarations that Rift finds in real code against other parsers: Python's ast, Go's go/parser, the
Java and TypeScript compilers, syn for Rust, and universal-ctags for C and C++.

    tests/bench/counts.py [--examples N] [--declarations PATH] [CORPUS…]

One row a corpus, language and group of kinds: Rift's count, the other's, the difference in percent of the other's.
Declarations are held against each other over the files that the other parser reads without an error; how many it does not
is said in the row of the files. `--examples` lists the first files and declarations, by path, group and name, that only
one of the two has. `--declarations` names a built binary of that name. `tests/bench/setup.sh` installs the parsers.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

from measure import CACHE, HERE, build, corpora

COUNTERS = HERE / "counters"
# Per language: what to ask, and groups of kinds as (group, Rift's kinds, the other's kinds).
TYPESCRIPT = [
    (kind, {kind}, {kind})
    for kind in ("function", "class", "interface", "type_alias", "enum", "enum_member", "method", "property", "namespace")
] + [
    ("constant, variable", {"constant", "variable"}, {"constant", "variable"}),
    ("export_alias", {"export_alias"}, {"export_alias"}),
]
C = [
    ("type", {"struct", "union", "class", "enum", "typedef", "type_alias"}, {"struct", "union", "class", "enum", "typedef"}),
    ("enumerator", {"enumerator"}, {"enumerator"}),
    ("function", {"function", "method", "constructor", "destructor", "operator"}, {"function", "prototype"}),
    ("field", {"field"}, {"member"}),
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
C_FAMILY = {"c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp", "txx"}
EXTENSIONS = {
    "python": {"py", "pyi", "pyw"},
    "go": {"go"},
    "java": {"java"},
    "typescript": {"ts", "mts", "cts"},
    "typescript:tsx": {"tsx"},
    "javascript": {"js", "jsx", "mjs", "cjs"},
    "rust": {"rs"},
    "c": C_FAMILY,
    "cpp": C_FAMILY,
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
    """The files, as {path: (language, state)}, and declarations, as (path, kind, name, whether it has a body),
    that Rift has of a tree."""
    output = subprocess.run([binary, root], check=True, stdout=subprocess.PIPE, text=True).stdout
    files, declarations = {}, []
    for line in output.splitlines():
        mark, *fields = line.split("\t")
        if mark == "F":
            files[fields[0]] = (fields[1], fields[2])
        else:
            declarations.append((*fields[:3], fields[4] == "body"))
    return files, declarations


def listed(command, paths):
    """Declarations printed as `path kind name line` by a command that reads paths from its standard input, and the paths
    that it names on standard error, `path: why`."""
    asked = "".join(path + "\n" for path in paths)
    done = subprocess.run(command, input=asked, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wanted = set(paths)
    problems = {line.split(":")[0] for line in done.stderr.splitlines()} & wanted
    declarations = (tuple(line.split("\t")[:3]) for line in done.stdout.splitlines())
    return [d for d in declarations if d[0] in wanted], problems


def ctags(root, language, paths):
    """What ctags tags, but the macros, which it takes from one branch of a condition only: these from their lines.

    Left out are the names it makes itself (`__anon…`), and what it takes for a variable or prototype in a function."""
    name = {"cpp": "C++", "c": "C"}[language]
    command = ["ctags", "--output-format=json", f"--language-force={name}", f"--kinds-{name}=+px-d", "-f", "-", "-L", "-"]
    done = subprocess.run(command, cwd=root, input="\n".join(paths) + "\n", check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    tags = [json.loads(line) for line in done.stdout.splitlines()]
    tags = [t for t in tags if t["_type"] == "tag" and not t["name"].startswith("__anon")]
    local = {"variable", "externvar", "prototype"}
    tags = [t for t in tags if t.get("scopeKind") != "function" or t["kind"] not in local]
    macros, _ = listed([sys.executable, str(COUNTERS / "c_defines.py"), str(root)], paths)
    return [(t["path"], t["kind"], t["name"]) for t in tags] + macros, set()


def as_ctags(declaration):
    """A declaration of C or C++ under the name that ctags gives it, or None where it gives none."""
    path, kind, name, body = declaration
    if kind == "namespace" and name == "(anonymous)":
        return None
    # A type named before it is defined.
    if kind in ("struct", "union", "class", "enum") and not body:
        return None
    if not name.startswith("operator"):
        name = name.split("<")[0]
    return path, kind, name.replace(" ", "") if name.startswith("operator") else name, body


def typescript(root, paths):
    """The compiler's list, over the whole folder."""
    extensions = sorted({"." + p.rsplit(".", 1)[1] for p in paths})
    compiler = CACHE / "typescript" / "node_modules" / "typescript"
    command = ["node", COUNTERS / "ts_counts.mjs", root, *extensions, "--list", "--with-dts", f"--typescript={compiler}"]
    return listed([str(part) for part in command], paths)


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
    counted = ((path, group_of.get(kind), name) for path, kind, name, *_ in declarations)
    return collections.Counter(entry for entry in counted if entry[1])


def percent(ours, theirs):
    return f"{(ours - theirs) / theirs * 100:+.2f}" if theirs else ("0.00" if ours == 0 else "-")


def git_files(root):
    """The files that git would take into a new repository: its own reading of the tree's .gitignore files."""
    with tempfile.TemporaryDirectory() as repository:
        subprocess.run(["git", "init", "--quiet", "--bare", repository], check=True)
        command = ["git", f"--git-dir={repository}", f"--work-tree={root}", "-c", "core.excludesFile=/dev/null"]
        command += ["ls-files", "-z", "--others", "--exclude-standard"]
        output = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [path for path in output.split("\0") if path and not (root / path).is_symlink()]


def compare_files(corpus, root, files):
    there = git_files(root)
    missing = collections.Counter(pathlib.PurePath(path).suffix.lower() for path in set(there) - set(files))
    print(f"| {corpus} | any | files | {len(files)} | {len(there)} | {percent(len(files), len(there))} | git |")
    print(f"    only git, by extension: {dict(sorted(missing.items()))}; only rift: {len(set(files) - set(there))}", file=sys.stderr)
    return there


def compare(corpus, root, language, there, files, declarations, examples):
    oracle, groups = LANGUAGES[language]
    there = [p for p in there if p.rsplit(".", 1)[-1].lower() in EXTENSIONS[language]]
    ours = sorted(p for p, (l, _) in files.items() if l == language)
    parsed = {p for p in ours if files[p][1] == "parsed"}
    # A header is C or C++ by its text: what Rift took for the one is not looked for as the other.
    twin = {"c": "cpp", "cpp": "c"}.get(language)
    found = len([p for p in there if p not in files or files[p][0] != twin])
    theirs, problems = other(oracle, root, language, sorted(parsed))
    what = f"files ({len(parsed)} parsed" + (f", {len(problems)} with errors for {oracle})" if problems else ")")
    print(f"| {corpus} | {language} | {what} | {len(ours)} | {found} | {percent(len(ours), found)} | git |")
    mine = [d for d in declarations if d[0] in parsed - problems]
    if oracle == "ctags":
        mine = [known for d in mine if (known := as_ctags(d))]
        theirs = [(path, kind, name.replace("operator ", "operator")) for path, kind, name in theirs]
    mine = tally(mine, groups, 1)
    theirs = tally((d for d in theirs if d[0] not in problems), groups, 2)
    for group, *_ in groups:
        a = sum(n for key, n in mine.items() if key[1] == group)
        b = sum(n for key, n in theirs.items() if key[1] == group)
        if a or b:
            print(f"| {corpus} | {language} | {group} | {a} | {b} | {percent(a, b)} | {oracle} |", flush=True)
        for title, entries in (("only rift", mine - theirs), (f"only {oracle}", theirs - mine)):
            total = sum(n for key, n in entries.items() if key[1] == group)
            entries = sorted(key for key in entries if key[1] == group)
            if examples and entries:
                print(f"    {title}: {group}, {total} in all", file=sys.stderr)
            for path, _, name in entries[:examples]:
                print(f"    {title}: {group} {name} in {path}", file=sys.stderr)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpora", nargs="*", default=list(CORPORA))
    arguments.add_argument("--examples", type=int, default=0)
    arguments.add_argument("--declarations", type=pathlib.Path)
    options = arguments.parse_args()
    binary = options.declarations or build("declarations")[0]
    print("| corpus | language | what | rift | other | difference % | other is |\n|---|---|---|---|---|---|---|")
    for corpus, root in corpora(*options.corpora).items():
        files, declarations = rift(binary, root)
        there = compare_files(corpus, root, files)
        for language in CORPORA[corpus]:
            compare(corpus, root, language, there, files, declarations, options.examples)


if __name__ == "__main__":
    main()

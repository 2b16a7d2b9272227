#!/usr/bin/env python3
"""Patterns against ripgrep: the same matches, and how long each takes.

    tests/bench/patterns.py equal [CORPUS ...]   every pattern of patterns.txt over five code bases: the set of (path, line, byte
                                                 range) that `search` answers equals ripgrep's, less the files that Rift leaves out
    tests/bench/patterns.py speed [CORPUS]       the patterns that few files match, and those without a literal, over the large
                                                 tree: the answer of a running server and ripgrep's whole process, in turn
    tests/bench/patterns.py size [CORPUS]        what the index takes on disk, against the text

A corpus is copied, since a server keeps its files in the tree. Exits with 1 when a pattern differs or a bound is missed.
"""

import argparse
import base64
import json
import os
import re
import statistics
import subprocess
import sys
import time

from measure import CACHE, HERE, Server, Tree, build, machine, percentile, server_of

RG = os.environ.get("RIFT_TEST_RIPGREP") or CACHE / "ripgrep" / "bin" / "rg"
RG_ARGUMENTS = ["--no-config", "--hidden", "--no-require-git", "--no-ignore-global", "--no-ignore-parent", "--no-ignore-dot"]
BASES = ["django", "golang-github-docker-docker-dev", "rxjs", "tantivy", "librocksdb-sys"]
RESULTS_MAX = 1000
# So that the bounds on one search are not what is compared. Matches of one file stay below the bound of an answer.
CONFIGURATION = """[search]
pattern_compiled_size = "64mb"
pattern_candidate_rows = 1000000
pattern_verified_size = "4gb"
pattern_matches_per_file = 100000
[source]
files = 1000000
workspace_size = "8gb"
"""
SELECTIVE_FILES = 50
ROUNDS = 5
# What is asked for.
FASTER_LEAST = 20
SCAN_MOST = 1.3


def patterns():
    """The patterns of patterns.txt; lines that begin with `## ` are headings."""
    lines = (HERE / "patterns.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("## ")]


def crosses_lines(pattern):
    """Whether a pattern spells a line feed outside brackets."""
    outside = re.sub(r"\[(?:\\.|[^\]\\])*\]", "", pattern)
    return re.search(r"(?<!\\)(?:\\\\)*\\n", outside) is not None


def ripgrep(root, pattern, *arguments):
    command = [RG, *RG_ARGUMENTS, *arguments, *(["-U"] if crosses_lines(pattern) else []), "-e", pattern, "."]
    return subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


MATCH = b'{"type":"match","data":{"path":{"text":"'


def expected(root, pattern, last=None):
    """What ripgrep finds: (path, line, start, end), in order; in files up to `last` where that is stated, since what a short
    pattern finds fills memory."""
    command = [RG, *RG_ARGUMENTS, "--json", *(["-U"] if crosses_lines(pattern) else []), "-e", pattern, "."]
    found = []
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        for line in process.stdout:
            if not line.startswith(MATCH):
                continue
            path = json.loads(line[len(MATCH) - 1:line.index(b'"}', len(MATCH)) + 1]).removeprefix("./")
            if hidden(path) or last is not None and path.encode() > last.encode():
                continue
            data = json.loads(line)["data"]
            lines = data["lines"]
            text = lines["text"].encode() if "text" in lines else base64.b64decode(lines["bytes"])
            for part in data["submatches"]:
                start, offset = part["start"], data["absolute_offset"]
                found.append((path, data["line_number"] + text[:start].count(b"\n"), offset + start, offset + part["end"]))
        if process.wait() > 1:
            sys.exit(f"rg {pattern!r} failed")
    return sorted(found, key=lambda m: (m[0].encode(), m[2], m[3]))


def hidden(path):
    """Folders that Rift never shows: its own, git's, and `target` where Cargo made it."""
    parts = path.split("/")
    return ".git" in parts or ".rift" in parts


def answered(server, pattern):
    result = server.ask("tools/call", {
        "name": "search",
        "arguments": {"pattern": pattern, "target": "file", "limit": 10000, "paths": {"include": ["**"]}},
    })
    if result.get("isError"):
        sys.exit(f"{pattern!r}: {result['content'][0]['text']}")
    answer = result["structuredContent"]
    found = [(h["path"], h["line"], h["range"]["start"], h["range"]["end"]) for h in answer["results"]]
    return found, {w["code"] for w in answer.get("warnings", [])}


def left_out_counts(rift, root):
    """How many files are left out, by reason."""
    report = json.loads(subprocess.run([rift, "doctor", "--json", "--root", root], stdout=subprocess.PIPE).stdout)
    return {entry["reason"]: entry["count"] for entry in report["source"]["left_out"]}


def holds(server, path):
    """Whether the text of one file is searched: whether its first line is found."""
    result = server.ask("tools/call", {
        "name": "search",
        "arguments": {"pattern": "^", "target": "file", "limit": 1, "paths": {"include": [escaped(path)]}},
    })
    return bool(result["structuredContent"]["results"])


def escaped(path):
    return re.sub(r"([*?\[\]{}\\!])", r"[\1]", path)


def equal(rift, names, asked):
    print(f"{len(asked)} patterns; {machine()}\n\n| corpus | files | matches compared | at the bound | left out | different |")
    print("|---|---|---|---|---|---|", flush=True)
    wrong = 0
    for name in names:
        with Tree(name) as root:
            (root / "rift.toml").write_text(CONFIGURATION)
            with Server(rift, root, "--output", "all") as server:
                server.wait_prepared()
                left_out = {}
                compared, bounded, different = 0, 0, []
                for pattern in asked:
                    found, codes = answered(server, pattern)
                    full = len(found) >= RESULTS_MAX
                    wanted = expected(root, pattern, found[-1][0] if full else None)
                    # A file that gave nothing is left out, or it is what is looked for here.
                    for path in sorted({m[0] for m in wanted} - {m[0] for m in found}):
                        if path not in left_out:
                            left_out[path] = not holds(server, path)
                    wanted = [m for m in wanted if not left_out.get(m[0])]
                    if full:
                        wanted = wanted[:RESULTS_MAX]
                        bounded += 1
                    compared += len(wanted)
                    if found != wanted or codes & {"pattern_index_preparing", "local_index_preparing", "stale_index"}:
                        different.append((pattern, sorted(set(wanted) - set(found))[:3], sorted(set(found) - set(wanted))[:3], codes))
                counts = left_out_counts(rift, root)
                named = sum(1 for gone in left_out.values() if gone)
                files = sum(len(files) for _, _, files in os.walk(root))
                print(f"| {name} | {files} | {compared} | {bounded} | {named} | {len(different)} |", flush=True)
                allowed = sum(counts.values())
                if named > allowed:
                    sys.exit(f"{named} files gave nothing, {allowed} are named as left out: {counts}")
                for pattern, missing, surplus, codes in different:
                    print(f"  {pattern!r}: missing {missing}, too many {surplus}, {codes}", file=sys.stderr)
                wrong += len(different)
    return wrong


def speed(rift, name, asked):
    with Tree(name) as root:
        (root / "rift.toml").write_text(CONFIGURATION)
        files = sum(len(files) for _, _, files in os.walk(root))
        with Server(rift, root) as server:
            server.wait_prepared()
            wait_filled(server)
            selective, scans, rest = [], [], []
            for pattern in asked:
                done = ripgrep(root, pattern, "--files-with-matches")
                matching = len(done.stdout.splitlines())
                kind = scans if literal_free(pattern) else selective if matching <= SELECTIVE_FILES else rest
                kind.append((pattern, matching))
            print(f"{files} files; {machine()}\n")
            print("| patterns | number | rift median ms | rift p99 ms | rg median ms | median of rg / rift | least |\n|---|---|---|---|---|---|---|")
            missed = report("at most 50 files match", root, server, selective, lambda ratio: ratio >= FASTER_LEAST)
            missed += report("no literal", root, server, scans, lambda ratio: ratio >= 1 / SCAN_MOST)
            report("more files match", root, server, rest, lambda ratio: True)
    return missed


def literal_free(pattern):
    """Whether no three bytes stand in every match, as the headings of patterns.txt say."""
    text = (HERE / "patterns.txt").read_text("utf-8")
    return pattern in text.split("## no literal", 1)[1].split("\n## ", 1)[0].splitlines()


def report(name, root, server, asked, holds):
    ours, theirs, ratios = [], [], []
    for pattern, _ in asked:
        rift_times, rg_times = [], []
        for _ in range(ROUNDS):
            elapsed, text = server.timed("search", {"pattern": pattern, "target": "file", "limit": 20})
            if text.startswith("1 error"):
                sys.exit(f"{pattern!r}: {text}")
            rift_times.append(elapsed)
            start = time.perf_counter()
            ripgrep(root, pattern)
            rg_times.append((time.perf_counter() - start) * 1000)
        mine, other = statistics.median(rift_times), statistics.median(rg_times)
        ours.append(mine)
        theirs.append(other)
        ratios.append((other / mine, pattern))
    if not ratios:
        return 0
    ratio = statistics.median(ratio for ratio, _ in ratios)
    least = min(ratios)
    verdict = "" if holds(ratio) else " MISSED"
    print(
        f"| {name} | {len(asked)} | {statistics.median(ours):.2f} | {percentile(ours, 0.99):.2f} | {statistics.median(theirs):.1f} "
        f"| {ratio:.2f}{verdict} | {least[0]:.2f} `{least[1]}` |",
        flush=True,
    )
    return bool(verdict)


def wait_filled(server):
    """Waits until the server has written the rows of every file: until its trigram index grows no more."""
    before = None
    while (now := server_of(server.root).cpu()) != before:
        before = now
        time.sleep(1)


def size(rift, name):
    with Tree(name) as root:
        text = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
        with Server(rift, root) as server:
            server.wait_prepared()
            prepared = server_of(root).cpu()
            wait_filled(server)
            filled = server_of(root).cpu()
            # Before the server goes, and the folder with it.
            of = lambda part: sum(p.stat().st_size for p in (root / ".rift" / part).rglob("*") if p.is_file())
            report = json.loads(subprocess.run([rift, "doctor", "--json", "--root", root], stdout=subprocess.PIPE).stdout)
            index, trigrams = of("index"), of("trigrams")
        seen = report["source"]["files"]["bytes"]
        print(f"{name}: {seen / 1e6:.1f} MB of visible files ({text / 1e6:.1f} MB in all)")
        print(f"index {index / 1e6:.1f} MB ({index / seen:.3f}), trigrams {trigrams / 1e6:.1f} MB ({trigrams / seen:.3f}), "
              f"together {(index + trigrams) / seen:.3f}; CPU s {prepared:.2f} when prepared, {filled:.2f} when filled")
    return (index + trigrams) / seen > 0.75


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["equal", "speed", "size"])
    arguments.add_argument("corpora", nargs="*")
    arguments.add_argument("--every", type=int, default=1, help="of the patterns each so-manieth alone")
    arguments.add_argument("--rift", help="a binary in place of one that is built")
    options = arguments.parse_args()
    asked = patterns()[::options.every]
    rift = options.rift or build("rift")[0]
    if options.what == "equal":
        sys.exit(equal(rift, options.corpora or BASES, asked) > 0)
    name = (options.corpora or ["large"])[0]
    sys.exit(bool(speed(rift, name, asked) if options.what == "speed" else size(rift, name)))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""From an edit to the right answer, through proxy and server: a function with a new name is written into a file, then the
name is searched for until the answer has it. The time runs from before the write to the end of the right answer.

    tests/bench/edit.py [--edits 300] [TREE…]

A tree is a corpus of corpora.sh, or `large`: all of them side by side. Each is copied first.
"""

import argparse
import random
import statistics
import sys
import time

from measure import Server, Tree, build, machine, percentile, server_of

SEED = 20261130
MEDIAN_MOST, P99_MOST, APART_MOST = 8, 40, 1.5
FUNCTION = {".py": "\ndef {0}():\n    return 1\n", ".java": "\nclass {0} {{}}\n"}


def edit(server, path, text, name):
    """One edit; the milliseconds until an answer has it, and how many answers had it not."""
    addition = FUNCTION[path.suffix].format(name).encode()
    start = time.perf_counter()
    with open(path, "wb") as file:
        file.write(text + addition)
    behind = 0
    while True:
        answer = server.call("search", {"query": name, "target": "symbol", "limit": 1})
        if f"/{name}" in answer:
            return (time.perf_counter() - start) * 1000, behind
        if "stale_index" not in answer:
            sys.exit(f"the edit of {path} is not in an answer that claims to be complete:\n{answer}")
        behind += 1


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("trees", nargs="*", default=["django", "large"])
    arguments.add_argument("--edits", type=int, default=300)
    options = arguments.parse_args()
    (rift,) = build("rift")
    print(f"{machine()}; {options.edits} edits\n")
    print("| tree | files | median ms | p99 ms | most ms | stale answers | CPU ms an edit | |\n|---|---|---|---|---|---|---|---|")
    medians = []
    for name in options.trees:
        with Tree(name) as root, Server(rift, root) as server:
            server.wait_prepared()
            chance = random.Random(SEED)
            files = sorted(p for p in root.rglob("*") if p.suffix in FUNCTION and p.is_file() and 200 < p.stat().st_size < 60_000)
            files = chance.sample(files, min(len(files), 200))
            texts = {path: path.read_bytes() for path in files}
            edit(server, files[0], texts[files[0]], "firstEditOfAll")
            used = server_of(root).cpu()
            times, behind = [], 0
            for number in range(options.edits):
                path = files[number % len(files)]
                elapsed, stale = edit(server, path, texts[path], f"editMarker{number}x")
                times.append(elapsed)
                behind += stale
            used = (server_of(root).cpu() - used) * 1000 / options.edits
            total = sum(1 for p in root.rglob("*") if p.is_file())
        medians.append(statistics.median(times))
        p99 = percentile(times, 0.99)
        held = medians[-1] <= MEDIAN_MOST and p99 <= P99_MOST
        print(f"| {name} | {total} | {medians[-1]:.2f} | {p99:.2f} | {max(times):.2f} | {behind} | {used:.1f} | {'ok' if held else 'OVER'} |", flush=True)
    if len(medians) > 1:
        apart = max(medians) / min(medians)
        print(f"\nmedians are within {apart:.2f} times of each other, at most {APART_MOST}: {'ok' if apart <= APART_MOST else 'OVER'}")


if __name__ == "__main__":
    main()

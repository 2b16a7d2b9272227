#!/usr/bin/env python3
"""Latency of `rift mcp` as a client sees it: `initialize` from process start, then 1,000 questions for each tool in a
prepared process, drawn from the corpus with a fixed seed.

    tests/bench/latency.py [--questions 1000] [CORPUS]
"""

import argparse
import random
import re
import statistics
import sys

from measure import Server, build, corpora, machine

SEED = 20261130
STARTS = 20
DEFINITION = re.compile(r"^\s*(?:def|class)\s+(\w+)", re.M)
WORD = re.compile(r"[a-z]{4,}")
SYMBOL = re.compile(r"rift://symbol/\S+")


def sample(root):
    """Python files with their text, and the names they define, in a fixed order."""
    files = sorted(path for path in root.rglob("*.py") if 200 < path.stat().st_size < 200_000)
    texts = {path.relative_to(root).as_posix(): path.read_text("utf-8", "ignore") for path in files}
    return texts, sorted({name for text in texts.values() for name in DEFINITION.findall(text) if len(name) > 3})


def searches(random, texts, names, count):
    """A third identifiers, a third their words, a third words that stand together in some file."""
    paths = list(texts)
    for number in range(count):
        if number % 3 == 0:
            yield {"query": random.choice(names)}
        elif number % 3 == 1:
            yield {"query": " ".join(re.findall(r"[A-Z]?[a-z0-9]+", random.choice(names))) or "query"}
        else:
            words = WORD.findall(texts[random.choice(paths)]) or ["settings"]
            start = random.randrange(len(words))
            yield {"query": " ".join(words[start:start + 3])}


def sources(random, texts, count):
    """Whole units and ranges, half and half."""
    paths = list(texts)
    for number in range(count):
        path = random.choice(paths)
        question = {"unit": f"rift://source/project/{path}"}
        if number % 2 and texts[path].isascii():
            start = random.randrange(len(texts[path]))
            question["range"] = {"start": start, "end": min(start + 2000, len(texts[path]))}
        yield question


def positions(random, texts, paths, count):
    for _ in range(count):
        path = random.choice(paths)
        yield {"path": path, "position": random.randrange(len(texts[path].encode()))}


def report(name, times, median_most, p99_most=None):
    times = sorted(times)
    p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
    middle = statistics.median(times)
    over = middle > median_most or (p99_most is not None and p99 > p99_most)
    most = f"median {median_most}" + (f", p99 {p99_most}" if p99_most else "")
    print(f"| {name} | {len(times)} | {middle:.2f} | {p99:.2f} | {times[-1]:.2f} | {most} | {'OVER' if over else 'ok'} |", flush=True)


def ask(server, tool, questions):
    times, texts = [], []
    for question in questions:
        elapsed, text = server.timed(tool, question)
        if text.startswith("1 error"):
            sys.exit(f"{tool} {question}: {text}")
        times.append(elapsed)
        texts.append(text)
    return times, texts


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", nargs="?", default="django")
    arguments.add_argument("--questions", type=int, default=1000)
    options = arguments.parse_args()
    (rift,) = build("rift")
    (root,) = corpora(options.corpus).values()
    print(f"{machine()}; {options.corpus}\n")
    print("| question | asked | median ms | p99 ms | most ms | at most | |\n|---|---|---|---|---|---|---|")

    starts = []
    for _ in range(STARTS):
        with Server(rift, root) as server:
            starts.append(server.initialized * 1000)
    report("initialize, from process start", starts, 200, 200)

    chance = random.Random(SEED)
    texts, names = sample(root)
    with Server(rift, root) as server:
        prepared = server.wait_prepared()
        times, answers = ask(server, "search", searches(chance, texts, names, options.questions))
        report("search", times, 5, 20)
        known = sorted({id for answer in answers for id in SYMBOL.findall(answer)})
        if not known:
            sys.exit("no search answered a symbol")
        ids = [{"id": chance.choice(known)} for _ in range(options.questions)]
        report("get_symbol", ask(server, "get_symbol", ids)[0], 1)
        report("get_source", ask(server, "get_source", sources(chance, texts, options.questions))[0], 1)
        paths = list(texts)
        report("nodes, any file", ask(server, "nodes", positions(chance, texts, paths, options.questions))[0], 5)
        few = chance.sample(paths, 8)
        ask(server, "nodes", ({"path": path, "position": 0} for path in few))
        report("nodes, of 8 files just read", ask(server, "nodes", positions(chance, texts, few, options.questions))[0], 1)
    print(f"\nprepared {prepared:.1f} s after process start; {len(known)} different symbols were answered")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Search quality: annotated questions about public repositories, asked over MCP as an agent asks them.

    tests/bench/quality.py [--rift PATH] [--repo NAME ...] [--worst N] [--vectors MODEL] QUESTIONS CHECKOUTS

QUESTIONS is a JSON list with one entry for each repository: `repo`, `language`, `revision`, `root` (the folder that is
searched) and `questions`, each with `query`, `category`, and the targets that answer it, `relevant` and `secondary`: paths, or
objects with `path`, `start_line` and `end_line`. CHECKOUTS holds a git checkout of each repository by its name.

A question is asked with target `all`, ten hits and `include: ["source"]`. A hit finds a target when the paths are the same and,
where the target has lines, the lines overlap. NDCG@10 and recall@10 are means over questions, and over the means of
repositories. With --vectors, the model in that directory ranks as well; its build of Rift has the feature `vectors`. The
questions of a repository are numbered from 1: the odd ones were used to tune ranking, the even
ones are held back from it.
"""

import argparse
import contextlib
import json
import math
import pathlib
import statistics
import subprocess
import sys
import time

from measure import Server, build, percentile

SERVED = {"c", "cpp", "go", "java", "javascript", "python", "rust", "typescript"}
HITS = 10


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rift", type=pathlib.Path)
    parser.add_argument("--repo", action="append", help="only this repository; may be repeated")
    parser.add_argument("--worst", type=int, default=0, help="show so many of the tuned questions with the lowest values")
    parser.add_argument("--vectors", type=pathlib.Path, help="rank with the model2vec model in this directory as well")
    parser.add_argument("questions", type=pathlib.Path)
    parser.add_argument("checkouts", type=pathlib.Path)
    arguments = parser.parse_args()
    rift = arguments.rift or build("rift")[0]
    configuration = None
    if arguments.vectors:
        model = json.dumps(str(arguments.vectors.resolve()))
        configuration = f'source.exclude = ["rift.toml"]\nsearch.vector.embedding = {{ kind = "directory", model = {model} }}\n'
    rows, others = [], []
    for entry in json.loads(arguments.questions.read_text()):
        checkout = arguments.checkouts / entry["repo"]
        if arguments.repo and entry["repo"] not in arguments.repo:
            continue
        if not (checkout / entry["root"]).is_dir():
            print(f"{entry['repo']}: no checkout with the folder {entry['root']}, left out", file=sys.stderr)
            continue
        head = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
        if head != entry["revision"]:
            others.append(f"{entry['repo']} {head[:8]}")
        with configured((checkout / entry["root"]).resolve(), configuration) as root:
            rows += asked(rift, root, entry)
    if not rows:
        sys.exit("nothing was asked")
    report(rows)
    if others:
        print("at another revision than stated: " + ", ".join(others))
    tuned = sorted((row for row in rows if not row["held"]), key=lambda row: row["ndcg"])
    for row in tuned[: arguments.worst]:
        print(f"{row['ndcg']:.3f} {row['repo']}: {row['query']}\n    wanted {row['wanted']}\n    found {row['found']}")


@contextlib.contextmanager
def configured(root, configuration):
    """The root with this rift.toml while it is searched."""
    path = root / "rift.toml"
    if configuration is not None:
        path.open("x").write(configuration)
    try:
        yield root
    finally:
        if configuration is not None:
            path.unlink()


def asked(rift, root, entry):
    """Asks the questions of one repository; a row for each."""
    with Server(rift, root, "--output", "all") as server:
        server.wait_prepared()
        wait_committed(server)
        for number, question in enumerate(entry["questions"], 1):
            start = time.perf_counter()
            answer = server.ask("tools/call", {"name": "search", "arguments": query(question["query"])})
            elapsed = (time.perf_counter() - start) * 1000
            hits = answer["structuredContent"]["results"]
            targets = [target(t) for t in question.get("relevant", []) + question.get("secondary", [])]
            ranks = [next((at for at, hit in enumerate(hits, 1) if finds(root, hit, t)), None) for t in targets]
            found = [rank for rank in ranks if rank]
            yield {
                "repo": entry["repo"],
                "language": entry["language"],
                "category": question.get("category") or ("semantic" if " " in question["query"].strip() else "symbol"),
                "query": question["query"],
                "held": number % 2 == 0,
                "ndcg": ndcg(found, len(targets)),
                "recall": len(found) / len(targets),
                "tokens": sum(len(part.get("text", "")) for part in answer["content"]) // 4,
                "ms": elapsed,
                "wanted": [t["path"] for t in targets],
                "found": list(dict.fromkeys(hit.get("path") for hit in hits)),
            }


def query(text):
    return {"query": text, "target": "all", "limit": HITS, "include": ["source"]}


def wait_committed(server):
    """Asks until no answer is qualified by what is still being prepared."""
    preparing = {"local_index_preparing", "lexical_ranking_unavailable", "vector_index_preparing"}
    while True:
        answer = server.ask("tools/call", {"name": "search", "arguments": query("preparation")})
        codes = {warning["code"] for warning in answer["structuredContent"].get("warnings", [])}
        if "vector_ranking_unavailable" in codes:
            sys.exit(str(answer["structuredContent"]["warnings"]))
        if not codes & preparing:
            return
        time.sleep(0.1)


def target(stated):
    return {"path": stated} if isinstance(stated, str) else stated


def finds(root, hit, wanted):
    path = hit.get("path", "")
    # Paths of targets begin at the repository, those of hits at the folder that is searched.
    if not (path == wanted["path"] or ("/" + wanted["path"]).endswith("/" + path)):
        return False
    if wanted.get("start_line") is None:
        return True
    data = (root / path).read_bytes()
    start, end = hit["range"]["start"], max(hit["range"]["start"], hit["range"]["end"] - 1)
    first, last = data.count(b"\n", 0, start) + 1, data.count(b"\n", 0, end) + 1
    return first <= int(wanted["end_line"]) and last >= int(wanted["start_line"])


def ndcg(ranks, targets):
    """Discounted gain of the ranks of the targets found, against that of a page that begins with all of them."""
    gain = lambda ranks: sum(1 / math.log2(rank + 1) for rank in ranks)
    return gain(set(ranks)) / gain(range(1, min(HITS, targets) + 1)) if targets else 0.0


def report(rows):
    print(f"{'':<28} {'n':>4} {'ndcg@10':>8} {'tuned':>6} {'held':>6} {'recall@10':>9} {'tokens':>6} {'ms p50':>7} {'p99':>6}")
    for key in ("repo", "language", "category"):
        for value in sorted({row[key] for row in rows}):
            line(f"{key}: {value}", [row for row in rows if row[key] == value])
    line("all questions", rows)
    for name, of in (("mean of repositories", rows), ("of served languages", [r for r in rows if r["language"] in SERVED])):
        if of:
            line(name, of, by_repository=True)


def line(name, rows, by_repository=False):
    def mean(field, rows):
        if not rows:
            return float("nan")
        if not by_repository:
            return statistics.mean(row[field] for row in rows)
        names = sorted({row["repo"] for row in rows})
        return statistics.mean(statistics.mean(row[field] for row in rows if row["repo"] == name) for name in names)

    tuned, held = ([row for row in rows if row["held"] is side] for side in (False, True))
    times = [row["ms"] for row in rows]
    print(
        f"{name:<28} {len(rows):>4} {mean('ndcg', rows):>8.3f} {mean('ndcg', tuned):>6.3f} {mean('ndcg', held):>6.3f} "
        f"{mean('recall', rows):>9.3f} {int(statistics.median(row['tokens'] for row in rows)):>6} "
        f"{statistics.median(times):>7.1f} {percentile(times, 0.99):>6.1f}"
    )


if __name__ == "__main__":
    main()

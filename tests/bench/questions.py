#!/usr/bin/env python3
"""Questions about real code whose answers were read off the source by hand, put to `rift mcp`.

    tests/bench/questions.py [--rift PATH] [--only TEXT] [CORPUS ...]

Each file of tests/bench/questions holds the questions of one corpus: what is asked, the tool, its arguments, and what
the source says. Only what an expectation names is compared. Exit status 1 when an answer differs.

Expectations: `hit_within` (one of the first hits has the given path, line and symbol); for a symbol its outcome, kind,
visibility, container, facets (at least these), signature and first line of documentation (of any), lines of its
declarations in any order (`lines_start`: the first ones) or their number; for nodes the kinds in order from the outside, the symbols, and
the text of the innermost; for the map the files of a language (`c+cpp` adds two), the number of entry points and some of them.
"""

import argparse
import json
import pathlib
import sys

from measure import Server, build, corpora

FOLDER = pathlib.Path(__file__).resolve().parent / "questions"


def search(answer, expect):
    hits = [place(result) for result in answer.get("results", [])[: expect["hit_within"]]]
    wanted = {key: expect[key] for key in ("path", "line", "symbol") if key in expect}
    if not any(all(hit.get(key) == value for key, value in wanted.items()) for hit in hits):
        yield f"{wanted} is not among {[(h['path'], h['line'], h['symbol']) for h in hits]}"


def place(result):
    symbol = result["hit"].get("symbol", {})
    return {"path": result.get("path"), "line": result.get("line"), "symbol": symbol.get("id")}


def get_symbol(answer, expect):
    yield from differ("outcome", answer.get("outcome"), expect["outcome"])
    symbol, declarations = answer.get("symbol", {}), answer.get("declarations", [])
    for key in ("kind", "visibility", "container"):
        if key in expect:
            yield from differ(key, symbol.get(key), expect[key])
    missing = set(expect.get("facets", [])) - set(symbol.get("facets", []))
    if missing:
        yield f"facets {sorted(missing)} are not among {symbol.get('facets')}"
    if "signature" in expect:
        shown = [signature["display"] for signature in symbol.get("signatures", [])]
        if expect["signature"] not in shown:
            yield f"signature {expect['signature']!r} is not among {shown}"
    if "documentation_first" in expect:
        shown = [block["text"].split("\n")[0] for block in symbol.get("documentation", [])]
        if expect["documentation_first"] not in shown:
            yield f"documentation {expect['documentation_first']!r} does not begin any of {shown}"
    lines = [declaration["line"] for declaration in declarations]
    if "lines" in expect:
        yield from differ("lines", sorted(lines), sorted(expect["lines"]))
    if "lines_start" in expect:
        yield from differ("first lines", lines[: len(expect["lines_start"])], expect["lines_start"])
    if "declarations" in expect:
        yield from differ("number of declarations", len(lines), expect["declarations"])


def nodes(answer, expect):
    kinds = iter(node["kind"].split(".")[-1] for node in answer.get("nodes", []))
    if not all(kind in kinds for kind in expect["kinds"]):
        yield f"kinds {expect['kinds']} are not in order in {[node['kind'] for node in answer.get('nodes', [])]}"
    source = answer.get("source") or [{"text": None}]
    yield from differ("innermost text", source[-1]["text"], expect["innermost"])
    if "symbols" in expect:
        shown = [node["symbol"] for node in answer.get("nodes", []) if "symbol" in node]
        yield from differ("symbols", shown, expect["symbols"])


def workspace_map(answer, expect):
    files = {language["language"]: language["files"] for language in answer.get("languages", [])}
    for name, count in expect.get("files", {}).items():
        yield from differ(f"files in {name}", sum(files.get(part, 0) for part in name.split("+")), count)
    entry_points = answer.get("entry_points", [])
    if "entry_points" in expect:
        yield from differ("number of entry points", len(entry_points), expect["entry_points"])
    missing = [id for id in expect.get("entry_points_include", []) if id not in entry_points]
    if missing:
        yield f"entry points {missing} are not among {entry_points}"


def differ(name, shown, wanted):
    if shown != wanted:
        yield f"{name}: {shown!r}, the source says {wanted!r}"


CHECKS = {"search": search, "get_symbol": get_symbol, "nodes": nodes, "map": workspace_map}


def ask(server, question):
    """What the answer to a question gets wrong."""
    if question["tool"] == "map":
        contents = server.ask("resources/read", {"uri": "rift://map"})["contents"]
        answer = json.loads(contents[0]["text"])
    else:
        reply = server.ask("tools/call", {"name": question["tool"], "arguments": question["arguments"]})
        answer = reply.get("structuredContent")
        if answer is None:
            return [reply["content"][0]["text"]]
    if any(warning["code"] == "local_index_preparing" for warning in answer.get("warnings", [])):
        return ["the index is still being prepared"]
    return list(CHECKS[question["tool"]](answer, question["expect"]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", nargs="*", help="corpora by name (default: every file of tests/bench/questions)")
    arguments.add_argument("--rift", help="a binary to ask, instead of building this workspace's")
    arguments.add_argument("--only", default="", help="questions whose title holds this text")
    options = arguments.parse_args()
    names = options.corpus or sorted(path.stem for path in FOLDER.glob("*.json"))
    rift = options.rift or build("rift")[0]
    total, right = 0, 0
    for name, root in corpora(*names).items():
        questions = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
        questions = [question for question in questions if options.only in question["ask"]]
        total += len(questions)
        before = right
        with Server(rift, root, "--output", "all") as server:
            server.wait_prepared()
            for question in questions:
                faults = ask(server, question)
                right += not faults
                print(f"{'FAIL' if faults else 'pass'}  {name}: {question['ask']}", flush=True)
                for fault in faults:
                    print(f"      {fault}")
        print(f"{name}: {right - before} of {len(questions)}", flush=True)
    print(f"total: {right} of {total}")
    if right < total or total == 0:
        sys.exit(1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Incoming references through proxy and server: of the map's hub with the fewest sites above 1,000, and of declarations drawn
with a fixed seed; first, repeated, and right after an edit of another file. Beside it brokk-bifrost answers
`scan_usages_by_location` for the same hub and for the first few of the same declarations.

    tests/bench/walks.py [--symbols 300] [--peers 8] [--without bifrost] [CORPUS]

`tests/bench/setup.sh` installs the peer.
"""

import argparse
import json
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import time

from measure import CACHE, Server, Tree, build, machine, percentile

SEED = 20261201
HUB_SITES_MIN, HUB_MOST, TYPICAL_MOST, TIMES_LEAST = 1000, 50, 5, 100
BIFROST = CACHE / "bifrost" / "bin" / "bifrost"
COMMENT = {".py": "# {0}\n", ".java": "// {0}\n", ".ts": "// {0}\n", ".js": "// {0}\n", ".rs": "// {0}\n", ".go": "// {0}\n"}


class Bifrost:
    """The peer as an MCP server over standard input and output."""

    def __init__(self, root):
        shutil.rmtree(root / ".bifrost", ignore_errors=True)
        self.process = subprocess.Popen(
            [BIFROST, "--root", root, "--mcp", "symbol"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={"BIFROST_SEMANTIC_PACK_DOWNLOAD": "off", "HOME": str(pathlib.Path.home()), "PATH": "/usr/bin:/bin"},
        )
        self.id = 0
        self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "rift-bench", "version": "0"},
        })
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.id += 1
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.id:
                return answer
        sys.exit("bifrost ended")

    def usages(self, path, line, column):
        start = time.perf_counter()
        answer = self.ask("tools/call", {"name": "scan_usages_by_location", "arguments": {
            "targets": [{"path": path, "line": line, "column": column}], "include_tests": True, "include_same_owner": True,
        }})
        if "error" in answer or answer["result"].get("isError"):
            sys.exit(f"bifrost: {answer}")
        return (time.perf_counter() - start) * 1000

    def wait(self):
        """Until the peer has read the workspace."""
        for _ in range(100):
            answer = self.ask("tools/call", {"name": "search_symbols", "arguments": {"patterns": ["HashMap"]}})
            if "error" not in answer and not answer["result"].get("isError"):
                return
            time.sleep(3)
        sys.exit(f"bifrost: {answer}")

    def close(self):
        self.process.kill()
        self.process.wait()


def incoming(server, id):
    """Milliseconds of a page of incoming references."""
    elapsed, text = server.timed("search", {"traversal": {"seed": id}, "target": "symbol"})
    if text.startswith("1 error") or "coverage_missing" in text:
        sys.exit(f"{id}: {text}")
    return elapsed


def hub(server):
    """The hub with the fewest references above the bound, once all are counted."""
    for _ in range(600):
        map = json.loads(server.ask("resources/read", {"uri": "rift://map"})["contents"][0]["text"])
        found = [hub for hub in map["hubs"] if hub["references"] >= HUB_SITES_MIN]
        if found and not any("coverage" in warning["code"] or "preparing" in warning["code"] for warning in map["warnings"]):
            return min(found, key=lambda hub: hub["references"])
        time.sleep(0.5)
    sys.exit("no hub has as many references")


def declarations(server, suffixes):
    """Declarations of the tree in files of these kinds, by identity, through pages of searches for one letter."""
    found = {}
    for word in "abcdefghijklmnopqrstuvwxyz":
        for page in range(4):
            answer = server.ask("tools/call", {"name": "search", "arguments": {
                "query": word, "target": "symbol", "order": "identity", "limit": 500, "page_index": page,
            }})["structuredContent"]
            for hit in answer["results"]:
                symbol = hit["hit"]["symbol"]
                if symbol.get("id") and pathlib.Path(hit["path"]).suffix in suffixes:
                    found[symbol["id"]] = (hit["path"], hit["range"], symbol["name"])
            if page + 1 >= answer["pagination"]["total_pages"]:
                break
    return found


def place(root, known, id):
    """Where a declaration spells its name: path, and line and column from 1."""
    path, span, name = known[id]
    text = (root / path).read_bytes()
    part = text[span["start"]:span["end"]].decode("utf-8", "ignore")
    word = re.search(rf"\b(?:def|class|function|const|let|fn|struct|func)\s+({re.escape(name)})\b", part)
    word = word or re.search(rf"\b({re.escape(name)})\b", part)
    before = text[: span["start"] + len(part[: word.start(1)].encode())].decode("utf-8", "ignore")
    return path, before.count("\n") + 1, len(before) - before.rfind("\n")


def touch(root, known, chance, times):
    """Adds a comment to a file that declares something."""
    path = root / known[chance.choice(sorted(known))][0]
    with open(path, "ab") as file:
        file.write(COMMENT[path.suffix].format(f"touched {times}").encode())


def row(who, what, times, most):
    middle = statistics.median(times)
    verdict = "" if most is None else "ok" if middle <= most else "OVER"
    print(f"| {who} | {what} | {len(times)} | {middle:.2f} | {percentile(times, 0.99):.2f} | {most or ''} | {verdict} |", flush=True)
    return middle


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", nargs="?", default="django")
    arguments.add_argument("--symbols", type=int, default=300)
    arguments.add_argument("--peers", type=int, default=8)
    arguments.add_argument("--without", action="append", default=[], help="a program to leave out")
    arguments.add_argument("--rift", help="a binary in place of one that is built")
    options = arguments.parse_args()
    rift = options.rift or build("rift")[0]
    with Tree(options.corpus) as root, Server(rift, root, "--output", "all") as server:
        server.wait_prepared()
        found = hub(server)
        known = declarations(server, COMMENT)
        chance = random.Random(SEED)
        drawn = chance.sample(sorted(id for id in known if id != found["symbol"]), options.symbols)
        print(f"{machine()}; {options.corpus}, hub {found['symbol']} with {found['references']} references\n")
        print("| program | question | asked | median ms | p99 ms | at most | |\n|---|---|---|---|---|---|---|")
        ours = {}
        row("rift", "hub, first", [incoming(server, found["symbol"])], None)
        ours["repeated"] = row("rift", "hub, repeated", [incoming(server, found["symbol"]) for _ in range(30)], HUB_MOST)
        first = [incoming(server, id) for id in drawn]
        row("rift", "drawn, first", first, TYPICAL_MOST)
        row("rift", "drawn, repeated", [incoming(server, id) for id in drawn], TYPICAL_MOST)
        edits, edited, hubs = [], [], []
        for number, id in enumerate(drawn[:60]):
            touch(root, known, chance, number)
            # What an edit costs is paid by the first read, whatever it asks.
            edits.append(server.timed("get_symbol", {"id": drawn[0]})[0])
            edited.append(incoming(server, id))
            if number % 4 == 0:
                touch(root, known, chance, number)
                hubs.append(incoming(server, found["symbol"]))
        row("rift", "the edit, with a get_symbol", edits, None)
        row("rift", "drawn, behind it", edited, TYPICAL_MOST)
        ours["hub edited"] = row("rift", "hub, with an edit elsewhere", hubs, HUB_MOST)
        if "bifrost" in options.without:
            return
        name = found["symbol"].rsplit("/", 1)[-1]
        of_name = server.ask("tools/call", {"name": "search", "arguments": {"query": name, "target": "symbol", "limit": 50}})
        for hit in of_name["structuredContent"]["results"]:
            known[hit["hit"]["symbol"].get("id")] = (hit["path"], hit["range"], hit["hit"]["symbol"]["name"])
        peer = Bifrost(root)
        peer.wait()
        place_of_hub = place(root, known, found["symbol"])
        theirs = {"first": row("bifrost", "hub, first", [peer.usages(*place_of_hub)], None)}
        theirs["repeated"] = row("bifrost", "hub, repeated", [peer.usages(*place_of_hub) for _ in range(5)], None)
        row("bifrost", "drawn, first", [peer.usages(*place(root, known, id)) for id in drawn[: options.peers]], None)
        row("bifrost", "drawn, repeated", [peer.usages(*place(root, known, id)) for id in drawn[: options.peers]], None)
        hubs = []
        for number in range(3):
            touch(root, known, chance, number)
            hubs.append(peer.usages(*place_of_hub))
        theirs["hub edited"] = row("bifrost", "hub, right after an edit elsewhere", hubs, None)
        peer.close()
        for what, least in [("repeated", 1), ("hub edited", TIMES_LEAST)]:
            times = theirs[what] / ours[what]
            print(f"\nhub, {what}: bifrost takes {times:.1f} times as long, at least {least}: {'ok' if times >= least else 'OVER'}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Incoming references against language servers: for declarations drawn at random with a fixed seed, the declarations that
refer to each, as Rift says and as the server says.

    tests/bench/references.py [--rift PATH] [--count 200] [--show N] [--json] [NAME[:SERVER] ...]

NAME is a code base of `references_trees.py`, fetched when absent (all of them by default), SERVER one of the servers that
can read it (its first by default); `tests/setup.sh` installs them. Declarations are drawn from the server's own list of
symbols. A location that the server gives is mapped to the innermost callable around it, else the innermost declaration, as
Rift maps its own; locations outside any declaration count for neither, nor does a declaration within itself.

Prints one row for each code base and group: declarations, the server's edges, Rift's proven edges, how many of them the
server is silent about, precision of the others, recall by proven edges alone, heuristic edges and their precision. Functions,
types, variables and constants are one group, methods and fields the other. `--show` prints so many disagreements of each
code base, with the line of a site.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import sys
import urllib.parse

from language_server import TYPES
from measure import Server, build, machine
from references_trees import BENCH, TREES

SEED = 20261201
COLUMNS = [
    "code base", "server", "group", "declarations", "edges", "proven", "silent", "precision", "recall", "heuristic",
    "heuristic precision",
]
SITE = re.compile(r"^rift://node/[^/]+/(.+)@(\d+)-\d+#")
CALLABLE = re.compile(r"function|method|constructor|lambda|arrow")


def structured(server, tool, arguments):
    return server.ask("tools/call", {"name": tool, "arguments": arguments}).get("structuredContent") or {}


class Tree:
    """The texts of a tree, and Rift's symbols around their offsets."""

    def __init__(self, server, root):
        self.server, self.root = server, root
        self.texts, self.raw, self.owners, self.names = {}, {}, {}, {}

    def lines(self, path):
        if path not in self.texts:
            # Lines end as the protocol has it: nothing but line feeds and carriage returns.
            self.texts[path] = re.split("(?<=\n)|(?<=\r)(?!\n)", self.bytes(path).decode())
        return self.texts[path]

    def bytes(self, path):
        if path not in self.raw:
            self.raw[path] = (self.root / path).read_bytes()
        return self.raw[path]

    def offset(self, path, line, character):
        """Bytes before a position of the protocol."""
        lines = self.lines(path)
        if line >= len(lines):
            return sum(len(part.encode()) for part in lines)
        units = lines[line].encode("utf-16-le")[: 2 * character].decode("utf-16-le")
        return sum(len(part.encode()) for part in lines[:line]) + len(units.encode())

    def position(self, path, offset):
        """Line and character of an offset in bytes, as the protocol counts."""
        before = self.bytes(path)[:offset].decode()
        line = len(re.split("(?<=\n)|(?<=\r)(?!\n)", before)) - 1
        last = re.split("(?<=\n)|(?<=\r)(?!\n)", before)[-1]
        return line, len(last.encode("utf-16-le")) // 2

    def shown(self, sites):
        """The first of some places, as path, line and text."""
        if not sites:
            return ""
        line, _ = self.position(*sites[0])
        return f"{sites[0][0]}:{line + 1}: {self.lines(sites[0][0])[line].strip()}"

    def nodes(self, path, offset):
        found = structured(self.server, "nodes", {"path": path, "position": offset}).get("nodes", [])
        return [node for node in found if node.get("symbol")]

    def owner(self, path, offset):
        """The innermost callable around an offset, else the innermost declaration; none outside declarations."""
        if (path, offset) not in self.owners:
            named = self.nodes(path, offset)
            callables = [node for node in named if CALLABLE.search(node["kind"])]
            self.owners[path, offset] = (callables or named or [{"symbol": None}])[-1]["symbol"]
        return self.owners[path, offset]

    def declared(self, path, offset):
        """The symbol whose name stands at an offset, if Rift has one: that of the innermost declaration around it, when its
        text says its name there first, qualifiers left aside."""
        if (path, offset) not in self.names:
            self.names[path, offset] = None
            for node in self.nodes(path, offset)[-1:]:
                name = urllib.parse.unquote(re.split(r"[~?#(](?=\d|rev|$)", node["symbol"].rpartition("/")[2])[0])
                text = self.bytes(path)[node["range"]["start"]:offset + len(name.encode())].decode("utf-8", "ignore")
                first = re.search(rf"(?<![\w$~]){re.escape(name)}(?![\w$]|\s*::)", text)
                if first and len(text) == first.end():
                    self.names[path, offset] = node["symbol"]
        return self.names[path, offset]

    def refers(self, site, name):
        """Whether a site spells a name, and not as that of a declaration: what a macro expands to stands nowhere in the text,
        and constructors and destructors, which are called like their class, are declarations of their own."""
        path, offset = site
        spelled = self.bytes(path)[offset:offset + len(name.encode())] == name.encode()
        return spelled and not self.declared(*site) and not self.declared(path, offset - 1)


def incoming(server, id):
    """The declarations that refer to a symbol, with how each edge was found and the places that show it."""
    found = {}
    for page in range(20):
        answer = structured(server, "search", {
            "traversal": {"seed": id}, "target": "symbol", "limit": 500, "page_index": page,
        })
        for hit in answer.get("results", []):
            hop = hit["traversal_path"][0]["relationship"]
            sites = [SITE.search(node).groups() for node in hop.get("evidence") or []]
            found[hop["from"]] = hop["derivation"], [(path, int(start)) for path, start in sites]
        if page + 1 >= answer.get("pagination", {}).get("total_pages", 1):
            break
    return found


def draw(peer, tree, files, count):
    """So many declarations, each with its places and Rift's symbol, from all that the server lists in the files. What is
    one symbol to Rift (overloads, a definition apart from its declaration, a typedef beside its tag) has several places."""
    listed, by_name = [], collections.defaultdict(list)
    for path in files:
        listed += sorted((path, *declaration) for declaration in peer.declarations(path))
        peer.close(path)
    random.Random(SEED).shuffle(listed)
    for path, name, kind, member, line, character in listed:
        by_name[name].append((path, line, character))
    drawn, symbols = [], set()
    for path, name, kind, member, line, character in listed:
        symbol = tree.declared(path, tree.offset(path, line, character))
        if symbol and symbol not in symbols:
            symbols.add(symbol)
            places = [place for place in by_name[name] if tree.declared(place[0], tree.offset(*place)) == symbol]
            drawn.append((symbol, name, kind, member, places))
        if len(drawn) == count:
            break
    return drawn


class Comparison:
    """One code base against one server: sums by group, and the disagreements."""

    def __init__(self, server, peer, tree):
        self.server, self.peer, self.tree = server, peer, tree
        self.sums, self.disagreements = collections.defaultdict(collections.Counter), []

    def means(self, site, id):
        """Whether the server says that the name at a site means a symbol; None when it says nothing. Of a constructor it may
        name the class alone: its own says yes, another one, which may inherit it, nothing."""
        found = list(self.peer.definitions(site[0], *self.tree.position(*site)))
        symbols = {self.tree.declared(place[0], self.tree.offset(*place)) for place in found} - {None}
        of, _, name = id.rpartition("/")
        if name in ("__init__", "constructor") and id not in symbols:
            return True if of in symbols else None
        # A type that is declared in one place and defined in another, or a typedef beside its tag.
        typed = self.peer.expands and self.kind in TYPES and name in {symbol.rpartition("/")[2] for symbol in symbols}
        return typed or id in symbols if found else None

    def theirs(self, id, name, member, places, owners):
        """The sites that the server gives, by owner. Of members, the ones whose name means this declaration: servers give
        those of the members that it overrides and that override it, too. `owners` are known by Rift's own edges."""
        out = collections.defaultdict(list)
        own = {(path, self.tree.offset(path, line, character)) for path, line, character in places}
        for site in {site for place in places for site in self.peer.references(*place)}:
            site = site[0], self.tree.offset(*site)
            owner = owners.get(site) or self.tree.owner(*site)
            if owner in (None, id) or site in own or self.peer.expands and not self.tree.refers(site, name):
                continue
            if not member or self.means(site, id) is not False:
                out[owner].append(site)
        return out

    def add(self, id, name, kind, member, places):
        self.kind = kind
        ours = incoming(self.server, id)
        ours.pop(id, None)
        # Where both name a site, Rift's edge says whose it is; nodes say it of the others.
        owners = {site: owner for owner, (_, sites) in ours.items() for site in sites}
        theirs = self.theirs(id, name, member and kind != "constructor", places, owners)
        row = self.sums["members" if member else "others"]
        row.update({"declarations": 1, "theirs": len(theirs)})
        for owner, (derivation, sites) in sorted(ours.items()):
            said = "proven" if derivation == "syntax" else "heuristic"
            row[said] += 1
            if owner in theirs:
                row[f"{said} right"] += 1
                row[f"{said} listed"] += 1
                continue
            # What the server does not list is put to it once more, from the other side.
            answers = {self.means(site, id) for site in sites[:4]}
            verdict = "right" if True in answers else "wrong" if False in answers else "silent"
            row[f"{said} {verdict}"] += 1
            self.disagreements.append((f"{said} {verdict}", id, kind, owner, self.tree.shown(sites)))
        for owner, sites in sorted(theirs.items()):
            if ours.get(owner, ("",))[0] != "syntax":
                said = "missed, heuristic" if owner in ours else "missed"
                self.disagreements.append((said, id, kind, owner, self.tree.shown(sites)))


def compare(rift, name, which, count):
    """The sums of one code base against one server, by group, and the disagreements."""
    with TREES[name].laid_out() as root, Server(rift, root, "--output", "all") as server:
        server.wait_prepared()
        with TREES[name].server(which, root) as peer:
            tree = Tree(server, root)
            drawn = draw(peer, tree, TREES[name].files(root), count)
            peer.settle([places[0] for *_, places in drawn[:5]])
            comparison = Comparison(server, peer, tree)
            for declaration in drawn:
                comparison.add(*declaration)
            return comparison.sums, comparison.disagreements


def share(part, whole):
    return round(part / whole, 3) if whole else None


def rows(name, which, sums):
    """Precision is over the edges that the server judges; those that it is silent about are counted apart."""
    for group, row in sorted(sums.items()):
        judged = {said: row[said] - row[f"{said} silent"] for said in ("proven", "heuristic")}
        yield {
            "code base": name, "server": which, "group": group, "declarations": row["declarations"], "edges": row["theirs"],
            "proven": row["proven"], "proven right": row["proven right"], "silent": row["proven silent"],
            "precision": share(row["proven right"], judged["proven"]), "recall": share(row["proven listed"], row["theirs"]),
            "heuristic": row["heuristic"], "heuristic precision": share(row["heuristic right"], judged["heuristic"]),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rift")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--show", type=int, default=0, help="disagreements to print of each code base")
    parser.add_argument("--json", action="store_true", help="rows and disagreements as one JSON object on the last line")
    parser.add_argument("names", nargs="*", metavar="NAME[:SERVER]")
    arguments = parser.parse_args()
    rift = arguments.rift or build("rift")[0]
    table, all_disagreements = [], []
    print(machine())
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
    for spelled in arguments.names or BENCH:
        name, _, which = spelled.partition(":")
        which = which or TREES[name].servers[0]
        sums, disagreements = compare(pathlib.Path(rift), name, which, arguments.count)
        for row in rows(name, which, sums):
            table.append(row)
            print("| " + " | ".join("-" if row[key] is None else str(row[key]) for key in COLUMNS) + " |", flush=True)
        for said, id, kind, owner, site in disagreements[: arguments.show]:
            print(f"{said}: {id} ({kind}) from {owner}\n    {site}")
        all_disagreements += disagreements
    if arguments.json:
        print(json.dumps({"rows": table, "disagreements": all_disagreements}))


if __name__ == "__main__":
    sys.exit(main())

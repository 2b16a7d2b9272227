#!/usr/bin/env python3
"""Incoming references against a language server: for declarations drawn at random with a fixed seed, the declarations that
refer to each, as Rift says and as the server says.

    tests/bench/references.py [--rift PATH] [--count 200] [--show N] SERVER ROOT

SERVER is the command of a language server on standard input and output (`basedpyright-langserver --stdio`,
`typescript-language-server --stdio`, `clangd`); ROOT a tree that it can open. Each location that the server gives is
mapped to the innermost callable around it, else the innermost declaration, as Rift maps its own; locations outside any
declaration count for neither. Prints precision of proven and of heuristic edges, recall by proven edges, for functions, classes
and constants, and for methods and fields apart.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import time
import urllib.parse

from measure import Server, build, machine

SEED = 20261201
MEMBERS = {"method", "field", "property", "enum_member", "constructor"}
LANGUAGES = {
    ".py": "python", ".ts": "typescript", ".tsx": "typescriptreact", ".js": "javascript", ".c": "c", ".h": "c",
    ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".rs": "rust", ".go": "go", ".java": "java",
}
SYMBOL = re.compile(r"rift://symbol/\S+")


class LanguageServer:
    """One language server over standard input and output."""

    def __init__(self, command, root):
        self.root = root
        self.process = subprocess.Popen(
            shlex.split(command), cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.id = 0
        self.opened = set()
        self.ask("initialize", {
            "processId": None,
            "rootUri": root.as_uri(),
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
            "capabilities": {"workspace": {"configuration": True, "workspaceFolders": True}},
        })
        self.notify("initialized", {})

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            sys.exit("the language server ended")
        return json.loads(self.process.stdout.read(length))

    def notify(self, method, params):
        self.write({"method": method, "params": params})

    def ask(self, method, params):
        self.id += 1
        self.write({"id": self.id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.id and "method" not in message:
                return message.get("result")
            if "id" in message and "method" in message:
                empty = [{} for _ in message["params"]["items"]] if message["method"] == "workspace/configuration" else None
                self.write({"id": message["id"], "result": empty})

    def open(self, path):
        if path not in self.opened:
            self.opened.add(path)
            text = (self.root / path).read_text("utf-8")
            language = LANGUAGES.get(pathlib.Path(path).suffix, "plaintext")
            self.notify("textDocument/didOpen", {"textDocument": {
                "uri": (self.root / path).as_uri(), "languageId": language, "version": 1, "text": text,
            }})

    def references(self, path, line, character):
        """Paths relative to the root, with zero-based lines and UTF-16 characters; the declaration itself is left out."""
        self.open(path)
        found = self.ask("textDocument/references", {
            "textDocument": {"uri": (self.root / path).as_uri()},
            "position": {"line": line, "character": character},
            "context": {"includeDeclaration": False},
        })
        for location in found or []:
            at = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(location["uri"]).path))
            if at.is_relative_to(self.root):
                start = location["range"]["start"]
                yield at.relative_to(self.root).as_posix(), start["line"], start["character"]


def structured(server, tool, arguments):
    return server.ask("tools/call", {"name": tool, "arguments": arguments}).get("structuredContent") or {}


class Tree:
    """The texts of a tree, and the symbols around their offsets."""

    def __init__(self, server, root):
        self.server, self.root, self.texts, self.owners = server, root, {}, {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_text("utf-8")
        return self.texts[path]

    def offset(self, path, line, character):
        lines = self.text(path).splitlines(keepends=True)
        head = "".join(lines[:line])
        units = lines[line].encode("utf-16-le")[: 2 * character].decode("utf-16-le") if line < len(lines) else ""
        return len((head + units).encode())

    def position(self, path, offset):
        before = self.text(path).encode()[:offset].decode()
        line = before.count("\n")
        return line, len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2

    def owner(self, path, offset):
        """The innermost callable around an offset, else the innermost declaration."""
        key = (path, offset)
        if key not in self.owners:
            nodes = structured(self.server, "nodes", {"path": path, "position": offset}).get("nodes", [])
            named = [node for node in nodes if node.get("symbol")]
            callable = [n for n in named if re.search(r"function|method|constructor|lambda|arrow", n["kind"])]
            self.owners[key] = (callable or named or [{"symbol": None}])[-1]["symbol"]
        return self.owners[key]


def declarations(server, suffixes):
    """Every declaration of the tree in source files, by identity, through pages of the catalog's symbols."""
    found = {}
    for word in "abcdefghijklmnopqrstuvwxyz":
        for page in range(40):
            answer = structured(server, "search", {
                "query": word, "target": "symbol", "order": "identity", "limit": 500, "page_index": page,
            })
            for hit in answer.get("results", []):
                symbol = hit["hit"]["symbol"]
                if symbol.get("id") and pathlib.Path(hit["path"]).suffix in suffixes:
                    found[symbol["id"]] = (hit["path"], hit["range"], symbol["kind"], symbol["name"])
            if page + 1 >= answer["pagination"]["total_pages"]:
                break
    return found


def name_offset(tree, path, span, name):
    """Where a declaration spells its name, in bytes of the file."""
    part = tree.text(path).encode()[span["start"]:span["end"]].decode("utf-8", "ignore")
    keyword = re.search(rf"\b(?:def|class|function|const|let|var|fn|struct|enum|type|interface)\s+({re.escape(name)})\b", part)
    plain = keyword or re.search(rf"(?<![\w.])({re.escape(name)})\b", part) or re.search(rf"\b({re.escape(name)})\b", part)
    return span["start"] + len(part[: plain.start(1)].encode()) if plain else None


def settle(peer, tree, known):
    """Asks about classes until the server's answers stay the same: it reads its project behind the first ones."""
    classes = [known[id] for id in sorted(known) if known[id][2] in ("class", "struct", "function")][:5]
    before, same = None, 0
    for _ in range(60):
        now = []
        for path, span, _, name in classes:
            at = name_offset(tree, path, span, name)
            now.append(len(list(peer.references(path, *tree.position(path, at)))) if at is not None else 0)
        same = same + 1 if now == before else 0
        if same == 3:
            return
        before = now
        time.sleep(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rift")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--show", type=int, default=0, help="disagreements to print")
    parser.add_argument("--suffix", action="append", help="file name endings of what is drawn, default .py")
    parser.add_argument("server")
    parser.add_argument("root", type=pathlib.Path)
    arguments = parser.parse_args()
    rift = arguments.rift or build("rift")[0]
    root = arguments.root.resolve()
    print(machine())
    sums = collections.defaultdict(collections.Counter)
    shown = 0
    with Server(rift, root, "--output", "all") as server:
        server.wait_prepared()
        peer, tree = LanguageServer(arguments.server, root), Tree(server, root)
        known = declarations(server, set(arguments.suffix or [".py"]))
        settle(peer, tree, known)
        drawn = random.Random(SEED).sample(sorted(known), min(arguments.count, len(known)))
        for id in drawn:
            path, span, kind, name = known[id]
            at = name_offset(tree, path, span, name)
            if at is None:
                continue
            theirs = set()
            for other, line, character in peer.references(path, *tree.position(path, at)):
                theirs.add(tree.owner(other, tree.offset(other, line, character)))
            theirs -= {None, id}
            ours = {}
            answer = structured(server, "search", {"traversal": {"seed": id}, "target": "symbol", "limit": 2000})
            for hit in answer.get("results", []):
                hop = hit["traversal_path"][0]["relationship"]
                ours[hop["from"]] = hop["derivation"]
            proven = {owner for owner, derivation in ours.items() if derivation == "syntax"}
            heuristic = set(ours) - proven
            row = sums["members" if kind in MEMBERS else "others"]
            row["declarations"] += 1
            row["theirs"] += len(theirs)
            row["proven"] += len(proven)
            row["proven right"] += len(proven & theirs)
            row["heuristic"] += len(heuristic)
            row["heuristic right"] += len(heuristic & theirs)
            for what, owners in (("missed", theirs - proven), ("extra", proven - theirs)):
                for owner in sorted(owners):
                    if shown < arguments.show:
                        shown += 1
                        print(f"{what}: {id} ({kind}) from {owner}")
        peer.process.kill()
    for name, row in sorted(sums.items()):
        share = lambda part, whole: f"{row[part] / row[whole]:.3f}" if row[whole] else "-"
        print(
            f"{name}: {row['declarations']} declarations, {row['theirs']} edges of the server; proven {row['proven']}, "
            f"precision {share('proven right', 'proven')}, recall {share('proven right', 'theirs')}; heuristic "
            f"{row['heuristic']}, precision {share('heuristic right', 'heuristic')}"
        )


if __name__ == "__main__":
    main()

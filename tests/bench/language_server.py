"""A client of language servers on standard input and output, as much of one as comparing references takes."""

import json
import pathlib
import subprocess
import sys
import time
import urllib.parse

LANGUAGES = {
    ".py": "python", ".ts": "typescript", ".tsx": "typescriptreact", ".js": "javascript", ".cjs": "javascript",
    ".mjs": "javascript", ".jsx": "javascriptreact", ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp",
}

# SymbolKind of the protocol, as far as declarations have names that others can use.
KINDS = {
    5: "class", 6: "method", 7: "property", 8: "field", 9: "constructor", 10: "enum", 11: "interface", 12: "function",
    13: "variable", 14: "constant", 22: "enum member", 23: "struct", 25: "operator",
}
TYPES = {"class", "interface", "enum", "struct"}


class LanguageServer:
    """One language server. Paths are relative to the root, lines count from zero, characters are UTF-16 code units."""

    def __init__(self, command, root, options=None, environment=None, redeclares=False, expands=False):
        """`redeclares`: assignments declare, so that places which declare again are uses; `expands`: what macros expand to is
        reported where they are named."""
        self.root, self.id, self.opened, self.working = root, 0, set(), set()
        self.redeclares, self.expands = redeclares, expands
        self.process = subprocess.Popen(
            command, cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        self.ask("initialize", {
            "processId": None,
            "rootUri": root.as_uri(),
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
            "initializationOptions": options or {},
            "capabilities": {
                "workspace": {"configuration": True, "workspaceFolders": True},
                "window": {"workDoneProgress": True},
                "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
            },
        })
        self.notify("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

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
        """The result of one request; what the server asks meanwhile is answered, its progress kept in `working`."""
        self.id += 1
        self.write({"id": self.id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.id and "method" not in message:
                return message.get("result")
            if message.get("method") == "$/progress":
                token, kind = message["params"]["token"], message["params"]["value"].get("kind")
                (self.working.discard if kind == "end" else self.working.add)(token)
            elif "id" in message and "method" in message:
                empty = [{} for _ in message["params"]["items"]] if message["method"] == "workspace/configuration" else None
                self.write({"id": message["id"], "result": empty})

    def open(self, path):
        if path not in self.opened:
            self.opened.add(path)
            text = (self.root / path).read_text("utf-8")
            self.notify("textDocument/didOpen", {"textDocument": {
                "uri": (self.root / path).as_uri(), "version": 1, "text": text,
                "languageId": LANGUAGES.get(pathlib.Path(path).suffix, "plaintext"),
            }})

    def close(self, path):
        if path in self.opened:
            self.opened.discard(path)
            self.notify("textDocument/didClose", {"textDocument": {"uri": (self.root / path).as_uri()}})

    def declarations(self, path):
        """What a file declares: name, kind of the protocol, whether a type holds it, and where the name stands."""
        self.open(path)
        found = self.ask("textDocument/documentSymbol", {"textDocument": {"uri": (self.root / path).as_uri()}})
        below = [(symbol, False) for symbol in found or []]
        while below:
            symbol, member = below.pop()
            kind = KINDS.get(symbol["kind"])
            below += [(child, kind in TYPES) for child in symbol.get("children") or []]
            if kind and "selectionRange" in symbol:
                start = symbol["selectionRange"]["start"]
                yield symbol["name"].split("::")[-1], kind, member, start["line"], start["character"]

    def references(self, path, line, character):
        """The places that refer to what is declared at a position."""
        yield from self.places("textDocument/references", path, line, character, {
            "context": {"includeDeclaration": self.redeclares},
        })

    def definitions(self, path, line, character):
        """Where the name at a position is declared."""
        yield from self.places("textDocument/definition", path, line, character, {})

    def places(self, method, path, line, character, more):
        self.open(path)
        found = self.ask(method, {
            "textDocument": {"uri": (self.root / path).as_uri()},
            "position": {"line": line, "character": character},
            **more,
        })
        for location in [found] if isinstance(found, dict) else found or []:
            at = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(location["uri"]).path))
            if at.is_relative_to(self.root):
                start = location["range"]["start"]
                yield at.relative_to(self.root).as_posix(), start["line"], start["character"]

    def settle(self, places):
        """Asks about some places until the answers stay the same and nothing is in progress: servers read their project
        behind the first answers."""
        before, same = None, 0
        for _ in range(600):
            now = [len(list(self.references(*place))) for place in places]
            same = same + 1 if now == before and not self.working else 0
            if same == 4:
                return
            before = now
            time.sleep(0.5)
        sys.exit("the language server does not come to rest")

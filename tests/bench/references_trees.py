"""The code that references are compared over: which part of which corpus, and how a language server opens it."""

import contextlib
import json
import os
import pathlib
import shutil
import tempfile

from language_server import LanguageServer
from measure import CACHE, corpora

# What a tree without a configuration of its own is read with.
TSCONFIG = {
    "compilerOptions": {
        "target": "esnext", "module": "esnext", "moduleResolution": "bundler", "strict": True, "noEmit": True,
        "allowJs": True, "checkJs": False, "skipLibCheck": True, "types": [],
    },
    "include": ["**/*"],
}


def setting(name):
    """A path that `tests/setup.sh` wrote down, or that the environment gives."""
    written = dict(line.split("=", 1) for line in (CACHE / "env").read_text().splitlines() if "=" in line)
    found = os.environ.get(name) or written.get(name)
    if not found:
        raise SystemExit(f"{name} is not known: tests/setup.sh installs what it names")
    return found


def serving(which, root):
    """A server of that name, over a tree."""
    if which == "basedpyright":
        return LanguageServer([setting("RIFT_TEST_BASEDPYRIGHT"), "--stdio"], root, redeclares=True)
    if which == "ty":
        return LanguageServer([setting("RIFT_TEST_TY"), "server"], root, redeclares=True)
    if which == "typescript":
        node, script = setting("RIFT_TEST_NODE"), setting("RIFT_TEST_TYPESCRIPT_SERVER")
        path = os.pathsep.join([str(pathlib.Path(node).parent), os.environ["PATH"]])
        options = {"disableAutomaticTypingAcquisition": True}
        return LanguageServer([node, script, "--stdio"], root, options, {**os.environ, "PATH": path})
    if which == "clangd":
        clangd = [setting("RIFT_TEST_CLANGD"), "--limit-references=0", "--limit-results=0", "-j=2"]
        return LanguageServer(clangd, root, expands=True)
    raise SystemExit(f"no server is called {which}")


class Code:
    """Folders of a corpus as a tree of their own. `keep` are its folders and files, moved up when `lift` names one."""

    def __init__(self, corpus, servers, suffixes, keep=(), lift="", drop=(), prepare=None):
        self.corpus, self.servers, self.suffixes = corpus, servers, suffixes
        self.keep, self.lift, self.drop, self.prepare = keep, lift, drop, prepare

    @contextlib.contextmanager
    def laid_out(self):
        (folder,) = corpora(self.corpus).values()
        with tempfile.TemporaryDirectory(prefix="rift-references-") as scratch:
            root = pathlib.Path(scratch).resolve() / self.corpus
            skipped = shutil.ignore_patterns(".rift", ".git", "node_modules", *self.drop)
            if self.keep:
                root.mkdir()
            for part in self.keep:
                source = folder / self.lift / part
                if source.is_dir():
                    shutil.copytree(source, root / part, ignore=skipped)
                else:
                    shutil.copy(source, root / part)
            if not self.keep:
                shutil.copytree(folder / self.lift, root, ignore=skipped)
            if self.prepare:
                self.prepare(root)
            yield root

    def files(self, root):
        found = (path for path in root.rglob("*") if path.suffix in self.suffixes and path.is_file())
        return sorted(path.relative_to(root).as_posix() for path in found if ".rift" not in path.parts)

    def server(self, which, root):
        if which not in self.servers:
            raise SystemExit(f"{self.corpus} is read by {', '.join(self.servers)}, not by {which}")
        return serving(which, root)


def configured(**options):
    """Writes a configuration of the TypeScript compiler."""
    def prepare(root):
        merged = {**TSCONFIG, "compilerOptions": {**TSCONFIG["compilerOptions"], **options}}
        (root / "tsconfig.json").write_text(json.dumps(merged))
    return prepare


def compiled(suffix, include, *arguments):
    """Writes the compilation database of a tree: each source by itself, with the folders that its headers lie in."""
    def prepare(root):
        folders = [f"-I{root / folder}" for folder in include]
        (root / "compile_commands.json").write_text(json.dumps([
            {"directory": str(root), "file": str(path), "arguments": ["clang", *arguments, *folders, "-c", str(path)]}
            for path in sorted(root.rglob(f"*{suffix}"))
        ]))
    return prepare


LEVELDB = ["-std=c++17", "-DLEVELDB_PLATFORM_POSIX"]
PYTHON = ["basedpyright", "ty"]
TREES = {
    "django": Code("django", PYTHON, {".py"}, keep=["django", "tests"]),
    "requests": Code("requests", PYTHON, {".py"}),
    "rich": Code("rich", PYTHON, {".py"}),
    "zod": Code("zod", ["typescript"], {".ts"}, keep=["src"], prepare=configured()),
    "rxjs": Code("rxjs", ["typescript"], {".ts"}, keep=["src"], prepare=configured()),
    "effect": Code("effect", ["typescript"], {".ts"}, keep=["src", "package.json"], prepare=configured()),
    "commander": Code("commander", ["typescript"], {".js"}, keep=["lib", "index.js", "package.json"], prepare=configured()),
    "three": Code("three", ["typescript"], {".js"}, keep=["src", "package.json"], prepare=configured()),
    "zstd": Code("zstd-sys", ["clangd"], {".c", ".h"}, keep=["lib"], lift="zstd",
                 prepare=compiled(".c", ["lib", "lib/common"], "-DZSTD_MULTITHREAD", "-DZSTD_DISABLE_ASM")),
    "leveldb": Code("leveldb-sys", ["clangd"], {".cc", ".h"}, lift="deps/leveldb-1.22",
                    prepare=compiled(".cc", ["", "include"], *LEVELDB)),
    # What the tests take: small enough to be indexed by a server in seconds.
    "zlib": Code("libz-sys", ["clangd"], {".c", ".h"}, lift="src/zlib", drop=("contrib", "examples", "test"),
                 prepare=compiled(".c", [""])),
    "leveldb-table": Code("leveldb-sys", ["clangd"], {".cc", ".h"}, lift="deps/leveldb-1.22",
                          keep=["include", "port", "table", "util"], prepare=compiled(".cc", ["", "include"], *LEVELDB)),
}
BENCH = [name for name in TREES if name not in ("zlib", "leveldb-table")]

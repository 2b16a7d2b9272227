"""What the benchmarks share: builds, measured runs, corpora, and a client of `rift mcp`."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CACHE = pathlib.Path(
    os.environ.get("RIFT_TEST_CACHE")
    or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "rift-tests"
)


@dataclass
class Usage:
    """What one finished process cost: CPU seconds (user and system), peak MB of memory, wall seconds; and its output."""

    cpu: float
    peak: float
    wall: float
    stdout: str


def run(command, env=None, check=True):
    """Runs a command to its end and returns its Usage. Standard error goes to a file, shown when the command fails."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **(env or {})},
        )
        stdout = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if check and process.returncode != 0:
            errors.seek(0)
            sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{errors.read().decode()[-4000:]}")
    return Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, wall, stdout.decode("utf-8", "replace"))


def median(usages):
    """The medians of several runs, each figure by itself."""
    return Usage(*(statistics.median(getattr(u, name) for u in usages) for name in ("cpu", "peak", "wall")), "")


def build(*names):
    """Builds binaries of this workspace for release and returns their paths, in order."""
    command = ["cargo", "build", "--release", "--workspace", "--message-format=json-render-diagnostics"]
    for name in names:
        command += ["--bin", name]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = (json.loads(line) for line in output.splitlines())
    paths = {m["target"]["name"]: m["executable"] for m in messages if m.get("executable")}
    return [paths[name] for name in names]


def corpora(*names):
    """The folders of corpora by name, fetched when absent."""
    output = subprocess.run([HERE / "corpora.sh", *names], check=True, stdout=subprocess.PIPE, text=True).stdout
    folders = {line.split()[0]: pathlib.Path(line.split()[-1]) for line in output.splitlines()}
    return {name: folders[name] for name in names}


LARGE = [
    "openjdk-17-source", "django", "golang-github-docker-docker-dev", "effect", "rxjs", "three", "react-native",
    "react-native-paper", "librocksdb-sys", "openssl-src", "tantivy", "rust-crates",
]


class Tree:
    """A copy of a corpus that may be written to, or of all of them side by side under the name `large`. Gone in the end."""

    def __init__(self, name):
        self.folder = tempfile.TemporaryDirectory(prefix="rift-bench-tree-")
        self.root = pathlib.Path(self.folder.name) / name
        if name == "large":
            for part, folder in corpora(*LARGE).items():
                shutil.copytree(folder, self.root / part, symlinks=True, ignore=shutil.ignore_patterns(".rift"))
        else:
            (folder,) = corpora(name).values()
            shutil.copytree(folder, self.root, symlinks=True, ignore=shutil.ignore_patterns(".rift"))

    def __enter__(self):
        return self.root

    def __exit__(self, *_):
        self.folder.cleanup()


def forget(rift, root):
    """Stops the server of a tree, if one runs, and removes all that Rift keeps there."""
    subprocess.run([rift, "server", "stop", "--root", root], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.rmtree(root / ".rift", ignore_errors=True)


class Process:
    """What the system tells of a running process."""

    def __init__(self, pid):
        self.pid = pid

    def cpu(self):
        """CPU seconds so far, user and system."""
        fields = open(f"/proc/{self.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, field="VmRSS"):
        """MB now, or at most so far with `VmHWM`."""
        for line in open(f"/proc/{self.pid}/status"):
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
        return 0.0

    def handles(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


def server_of(root):
    """The server that answers for a tree."""
    return Process(json.loads((root / ".rift" / "server.json").read_text())["pid"])


class Server:
    """`rift mcp` over stdio, with a server of its own behind it that finds nothing stored. `keep` uses and leaves what is
    stored in the tree; `shared` uses the server that is there, or starts one, and leaves it running."""

    def __init__(self, rift, root, *arguments, keep=False, shared=False):
        self.rift, self.root, self.keep, self.shared = rift, pathlib.Path(root), keep, shared
        self.folder = tempfile.TemporaryDirectory(prefix="rift-bench-", ignore_cleanup_errors=True)
        if not shared:
            self.stop()
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [str(rift), "mcp", "--root", str(root), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "XDG_CACHE_HOME": self.folder.name},
        )
        self.id = 0
        self.ask("initialize", {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "rift-bench", "version": "0"},
        })
        self.initialized = time.perf_counter() - self.started
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        if not self.shared:
            self.stop()

    def close(self):
        """Ends the proxy. The server stays."""
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()

    def stop(self):
        """Ends the server, if one runs, and removes what it stored unless that is to be kept."""
        if not self.keep:
            forget(self.rift, self.root)
            return
        subprocess.run([self.rift, "server", "stop", "--root", self.root], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def raw(self, method, params):
        """Sends one request and returns the bytes of its answer."""
        self.id += 1
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        return self.process.stdout.readline()

    def ask(self, method, params):
        """Sends one request and returns its result."""
        answer = json.loads(self.raw(method, params))
        if "error" in answer:
            sys.exit(f"{method} {params}: {answer['error']}")
        return answer["result"]

    def call(self, tool, arguments):
        """Calls a tool and returns its text."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["content"][0]["text"]

    def timed(self, tool, arguments):
        """Calls a tool; returns the milliseconds from the first byte sent to the last byte read, and the text."""
        start = time.perf_counter()
        line = self.raw("tools/call", {"name": tool, "arguments": arguments})
        elapsed = (time.perf_counter() - start) * 1000
        return elapsed, json.loads(line)["result"]["content"][0]["text"]

    def wait_prepared(self):
        """Asks until no answer says that the index is being prepared; returns the seconds since the start."""
        while "local_index_preparing" in self.ask("resources/read", {"uri": "rift://map"})["contents"][0]["text"]:
            time.sleep(0.05)
        return time.perf_counter() - self.started


def percentile(values, share):
    """The value below which so large a share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def machine():
    """One line that says what machine the figures are from."""
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{cpu}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"

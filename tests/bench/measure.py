"""What the benchmarks share: builds, measured runs, corpora, and a client of `rift mcp`."""

import json
import os
import pathlib
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


class Server:
    """`rift mcp` over stdio and a server of its own behind it, with a cache folder that goes with them. A `shared` one uses the
    server that is there, or starts one, and leaves it."""

    def __init__(self, rift, root, *arguments, shared=False):
        self.shared = shared
        self.folder = tempfile.TemporaryDirectory(prefix="rift-bench-", ignore_cleanup_errors=shared)
        self.rift, self.root = str(rift), pathlib.Path(root)
        # One that somebody left behind would answer in place of a new one.
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
        self.process.stdin.close()
        self.process.wait()
        self.stop()
        self.folder.cleanup()

    def stop(self):
        """Ends the server behind the proxy."""
        if self.shared:
            return
        subprocess.run([self.rift, "server", "stop", "--root", self.root], check=True, stdout=subprocess.DEVNULL)

    def server_pid(self):
        """The process of the server behind the proxy."""
        return json.loads((self.root / ".rift" / "server.json").read_text())["pid"]

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


def machine():
    """One line that says what machine the figures are from."""
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{cpu}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"

#!/usr/bin/env python3
"""Processes under stress and at rest: what a proxy costs, elections, death at random moments, and a server that nobody asks.

    tests/bench/servers.py [--rounds 100] [--rest 60] [CORPUS]

Every election must end with one server, every start after a `kill -9` must answer as a fresh index does, and a server at rest
must use less than 0.1 s of CPU in 60 s and keep its handles.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from measure import Server, build, corpora, machine, server_of

SEED = 20261130
PROXIES = 8
VIEW = re.compile(r"^view .*$", re.M)
QUESTIONS = [
    ("search", {"query": "load configuration", "limit": 50}),
    ("search", {"query": "getUserName", "target": "symbol"}),
    ("search", {"query": "install", "order": "path", "limit": 100}),
]


def status(pid, name):
    """A number of /proc/PID/status, such as VmRSS in KiB."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{name}:\s+(\d+)", text, re.M)[1])


def cpu(pid):
    """Seconds of CPU that a process has used."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def handles(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def servers_of(root):
    """The processes that serve `root`, by their command lines."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"--foreground" in words and os.fsencode(root) in words:
                found.append(int(entry))
    return found


def kill(pid):
    os.kill(pid, signal.SIGKILL)
    while servers_alive(pid):
        time.sleep(0.002)


def servers_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def answers(server):
    server.wait_prepared()
    return [VIEW.sub("", server.call(tool, arguments)) for tool, arguments in QUESTIONS]


def proxy(rift, root, runs=20):
    starts, memory = [], []
    with Server(rift, root) as first:
        first.wait_prepared()
        for _ in range(runs):
            with Server(rift, root, shared=True) as server:
                server.call(*QUESTIONS[0])
                starts.append(server.initialized * 1000)
                memory.append(status(server.process.pid, "VmRSS") / 1024)
    verdict("proxy, ms to initialize", statistics.median(starts), 50)
    verdict("proxy, MB", max(memory), 15)


def election(rift, root, rounds):
    slowest = 0
    for number in range(rounds):
        with concurrent.futures.ThreadPoolExecutor(PROXIES) as pool:
            start = time.perf_counter()
            proxies = list(pool.map(lambda _: Server(rift, root, shared=True), range(PROXIES)))
            list(pool.map(lambda server: server.call(*QUESTIONS[0]), proxies))
            slowest = max(slowest, time.perf_counter() - start)
        serving = servers_of(root)
        if len(serving) != 1:
            sys.exit(f"election {number}: {serving} serve")
        kill(serving[0])
        for server in proxies:
            server.__exit__()
    print(f"ok   {rounds} elections of {PROXIES} proxies, one server each; the slowest took {slowest:.2f} s")


def death(rift, root, rounds):
    choose = random.Random(SEED)
    with Server(rift, root) as fresh:
        expected = answers(fresh)
    for number in range(rounds):
        server = Server(rift, root, shared=True)
        time.sleep(choose.random() * choose.choice([0.02, 0.2, 2]))
        for pid in servers_of(root):
            kill(pid)
        found = answers(server)
        if found != expected:
            sys.exit(f"death {number}: other answers than a fresh index")
        for pid in servers_of(root):
            kill(pid)
        server.__exit__()
    print(f"ok   {rounds} deaths at random moments, answers as from a fresh index each time")


def rest(rift, root, seconds):
    with Server(rift, root) as server:
        answers(server)
        pid = server_of(root).pid
        time.sleep(2)
        before, open_before = cpu(pid), handles(pid)
        time.sleep(seconds)
        used, opened = cpu(pid) - before, handles(pid) - open_before
    verdict(f"at rest for {seconds} s, CPU s", used, 0.1 * seconds / 60)
    verdict("at rest, handles more", opened, 0)


def verdict(what, have, most):
    print(f"{'ok  ' if have <= most else 'OVER'} {what}: {have:.2f} of at most {most:.2f}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", nargs="?", default="django")
    arguments.add_argument("--rounds", type=int, default=100)
    arguments.add_argument("--rest", type=int, default=60)
    options = arguments.parse_args()
    (rift,) = build("rift")
    print(machine(), flush=True)
    source = corpora(options.corpus)[options.corpus]
    with tempfile.TemporaryDirectory(prefix="rift-bench-") as folder:
        # A small part for what is done often, the whole for what is looked at long.
        small = pathlib.Path(folder).resolve() / "small"
        shutil.copytree(pathlib.Path(__file__).parents[2] / "testdata" / "projects" / "polyglot", small)
        (small / ".git").mkdir()
        proxy(rift, small)
        election(rift, small, options.rounds)
        death(rift, small, options.rounds)
    rest(rift, source, options.rest)


if __name__ == "__main__":
    main()

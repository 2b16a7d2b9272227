#!/usr/bin/env python3
"""Starts, deaths and rest of the server.

    tests/bench/starts.py [--rounds 100] [--rest 60]

Election: eight proxies start at once on one workspace, again and again: one server each time. Death: the server is killed with
SIGKILL at a random moment of its life; the next start answers as a fresh index does. Rest: what a server does in a
minute in which nobody asks and nothing moves.
"""

import argparse
import os
import pathlib
import random
import signal
import sys
import tempfile
import time

from measure import Server, Tree, build, forget, machine, server_of

SEED = 20261130
PROXIES = 8
REST_CPU_MOST = 0.1
QUESTIONS = [
    {"query": "queryset filter", "limit": 5, "include": ["score"]},
    {"query": "HttpResponse", "limit": 5, "include": ["score"]},
    {"query": "migrations autodetector", "target": "file", "limit": 5},
]


def servers_on(root):
    """The processes that serve this tree."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                arguments = (entry / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
                running = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
            except OSError:
                continue
            if running and "server" in arguments and "--foreground" in arguments and str(root) in arguments:
                found.append(int(entry.name))
    return found


def election(rift, rounds):
    wrong, slowest = [], 0.0
    for number in range(rounds):
        with tempfile.TemporaryDirectory(prefix="rift-bench-") as folder:
            root = pathlib.Path(folder).resolve()
            (root / "rift.toml").write_text('[server]\nidle_timeout = "60s"\n')
            (root / "a.py").write_text("def only_function():\n    pass\n")
            begin = time.perf_counter()
            proxies = [Server(rift, root, keep=True) for _ in range(PROXIES)]
            for proxy in proxies:
                proxy.send({"jsonrpc": "2.0", "id": 99, "method": "resources/read", "params": {"uri": "rift://map"}})
            answers = [proxy.process.stdout.readline() for proxy in proxies]
            slowest = max(slowest, time.perf_counter() - begin)
            count = len(servers_on(root))
            if count != 1 or not all(b'"result"' in answer for answer in answers):
                wrong.append((number, count))
            for proxy in proxies:
                proxy.close()
            forget(rift, root)
    print(f"election: {rounds} rounds of {PROXIES} proxies, not one server: {len(wrong)} {wrong[:3]}; slowest round {slowest:.2f} s")
    return wrong


def answers(server):
    server.wait_prepared()
    return [server.call("search", question).split("\n\t0 ")[0] for question in QUESTIONS]


def death(rift, rounds):
    chance = random.Random(SEED)
    wrong = 0
    with Tree("django") as root:
        with Server(rift, root) as server:
            fresh = answers(server)
        for number in range(rounds):
            server = Server(rift, root, keep=True)
            time.sleep(chance.uniform(0, 3) ** 2 / 3)
            try:
                os.kill(server_of(root).pid, signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError, ValueError):
                pass
            server.close()
            with Server(rift, root, keep=True) as server:
                if answers(server) != fresh:
                    wrong += 1
        forget(rift, root)
    print(f"death: {rounds} times killed, starts that answer otherwise than a fresh index: {wrong}")
    return wrong


def rest(rift, seconds):
    with Tree("django") as root, Server(rift, root) as server:
        server.wait_prepared()
        time.sleep(5)
        process = server_of(root)
        cpu, handles = process.cpu(), process.handles()
        time.sleep(seconds)
        cpu, more = process.cpu() - cpu, process.handles() - handles
    print(f"rest: {cpu:.2f} s of CPU in {seconds} s, at most {REST_CPU_MOST}; {more} new handles: {'ok' if cpu <= REST_CPU_MOST and more <= 0 else 'OVER'}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=100)
    arguments.add_argument("--rest", type=int, default=60)
    options = arguments.parse_args()
    (rift,) = build("rift")
    print(f"{machine()}\n", flush=True)
    wrong = election(rift, options.rounds)
    died = death(rift, options.rounds)
    rest(rift, options.rest)
    sys.exit(bool(wrong or died))


if __name__ == "__main__":
    main()

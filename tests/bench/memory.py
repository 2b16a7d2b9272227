#!/usr/bin/env python3
"""Memory and handles of the server: after a corpus is indexed, after edits, and after branch switches of a real git
repository. The proxy's memory and start beside it.

    tests/bench/memory.py [--edits 10000] [--switches 200] [CORPUS]
"""

import argparse
import random
import statistics
import subprocess
import time

from measure import Process, Server, Tree, build, machine, server_of

SEED = 20261130
GROWTH_MOST, PROXY_MB_MOST, PROXY_MS_MOST = 1.2, 15, 50
SWITCHED_FILES = 300


def git(root, *arguments):
    subprocess.run(["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", *arguments], cwd=root, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def two_branches(root, files):
    """Makes the tree a repository whose branches `one` and `two` differ in `files`."""
    git(root, "init", "-q", "-b", "one")
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "one")
    git(root, "checkout", "-q", "-b", "two")
    for path in files:
        path.write_bytes(path.read_bytes() + b"\n\ndef on_the_other_branch():\n    return 2\n")
    git(root, "commit", "-q", "-a", "-m", "two")


def settle(server):
    """Waits until an answer is of the tree, and a little longer for what is done behind it."""
    while "stale_index" in server.call("search", {"query": "settings", "limit": 1}):
        pass
    time.sleep(3)


def row(name, server, begin):
    memory = server.memory()
    growth = memory / begin if begin else 1.0
    print(f"| {name} | {memory:.0f} | {server.memory('VmHWM'):.0f} | {growth:.2f} | {server.handles()} | {'OVER' if growth > GROWTH_MOST else 'ok'} |", flush=True)
    return memory


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", nargs="?", default="django")
    arguments.add_argument("--edits", type=int, default=10_000)
    arguments.add_argument("--switches", type=int, default=200)
    options = arguments.parse_args()
    (rift,) = build("rift")
    print(f"{machine()}; {options.corpus}\n")
    print("| after | MB | most MB | growth | handles | |\n|---|---|---|---|---|---|")
    with Tree(options.corpus) as root:
        files = sorted(p for p in root.rglob("*.py") if p.is_file() and 200 < p.stat().st_size < 60_000)
        chance = random.Random(SEED)
        two_branches(root, chance.sample(files, SWITCHED_FILES))
        with Server(rift, root) as server:
            server.wait_prepared()
            settle(server)
            process = server_of(root)
            proxy = Process(server.process.pid)
            begin = row("the index is complete", process, None)
            texts = {path: path.read_bytes() for path in chance.sample(files, 200)}
            paths = list(texts)
            for number in range(options.edits):
                path = paths[number % len(paths)]
                path.write_bytes(texts[path] + f"\n\ndef edit_number_{number}():\n    return {number}\n".encode())
                if number % 10 == 0:
                    server.call("search", {"query": f"edit_number_{number}", "limit": 1})
            settle(server)
            row(f"{options.edits} edits", process, begin)
            git(root, "checkout", "-q", "-f", "two")
            for number in range(options.switches):
                git(root, "checkout", "-q", "-f", ("one", "two")[number % 2])
                server.call("search", {"query": "on_the_other_branch", "limit": 1})
            settle(server)
            row(f"{options.switches} branch switches of {SWITCHED_FILES} files", process, begin)
            print(f"\nproxy: {proxy.memory():.1f} MB, at most {PROXY_MB_MOST}: {'ok' if proxy.memory() <= PROXY_MB_MOST else 'OVER'}")
            starts = [first_answer(rift, root) for _ in range(20)]
            middle = statistics.median(starts)
            print(f"proxy: initialize {middle:.1f} ms after its start, at most {PROXY_MS_MOST}: {'ok' if middle <= PROXY_MS_MOST else 'OVER'}")


def first_answer(rift, root):
    proxy = Server(rift, root, shared=True)
    proxy.close()
    return proxy.initialized * 1000


if __name__ == "__main__":
    main()

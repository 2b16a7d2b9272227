#!/usr/bin/env python3
"""A second start of an unchanged workspace, and a branch switch: against the cold cost of the same files.

    tests/bench/warm.py [--rounds 5] [--switched 1000] [TREE…]

Cold and warm: CPU seconds of the server until it says that it is prepared, and the wall seconds from the start of the proxy to
that answer. Switch: `--switched` files get another text in one go, as a checkout does, and CPU and wall run until an answer
has the last of them; the cold cost of those files is their share, by bytes, of the cold cost of the tree.
"""

import argparse
import random
import statistics
import subprocess
import sys
import time

from measure import Server, Tree, build, forget, machine, server_of

SEED = 20261130
CPU_MOST, SWITCH_MOST = 0.10, 1.5
WALL_MOST = {"django": 1.0}


def start(rift, root):
    """CPU and wall seconds of one start."""
    with Server(rift, root, keep=True) as server:
        wall = server.wait_prepared()
        return server_of(root).cpu(), wall


def switch(rift, root, count, cold):
    """CPU of a switch as a share of the cold CPU of its files, and its wall seconds."""
    files = sorted(p for p in root.rglob("*") if p.suffix in (".py", ".java", ".rs", ".ts", ".go", ".c", ".h") and p.is_file())
    chosen = random.Random(SEED).sample(files, min(count, len(files)))
    parsed = sum(p.stat().st_size for p in files)
    share = sum(p.stat().st_size for p in chosen) / parsed
    with Server(rift, root, keep=True) as server:
        server.wait_prepared()
        before = server_of(root).cpu()
        begin = time.perf_counter()
        for path in chosen:
            comment = "#" if path.suffix == ".py" else "//"
            text = path.read_bytes()
            path.write_bytes(text + f"\n{comment} switchedMarker\n".encode())
        written = time.perf_counter() - begin
        begin = time.perf_counter()
        while "stale_index" in server.call("search", {"query": "switchedMarker", "target": "file", "limit": 1}):
            pass
        wall = time.perf_counter() - begin
        used = server_of(root).cpu() - before
    return used / (cold * share), wall, written, len(chosen)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("trees", nargs="*", default=["django", "large"])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--switched", type=int, default=1000)
    options = arguments.parse_args()
    (rift,) = build("rift")
    print(f"{machine()}; medians of {options.rounds}\n")
    print("| tree | start | CPU s | wall s | CPU to cold | |\n|---|---|---|---|---|---|")
    for name in options.trees:
        with Tree(name) as root:
            colds, warms = [], []
            for _ in range(options.rounds):
                forget(rift, root)
                colds.append(start(rift, root))
                # What is committed in the background is on disk when the server has stopped.
                warms.append(start(rift, root))
            median = lambda runs: [statistics.median(run[i] for run in runs) for i in (0, 1)]
            (cold, cold_wall), (warm, warm_wall) = median(colds), median(warms)
            over = warm > CPU_MOST * cold or warm_wall > WALL_MOST.get(name, float("inf"))
            size = subprocess.run(["du", "-sm", root / ".rift"], stdout=subprocess.PIPE, text=True).stdout.split()[0]
            print(f"| {name} | cold | {cold:.2f} | {cold_wall:.2f} | 1.00 | |")
            print(f"| | warm, {size} MB stored | {warm:.2f} | {warm_wall:.2f} | {warm / cold:.3f} | {'OVER' if over else 'ok'} |")
            ratio, wall, written, count = switch(rift, root, options.switched, cold)
            print(f"| | switch of {count} files, written in {written:.2f} s | | {wall:.2f} | {ratio:.2f} of those files' | {'OVER' if ratio > SWITCH_MOST else 'ok'} |", flush=True)
            forget(rift, root)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""One writer and four readers. A file is written again and again, each time as one complete state: a constant whose value is
the number of the write, beside functions that carry the same number. Each reader has a proxy of its own and asks without pause.

    tests/bench/churn.py [--seconds 600] [--pause 0.1] [CORPUS]

Shown: each answer is one complete written state that is not older than the last write before the question, or says
`stale_index`; views held through it answer byte-equal pages; after the last write an answer is right within a second.
"""

import argparse
import re
import statistics
import sys
import threading
import time

from measure import Server, Tree, build, machine, percentile, server_of

PARTS = 5
NUMBER = re.compile(r"churn_state_(\d+)_part_(\d)")
VIEW = re.compile(r"[0-9a-f]{64}")


def text(number):
    return "".join(f"def churn_state_{number}_part_{part}():\n    return {number}\n\n\n" for part in range(PARTS))


class Writer(threading.Thread):
    def __init__(self, path, pause):
        super().__init__()
        self.path, self.pause = path, pause
        self.number, self.ending = 0, False

    def run(self):
        while not self.ending:
            with open(self.path, "w") as file:
                file.write(text(self.number + 1))
            # Counted when the write has returned: a question asked from here on must see it.
            self.number += 1
            time.sleep(self.pause)


class Reader(threading.Thread):
    def __init__(self, rift, root, writer):
        super().__init__()
        self.server = Server(rift, root, shared=True)
        self.writer, self.ending = writer, False
        self.times, self.stale, self.faults, self.held = [], 0, [], []

    def run(self):
        while not self.ending:
            least = self.writer.number
            elapsed, answer = self.server.timed("get_source", {"unit": "rift://source/project/churn.py"})
            self.times.append(elapsed)
            if "stale_index" in answer:
                self.stale += 1
                continue
            parts = NUMBER.findall(answer)
            numbers = {int(number) for number, _ in parts}
            if len(parts) != PARTS or len(numbers) != 1:
                self.faults.append(f"torn: {sorted(numbers)}, {len(parts)} parts")
            elif numbers.pop() < least:
                self.faults.append(f"behind {least} without a warning")
            if len(self.times) % 200 == 1:
                self.hold()

    def hold(self):
        """Keeps one view with a page read from it, and reads another again."""
        question = {"query": "churn_state", "target": "symbol", "limit": 3}
        answer = self.server.ask("tools/call", {"name": "search", "arguments": question})["content"][0]["text"]
        view = VIEW.search(answer)
        if view:
            question["view"] = view.group()
            self.held.append((question, self.server.call("search", question)))
        question, page = self.held[len(self.held) // 2] if self.held else (None, None)
        if question and self.server.call("search", question) != page:
            self.faults.append(f"a held view answers otherwise: {question}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", nargs="?", default="django")
    arguments.add_argument("--seconds", type=float, default=600)
    arguments.add_argument("--pause", type=float, default=0.1)
    options = arguments.parse_args()
    (rift,) = build("rift")
    with Tree(options.corpus) as root:
        path = root / "churn.py"
        path.write_text(text(0))
        with Server(rift, root) as server:
            server.wait_prepared()
            writer = Writer(path, options.pause)
            readers = [Reader(rift, root, writer) for _ in range(4)]
            memory = server_of(root).memory()
            for thread in [writer, *readers]:
                thread.start()
            time.sleep(options.seconds)
            writer.ending = True
            writer.join()
            settled = time.perf_counter()
            while f"churn_state_{writer.number}_part_0" not in server.call("get_source", {"unit": "rift://source/project/churn.py"}):
                if time.perf_counter() - settled > 10:
                    sys.exit("the last write is not answered")
            settled = time.perf_counter() - settled
            for reader in readers:
                reader.ending = True
                reader.join()
            after = server_of(root).memory()
            for reader in readers:
                reader.server.close()
    times = [time for reader in readers for time in reader.times]
    faults = [fault for reader in readers for fault in reader.faults]
    held = sum(len(reader.held) for reader in readers)
    print(f"{machine()}; {options.corpus}, {options.seconds:.0f} s\n")
    print(f"writes {writer.number}, answers {len(times)}, stale {sum(reader.stale for reader in readers)}, views held {held}")
    print(f"median {statistics.median(times):.2f} ms, p99 {percentile(times, 0.99):.2f} ms, most {max(times):.1f} ms")
    print(f"the last write was answered after {settled * 1000:.1f} ms: {'ok' if settled <= 1 else 'OVER'}")
    print(f"memory {memory:.0f} MB before, {after:.0f} MB after")
    print(f"wrong answers: {len(faults)} {faults[:5]}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Cold index of real code: CPU time and peak memory of a whole `rift search` with nothing stored, side by side with the
parse floor (every file read and parsed with the same grammars, nothing else), universal-ctags and brokk-bifrost; and of a
whole `rift map`, which binds every file and counts the references besides.

    tests/bench/cold.py [--rounds 5] [--without bifrost] [CORPUS…]

Runs alternate, so that a change of the machine's load meets them all; medians are printed. `tests/bench/setup.sh`
installs the peers.
"""

import argparse
import shutil
import tempfile

from measure import CACHE, build, corpora, forget, machine, median, run

DEFAULT = ["django", "openjdk-17-source", "rust-crates"]
BIFROST = CACHE / "bifrost" / "bin" / "bifrost"


def rift(binary, root, *command):
    forget(binary, root)
    try:
        with tempfile.TemporaryDirectory(prefix="rift-bench-") as cache:
            # A search that finds nothing ends with 1.
            return run([binary, *command, "--root", root], env={"XDG_CACHE_HOME": cache}, check=False)
    finally:
        forget(binary, root)


def ctags(root):
    with tempfile.NamedTemporaryFile() as tags:
        return run(["ctags", "-R", "-f", tags.name, root])


def bifrost(root):
    # Its index lies in the analysed folder; nobody else may see it.
    shutil.rmtree(root / ".bifrost", ignore_errors=True)
    try:
        command = [BIFROST, "--root", root, "--tool", "search_symbols", "--args", '{"patterns":["HashMap"]}']
        return run(command, env={"BIFROST_SEMANTIC_PACK_DOWNLOAD": "off"})
    finally:
        shutil.rmtree(root / ".bifrost", ignore_errors=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpora", nargs="*", default=DEFAULT)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--without", action="append", default=[], help="a program to leave out")
    options = arguments.parse_args()
    rift_binary, floor_binary = build("rift", "parse-floor")
    programs = {
        "parse floor": lambda root: run([floor_binary, root]),
        "rift": lambda root: rift(rift_binary, root, "search", "HashMap"),
        "rift, all bound": lambda root: rift(rift_binary, root, "map"),
        "ctags": ctags,
        "bifrost": bifrost,
    }
    programs = {name: program for name, program in programs.items() if name not in options.without}
    print(f"{machine()}; medians of {options.rounds}\n")
    print("| corpus | program | CPU s | peak MB | wall s | CPU / floor | CPU / bifrost | peak / bifrost |")
    print("|---|---|---|---|---|---|---|---|")
    verdicts = []
    for corpus, root in corpora(*options.corpora).items():
        usages = {name: [] for name in programs}
        for _ in range(options.rounds):
            for name, program in programs.items():
                usages[name].append(program(root))
        floor_words = usages["parse floor"][0].stdout.split()
        source = int(floor_words[floor_words.index("parsed_bytes") + 1]) / 1e6
        medians = {name: median(runs) for name, runs in usages.items()}
        floor, peer = medians["parse floor"], medians.get("bifrost")
        for name, usage in medians.items():
            peer_ratios = f"{usage.cpu / peer.cpu:.2f} | {usage.peak / peer.peak:.2f}" if peer else "- | -"
            print(
                f"| {corpus} ({source:.0f} MB parsed) | {name} | {usage.cpu:.2f} | {usage.peak:.0f} | {usage.wall:.2f}"
                f" | {usage.cpu / floor.cpu:.2f} | {peer_ratios} |",
                flush=True,
            )
        verdicts.append((corpus, medians["rift"], medians.get("rift, all bound"), floor, peer, source))
    print()
    for corpus, ours, bound, floor, peer, source in verdicts:
        limits = [("CPU s, 2.5 × floor", ours.cpu, 2.5 * floor.cpu), ("peak MB, 8 × source + 100", ours.peak, 8 * source + 100)]
        if bound:
            limits.append(("CPU s of all bindings, 1.5 × the index", bound.cpu - ours.cpu, 1.5 * ours.cpu))
        if peer:
            limits += [("CPU s, half of bifrost", ours.cpu, peer.cpu / 2), ("peak MB, half of bifrost", ours.peak, peer.peak / 2)]
        for what, have, most in limits:
            print(f"{'ok  ' if have <= most else 'OVER'} {corpus}: {what}: {have:.2f} of at most {most:.2f}")


if __name__ == "__main__":
    main()

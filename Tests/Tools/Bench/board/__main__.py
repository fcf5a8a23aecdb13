"""Counts on the emulated board what playing costs the board's own processor: see Tests/run bench, which builds what this
needs."""

import argparse
import datetime
import gzip
import json
import pathlib
import re
import subprocess
import sys

import idling
import image
import playing
import starting
from boards import board_file, started_file
from emulator import Board
from figures import Figure, table
from marks import put

TOP = pathlib.Path(__file__).resolve().parents[4]
# A table each, between these lines of deploy/measured.md.
MARKS = {
    "counted": ("<!-- board -->", "<!-- end of board -->"),
    "starting": ("<!-- board starting -->", "<!-- end of board starting -->"),
}
PLAYERS = ["Jackdaw", "mpg123", "flac", "mpd"]


def size(package: pathlib.Path) -> list[Figure]:
    program = (package / "usr/bin/jackdaw").stat().st_size / 1e6
    return [Figure("size of the program", "MB", {"Jackdaw": program}, goal=15, is_counted=True)]


def estimate(raw: dict) -> str:
    """What it may be of a real board, in words."""
    both = (raw["user"]["jackdaw-mp3"] + raw["kernel"]["jackdaw-mp3"]) / playing.HERTZ
    low, high = (100 * both * cycles for cycles in playing.CYCLES)
    return (f"Estimate, not measured: an MP3 takes {low:.1f} to {high:.1f} % of one core of a Raspberry Pi Zero 2 W: its "
            f"instructions in user mode and in the kernel, {both * 1e3:.2f} million a second, at "
            f"{playing.CYCLES[0]:g} to {playing.CYCLES[1]:g} cycles each and {playing.HERTZ / 1e9:g} GHz.\n")


def about(system: pathlib.Path, command: str, packages: tuple[str, ...]) -> str:
    """When and with what."""
    def version(package: str) -> str:
        """From its changelog: the tree is only unpacked, and has no list of what is installed."""
        log = system / f"usr/share/doc/{package}/changelog.Debian.gz"
        found = re.match(rb"\S+ \((\S+)\)", gzip.open(log).readline()) if log.exists() else None
        return f"{package} {found.group(1).decode()}" if found else package

    commit = subprocess.run(["git", "describe", "--always", "--dirty"], stdout=subprocess.PIPE, text=True, cwd=TOP)
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    kernel = next((system / "boot").glob("vmlinuz-*")).name.removeprefix("vmlinuz-")
    versions = "".join(f", {version(package)}" for package in packages)
    return (f"Measured {date} at {commit.stdout.strip()} with `{command}` on an emulated Cortex-A53, Debian 13, "
            f"kernel {kernel}{versions}.\n")


def counted(board: Board, options: argparse.Namespace, progress) -> tuple[list[Figure], dict, str]:
    """What needs no clock."""
    print("--> playing", flush=True)
    figures, counts = playing.measure(board, TOP / "board/sim/music", options.out, progress)
    print("--> steady", flush=True)
    more, raw = idling.measure(board, options.out / "tracks", options.out, progress)
    return figures + more + size(options.package), counts | raw, estimate(counts) + about(
        options.system, "Tests/run bench --board --only counted", ("libmpg123-0t64", "libflac14", "mpg123", "flac", "mpd"))


def started(board: Board, options: argparse.Namespace, progress) -> tuple[list[Figure], dict, str]:
    """From power to sound, but for what comes before the program."""
    print("--> starting", flush=True)
    figures, raw = starting.measure(board, TOP / "board/sim/music", options.out, progress)
    return figures, raw, about(options.system, "Tests/run bench --board --only starting", ())


PARTS = {"counted": counted, "starting": started}


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/run bench --board")
    for name, meaning in (("package", "the package, unpacked"), ("emulator", "a tree with QEMU"),
                          ("system", "a tree of the board's Debian with the players"), ("tools", "built for the board"),
                          ("out", "for the report")):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True, help=meaning)
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--publish", action="store_true")
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    first_files, disk = image.make(
        options.system, options.package, sorted(options.tools.iterdir()),
        {"counted.toml": board_file(44_100), "counted-48.toml": board_file(48_000), "started.toml": started_file()},
        options.out)
    board = Board(options.emulator, next((options.system / "boot").glob("vmlinuz-*")), first_files, disk)

    def progress(text: str) -> None:
        print("".join(f"    {line}\n" for line in text.splitlines()), end="", flush=True)

    report, missed = {}, []
    for name in options.only or PARTS:
        figures, raw, words = PARTS[name](board, options, progress)
        # A table has a column for whoever is in it.
        players = [player for player in PLAYERS if any(player in one.values for one in figures)]
        rows = [dict(vars(one), verdict=one.verdict) for one in figures]
        report[name] = {"about": words, "figures": rows, "raw": raw}
        (options.out / "report.json").write_text(json.dumps(report, indent=1))
        print(f"\n{table(figures, players)}\n{words}\nReport: {options.out}")
        if options.publish:
            put(TOP / "deploy/measured.md", f"{table(figures, players, is_markdown=True)}\n{words}", MARKS[name])
        missed += [f"{one.name} {one.unit}" for one in figures if one.is_counted and one.verdict == "MISSED"]
    if missed:
        print(f"Goals missed, whatever the machine: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Measures Jackdaw and other players on the same work: see Tests/run bench, which builds what this needs."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import cards
import clicks
import headset
import instructions
import load
import manners
import music
import pictures
import players
import reaction
import scan
import steady
import virtual
from figures import Figure, table
from marks import put

NAMES = [kind.name for kind in players.ALL]
TOP = pathlib.Path(__file__).resolve().parents[3]
MARKS = ("<!-- bench -->", "<!-- end of bench -->")
CARD_MARKS = ("<!-- cards -->", "<!-- end of cards -->")
HEADSET_MARKS = ("<!-- headset -->", "<!-- end of headset -->")
MANNERS_MARKS = ("<!-- manners -->", "<!-- end of manners -->")


def size(setting: players.Setting) -> tuple[list[Figure], dict]:
    size = setting.jackdaw.stat().st_size / 1e6
    return [Figure("stripped size", "MB", {"Jackdaw": size}, goal=15, is_counted=True)], {}


def parts(setting: players.Setting, is_quick: bool, minutes: float | None, chosen: list[str], progress) -> dict:
    """Every part of the benchmark by its name, in the order of the table."""
    few = 3 if is_quick else 15
    minutes = minutes if minutes is not None else 0.1 if is_quick else 3
    return {
        "instructions": lambda: instructions.measure(setting, progress),
        "steady": lambda: steady.measure(setting, progress, 1 if is_quick else 2, 5 if is_quick else 10),
        "unplugs": lambda: reaction.unplugs(setting, progress, 20 if is_quick else 105, 9 if is_quick else 33),
        "virtual": lambda: virtual.measure(setting, progress),
        "clicks": lambda: clicks.measure(setting, progress, 1 if is_quick else 4),
        "starts": lambda: reaction.starts(setting, progress, few),
        "cards": lambda: cards.measure(setting, progress, 2 if is_quick else 6, 3 if is_quick else 5, minutes, chosen),
        "size": lambda: size(setting),
        "load": lambda: load.measure(setting, progress, 20 if is_quick else 105),
        "simulation": lambda: virtual.simulation(setting, progress, 1 if is_quick else 3),
        "scan": lambda: scan.measure(setting, progress, few),
        "headset": lambda: headset.measure(setting, progress, 5 if is_quick else 20, 10 if is_quick else 40),
        "manners": lambda: manners.measure(
            setting, progress, few, 1 if is_quick else 3, 1 if is_quick else 3,
            [30] if is_quick else [40, 95, 150, 215, 285]),
    }


# The parts that need no clock.
COUNTED = ("instructions", "virtual", "size")


def machine() -> dict[str, str]:
    def first_line(*command: str) -> str:
        # Some of them are not needed with --counted.
        if not shutil.which(command[0]):
            return "not there"
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=TOP)
        return (run.stdout.splitlines() or [""])[0]

    processor = re.search(r"(?m)^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    release = dict(re.findall(r'(?m)^(\w+)="?([^"\n]*)', pathlib.Path("/etc/os-release").read_text()))
    commit = first_line("git", "rev-parse", "--short", "HEAD")
    if first_line("git", "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "commit": commit,
        "processor": f"{processor.group(1) if processor else platform.machine()} x {os.cpu_count()}",
        "system": f"{release.get('PRETTY_NAME', 'Linux')}, kernel {platform.release()}",
        "mpg123": first_line("mpg123", "--version"),
        "mpd": first_line("mpd", "--version"),
        "mpv": first_line("mpv", "--no-config", "--version").split(" Copyright")[0],
        "valgrind": first_line("valgrind", "--version"),
    }


def draw(folder: pathlib.Path, raw: dict, footer: str) -> None:
    if "unplugs" in raw:
        (folder / "silence.svg").write_text(pictures.silence(
            raw["unplugs"]["cuts"], raw["unplugs"]["largest step of the music"], reaction.SILENCE_BEFORE, reaction.SILENCE_AFTER, music.RATE, footer))
        (folder / "latency.svg").write_text(pictures.latency(raw["unplugs"]["seconds"], 10, footer))
    if "steady" in raw:
        def mean(key: str) -> dict[str, float]:
            return {name: sum(one[key] for one in found) / len(found) for name, found in raw["steady"].items()}

        (folder / "wakeups.svg").write_text(pictures.wakeups(mean("playing"), mean("paused"), 10, footer))


def publish(folder: pathlib.Path, tables: dict[tuple[str, str], str], about: dict[str, str]) -> None:
    """The tables that were measured, each between its marks."""
    report = TOP / "deploy/measured"
    report.mkdir(exist_ok=True)
    for picture in folder.glob("*.svg"):
        (report / picture.name).write_text(picture.read_text())
    versions = "; ".join(about[name] for name in ("system", "mpg123", "mpd", "mpv", "valgrind"))
    made = f"Measured {about['date']} on {about['processor']}, {versions}.\n"
    for marks, content in tables.items():
        if content:
            put(TOP / "deploy/measured.md", f"{content}\n{made}", marks)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/run bench")
    parser.add_argument("--jackdaw", type=pathlib.Path, required=True)
    parser.add_argument("--plugin", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, default=TOP / ".build/bench")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--counted", action="store_true")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--card", action="append", default=[], metavar="NAME")
    parser.add_argument("--publish", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    about, figures, raw = machine(), [], {}
    with tempfile.TemporaryDirectory(prefix="jackdaw-bench-") as folder:
        setting = players.Setting(pathlib.Path(folder), TOP, options.jackdaw.resolve(), options.plugin.resolve())
        todo = parts(
            setting, options.quick, options.minutes, options.card, lambda line: print(f"    {line}", flush=True))
        wanted = options.only or (COUNTED if options.counted else list(todo))
        if unknown := set(wanted) - set(todo):
            parser.error(f"--only {', '.join(unknown)}: expected one of {', '.join(todo)}")
        for name in wanted:
            print(f"--> {name}", flush=True)
            found, raw[name] = todo[name]()
            figures += found
    return finish(options, about, figures, raw)


def finish(options: argparse.Namespace, about: dict[str, str], figures: list[Figure], raw: dict) -> int:
    text = table(figures, NAMES) if figures else ""
    markdown = table(figures, NAMES, is_markdown=True) if figures else ""
    card_text = cards.table(raw["cards"]) if "cards" in raw else ""
    card_markdown = cards.table(raw["cards"], is_markdown=True) if "cards" in raw else ""
    headset_text = headset.table(raw["headset"]) if "headset" in raw else ""
    manners_text = manners.table(raw["manners"]) if "manners" in raw else ""
    (options.out / "table.txt").write_text(text + card_text + headset_text + manners_text)
    (options.out / "table.md").write_text(markdown + card_markdown + headset_text + manners_text)
    rows = [dict(vars(figure), verdict=figure.verdict) for figure in figures]
    (options.out / "report.json").write_text(json.dumps({"about": about, "figures": rows, "raw": raw}, indent=1))
    draw(options.out, raw, f"{about['date']}, {about['processor']}, {about['system']}")
    if options.publish:
        publish(options.out, {
            MARKS: markdown, CARD_MARKS: card_markdown, HEADSET_MARKS: headset_text, MANNERS_MARKS: manners_text}, about)
    print("\n" + "".join(f"{key}: {value}\n" for key, value in about.items()))
    print("\n".join(filter(None, (text, card_text, headset_text, manners_text))))
    print(f"Report: {options.out}")
    missed = [figure.name for figure in figures if figure.is_counted and figure.verdict == "MISSED"]
    if "headset" in raw and headset.missed(raw["headset"]):
        missed.append("a headset that changes nothing for another port")
    if missed:
        print(f"Goals missed, whatever the machine: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

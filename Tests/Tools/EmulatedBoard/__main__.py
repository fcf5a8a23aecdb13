"""Boots the emulated board with the product on it and checks it row by row: see deploy/board-test, which prepares what
this needs."""

import argparse
import concurrent.futures
import dataclasses
import pathlib
import shutil
import sys

# For event_log.
sys.path.append(str(pathlib.Path(__file__).parents[1]))

import check
import guest
import sound
from bench import Bench
from checks import (
    blocked, boots, buttons, contacts, exchange, playback, power, prompt, recording,
    routes, serial, shims, sleep, storm, supervised, usb)
from machine import Machine
from wiring import Wiring

HERE = pathlib.Path(__file__).parent
TOP = HERE.parents[2]
# Seconds. The first is long enough for every check; the last cannot be played.
TRACKS = {1: 60, 2: 3, 3: 3}
DAMAGED = "4.mp3"


@dataclasses.dataclass
class BoardRun:
    """What is done to one board from its power on to the end."""

    name: str
    board_file: pathlib.Path
    groups: list
    options: str | None = None  # of the service
    console: str = "ttyAMA0"


# Two at once, on two processors. Each starts with power on.
RUNS = [
    BoardRun("visitors", TOP / "board/emulated.toml", [boots, routes, playback, prompt, buttons, storm, usb, sleep, shims]),
    BoardRun("contacts", HERE / "contacts.toml", [contacts, exchange, serial, recording, power, supervised],
          options="--board /etc/jackdaw/contacts.toml"),
    # The serial line on the chip stops the whole emulated machine when nobody reads it. One on a card only stops
    # sending, like a real one, but loses now and then what is typed.
    BoardRun("blocked", HERE / "contacts.toml", [blocked], options="--board /etc/jackdaw/contacts.toml", console="ttyS0"),
]


def carry_out(run: BoardRun, options: argparse.Namespace, tracks: list[sound.Track]) -> list[check.Result]:
    """Makes the checks of a run on a board of its own; prints a line for each check."""
    wanted = [one for group in run.groups for one in check.of(group)]
    if options.only:
        wanted = [one for one in wanted if set(options.only) & set(one.rows.split())]
    if not wanted:
        return []
    folder = options.out / run.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    board = build(run, options, folder)
    results = []
    try:
        bench = Bench(board, tracks)
        bench.start()
        for one in wanted:
            results.append(check.carry_out(one, bench))
            print(f"{results[-1].line}", flush=True)
            if results[-1].error:
                print("".join(f"      {line}\n" for line in results[-1].error.splitlines()), end="")
                print(f"      the console's log: {folder / 'console.log'}", flush=True)
        bench.save_journal()
    finally:
        board.close()
    return results


def build(run: BoardRun, options: argparse.Namespace, folder: pathlib.Path) -> Machine:
    guest.make_product(options.package, run.options, folder / "product.cpio")
    first = folder / "first-files.cpio"
    first.write_bytes((options.out / "base.cpio").read_bytes() + (folder / "product.cpio").read_bytes())
    settings = folder / "settings"
    settings.mkdir()
    shutil.copy(HERE / "settings.toml", settings / "jackdaw.toml")
    (settings / "cues").mkdir()
    sound.make_cue(settings / "cues" / "chime.wav")
    (settings / "formats").mkdir()
    for name in playback.FORMATS:
        shutil.copy(TOP / "Tests/TrackDecodingTests/Fixtures" / name, settings / "formats")
    board_file = settings / run.board_file.name
    board_file.write_text(run.board_file.read_text().replace("ttyAMA0", run.console))
    guest.make_disk(settings, options.out / "music", folder / "disk")
    return Machine(options.emulator, guest.kernel(options.system), first, folder / "disk", folder,
                   Wiring.read(board_file))


def make_music(folder: pathlib.Path) -> list[sound.Track]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / DAMAGED).write_bytes(b"This is no music.\n" * 100)
    return [sound.make_track(number, seconds, folder / f"{number}.wav") for number, seconds in TRACKS.items()]


def main() -> int:
    parser = argparse.ArgumentParser(prog="deploy/board-test")
    parser.add_argument("--package", type=pathlib.Path, required=True, help="the package, unpacked")
    parser.add_argument("--emulator", type=pathlib.Path, required=True, help="a tree with QEMU")
    parser.add_argument("--system", type=pathlib.Path, required=True, help="a tree of the board's own Debian")
    parser.add_argument("--fences", type=pathlib.Path, required=True, help="fences.c, built for the board")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="for logs and sound")
    parser.add_argument("--only", action="append", default=[], metavar="ROW")
    options = parser.parse_args()
    known = {row for run in RUNS for group in run.groups for one in check.of(group) for row in one.rows.split()}
    if unknown := set(options.only) - known:
        parser.error(f"--only {' '.join(sorted(unknown))}: expected one of {' '.join(sorted(known))}")
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    guest.make_base(options.system, options.fences, options.out / "base.cpio")
    tracks = make_music(options.out / "music")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        running = [pool.submit(carry_out, run, options, tracks) for run in RUNS]
        results = [result for one in running for result in one.result()]
    failed = [result for result in results if result.error]
    print(f"\n{len(results) - len(failed)} of {len(results)} checks passed; logs and sound are in {options.out}")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())

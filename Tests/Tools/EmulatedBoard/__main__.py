"""Boots the emulated board with the product on it and checks it row by row: see Tests/run board, which prepares what
this needs."""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import pathlib
import shutil
import sys

# For event_log.
sys.path.append(str(pathlib.Path(__file__).parents[1]))

import bluetooth
import check
import guest
import sound
from bench import Bench
from checks import (
    blocked, boots, buttons, choice, contacts, counting, emptied, exchange, keypad, playback, power, prompt, recording,
    routes, serial, shims, sleep, stick, storm, supervised, usb, visits, wireless)
from machine import Machine
from radio import Radio
from wiring import Wiring

HERE = pathlib.Path(__file__).parent
TOP = HERE.parents[2]
# Seconds. The first is long enough for every check; the last cannot be played.
TRACKS = {1: 60, 2: 3, 3: 3}
DAMAGED = "4.mp3"
# On the USB stick, where they are one playlist.
STICK_TRACKS = {11: 3, 12: 30}


@dataclasses.dataclass
class BoardRun:
    """What is done to one board from its power on to the end."""

    name: str
    board_file: pathlib.Path
    groups: list
    options: str | None = None  # of the service
    console: str = "ttyAMA0"
    has_radio: bool = False


# Two at once, on two processors. Each starts with power on.
RUNS = [
    BoardRun("visitors", TOP / "board/emulated.toml", [boots, routes, playback, prompt, visits, buttons, storm, usb, sleep, shims]),
    BoardRun("contacts", HERE / "contacts.toml",
          [contacts, exchange, serial, choice, stick, emptied, keypad, recording, power, counting, supervised],
          options="--board /etc/jackdaw/contacts.toml"),
    BoardRun("wireless", HERE / "wireless.toml", [wireless], options="--board /etc/jackdaw/wireless.toml", has_radio=True),
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
    if run.has_radio and not options.headset:
        print(f"SKIP  {len(wanted)} checks with a Bluetooth headset: it cannot be installed here", flush=True)
        return []
    folder = options.out / run.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    results = []
    with contextlib.ExitStack() as stack:
        radio = make_radio(options, folder) if run.has_radio else None
        files = build(run, options, folder, radio)
        if radio:
            stack.enter_context(radio)
        board = Machine(options.emulator, guest.kernel(options.system), files, folder / "disk", folder / "stick", folder,
                        Wiring.read(folder / "settings" / run.board_file.name), radio.board_socket if radio else None)
        stack.callback(board.close)
        bench = Bench(board, tracks, radio)
        bench.start()
        for one in wanted:
            results.append(check.carry_out(one, bench))
            print(f"{results[-1].line}", flush=True)
            if results[-1].error:
                print("".join(f"      {line}\n" for line in results[-1].error.splitlines()), end="")
                print(f"      the console's log: {folder / 'console.log'}", flush=True)
        bench.save_journal()
    return results


def make_radio(options: argparse.Namespace, folder: pathlib.Path) -> Radio:
    return Radio(options.headset, folder / "radio", {number: options.out / "music" / f"{number}.wav" for number in TRACKS})


def build(run: BoardRun, options: argparse.Namespace, folder: pathlib.Path, radio: Radio | None) -> pathlib.Path:
    """Makes all that a board boots; returns its first files."""
    guest.make_product(options.package, run.options, folder / "product.cpio")
    archives = [options.out / "base.cpio", folder / "product.cpio"]
    if radio:
        archives.append(folder / "bluetooth.cpio")
        bluetooth.make(options.system, options.package, archives[-1])
    first = folder / "first-files.cpio"
    first.write_bytes(b"".join(archive.read_bytes() for archive in archives))
    settings = folder / "settings"
    settings.mkdir()
    text = (HERE / "settings.toml").read_text()
    if radio:
        # A headset takes longer to come back than a plug does.
        text = text.replace('resume_window = "6s"', 'resume_window = "90s"').replace('idle_reset = "12s"', "")
    (settings / "jackdaw.toml").write_text(text)
    (settings / "cues").mkdir()
    sound.make_cue(settings / "cues" / "chime.wav")
    (settings / "formats").mkdir()
    for name in playback.FORMATS:
        shutil.copy(TOP / "Tests/TrackDecodingTests/Fixtures" / name, settings / "formats")
    board_file = settings / run.board_file.name
    board_file.write_text(run.board_file.read_text().replace("ttyAMA0", run.console))
    state = folder / "state"
    state.mkdir()
    if radio:
        radio.write_bond(state)
    guest.make_disk(settings, options.out / "music", state, folder / "disk")
    guest.make_stick(options.out / "stick", folder / "stick")
    return first


def make_tracks(folder: pathlib.Path, lengths: dict[int, int]) -> list[sound.Track]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return [sound.make_track(number, seconds, folder / f"{number}.wav") for number, seconds in lengths.items()]


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/run board")
    parser.add_argument("--package", type=pathlib.Path, required=True, help="the package, unpacked")
    parser.add_argument("--emulator", type=pathlib.Path, required=True, help="a tree with QEMU")
    parser.add_argument("--system", type=pathlib.Path, required=True, help="a tree of the board's own Debian")
    parser.add_argument("--headset", type=pathlib.Path, help="a tree with btvirt, and Bumble; none: no Bluetooth")
    parser.add_argument("--fences", type=pathlib.Path, required=True, help="fences.c, built for the board")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="for logs and sound")
    parser.add_argument("--only", action="append", default=[], metavar="ROW")
    options = parser.parse_args()
    known = {row for run in RUNS for group in run.groups for one in check.of(group) for row in one.rows.split()}
    if unknown := set(options.only) - known:
        parser.error(f"--only {' '.join(sorted(unknown))}: expected one of {' '.join(sorted(known))}")
    options.out = options.out.resolve()
    options.headset = options.headset and options.headset.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    guest.make_base(options.system, options.fences, options.out / "base.cpio")
    tracks = make_tracks(options.out / "music", TRACKS) + make_tracks(options.out / "stick" / stick.PLAYLIST, STICK_TRACKS)
    (options.out / "music" / DAMAGED).write_bytes(b"This is no music.\n" * 100)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        running = [pool.submit(carry_out, run, options, tracks) for run in RUNS]
        results = [result for one in running for result in one.result()]
    failed = [result for result in results if result.error]
    print(f"\n{len(results) - len(failed)} of {len(results)} checks passed; logs and sound are in {options.out}")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())

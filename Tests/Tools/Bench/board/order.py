"""The functions that a kiosk calls on the board, for the linker to place side by side: see deploy/link-order.

    python3 -B Tests/Tools/Bench/board/order.py --package FOLDER --emulator TREE --system TREE --tools FOLDER --out FILE

What is called while it plays comes first, then what reacts, then what only a start calls. The linker leaves out names
that it does not find, and puts functions that are not named here behind all others: an old list makes the program larger
in memory and its start slower, and nothing else.
"""

import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[3]
sys.path += [str(HERE.parent), str(HERE.parents[1] / "EmulatedBoard")]

import image
import music
from boards import started_file
from emulator import Board

# What the program knows the ordered code by (Sources/CLinux/CLinux.c).
FIRST, LAST = "first_of_ordered_code", "last_of_ordered_code"
# Called before `main` by a jump at the end of another function, where Callgrind does not see it.
UNSEEN = {
    "_ZL18_registerProtocolsRN12_GLOBAL__N_128ProtocolMetadataPrivateStateEPKN5swift20TargetProtocolRecordINS2_9InProcessEEES7_",
}


def called(file: pathlib.Path) -> set[str]:
    """Names of the program's own functions in one of Callgrind's files, but for addresses, where a function has none."""
    names, is_own = set(), False
    for line in file.read_text(errors="replace").splitlines():
        if line.startswith("ob="):
            is_own = line.endswith("/jackdaw")
        elif line.startswith("fn=") and is_own:
            names.add(re.sub(r"'\d+$", "", line[3:]))
    return {name for name in names if re.match(r"[A-Za-z_$]", name)}


def phases(folder: pathlib.Path) -> list[set[str]]:
    """What a start called, a kiosk that plays, and one that reacts."""
    kiosk = (folder / "kiosk").read_text().strip()
    found: list[set[str]] = [set(), set(), set()]
    # Those of a process that was killed are empty.
    for file in filter(lambda file: file.stat().st_size, folder.glob("calls.*")):
        _, process, *_ = file.name.split(".")
        what = re.search(r"(?m)^desc: Trigger: (.*)$", file.read_text(errors="replace"))[1]
        if "release_code" in what or "starting" in what:
            phase = 0
        else:
            # The process that decodes does nothing else.
            phase = 1 if "playing" in what or process != kiosk else 2
        found[phase] |= called(file)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="deploy/link-order/order-functions")
    for name in ("package", "emulator", "system", "tools", "out"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    folder = options.tools.parent
    first_files, disk = image.make(options.system, options.package, sorted(options.tools.iterdir()),
                                   {"started.toml": started_file()}, folder)
    # Twice as fast as the measured board, so that the music keeps up under Valgrind.
    board = Board(options.emulator, next((options.system / "boot").glob("vmlinuz-*")), first_files, disk, shift=0)
    piece = music.pieces(TOP / "board/sim/music", folder / "piece.mp3", 60)
    print(board.run(folder / "job", (HERE / "job.sh").read_text() + (HERE / "order.sh").read_text(), [piece]))
    starts, plays, reacts = (
        set().union(*found) for found in zip(*(phases(folder / "job" / run) for run in ("first", "second"))))
    names = dict.fromkeys([FIRST, *sorted(plays), *sorted(reacts), *sorted((starts | UNSEEN) - {FIRST, LAST}), LAST])
    if min(map(len, (starts, plays, reacts))) < 300:
        raise SystemExit(f"{len(plays)} functions are called by a playing kiosk, {len(reacts)} by one that reacts and "
                         f"{len(starts)} by a start: expected at least 300 each")
    options.out.write_text("".join(f"{name}\n" for name in names))
    print(f"    {len(plays)} functions are called by a playing kiosk, {len(names)} in all")


if __name__ == "__main__":
    main()

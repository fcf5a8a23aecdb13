"""The functions that a kiosk calls in a short run under callgrind, for the linker to place side by side.

    python3 -B Tests/Tools/Bench/layout.py --jackdaw FILE --plugin FILE --out FILE

What is called while it plays comes first, then what reacts, then what only a start calls. The linker leaves out names
that it does not find, and puts functions that are not named here behind all others: an old list makes the program a
little larger in memory, and nothing else.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

import music
import players

TOP = pathlib.Path(__file__).resolve().parents[3]

# Keys of the simulated board, and the event that each has to cause once it plays.
ACTS = [
    ("n", "track.started"), ("-", "volume.changed"), ("+", "volume.changed"),
    ("h", "playback.paused"), ("h", "playback.resumed"), ("g", "interruption.began"), ("g", "interruption.ended"),
    ("p", "playback.paused"), ("p", "playback.resumed"), ("d", "port.connected"), ("s", "playback.stopped"),
    ("p", "playback.started"),
]


class Traced(players.Jackdaw):
    """The program frees code that only a start needs twice; callgrind begins a new file each time."""

    @property
    def calls(self) -> pathlib.Path:
        return self.folder / "calls"

    def prefix(self) -> list[str]:
        return ["valgrind", "--tool=callgrind", "--demangle=no", "--compress-strings=no", "--compress-pos=no",
                "--dump-before=release_code", f"--callgrind-out-file={self.calls}"]

    def act(self) -> None:
        self.play()
        self.wait_for(lambda: self.main.heard.exists() and self.main.heard.stat().st_size > 1_000_000, "music")
        subprocess.run(["callgrind_control", "--dump=playing", str(self.pid)], check=True, stdout=subprocess.DEVNULL)
        for key, event in ACTS:
            count = self.log.read_text().count(f" {event}")
            self.key(key)
            self.wait_for(lambda: self.log.read_text().count(f" {event}") > count, f"{event} after {key}")
        self.process.terminate()
        self.process.wait(30)


def called(file: pathlib.Path, program: str) -> set[str]:
    """Names of the program's own functions in one of callgrind's files."""
    names, is_own = set(), False
    for line in file.read_text(errors="replace").splitlines():
        if line.startswith("ob="):
            is_own = line.endswith(f"/{program}")
        elif line.startswith("fn=") and is_own:
            names.add(re.sub(r"'\d+$", "", line[3:]))
    return names


def main() -> None:
    parser = argparse.ArgumentParser(prog="order-functions")
    for name in ("--jackdaw", "--plugin", "--out"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        setting = players.Setting(pathlib.Path(folder), TOP, options.jackdaw.resolve(), options.plugin.resolve())
        piece = music.pieces(TOP / "board/sim/music", setting.folder / "piece.mp3", 60)
        with Traced(setting, [piece, piece]) as player:
            player.act()
            files = sorted(player.calls.parent.glob("calls*"), key=lambda file: file.stat().st_mtime_ns)
            # The start makes two files.
            *starting, playing, reacting = [called(file, options.jackdaw.name) for file in files]
    names = [*sorted(playing), *sorted(reacting), *sorted(set().union(*starting))]
    options.out.write_text("".join(f"{name}\n" for name in dict.fromkeys(names)))
    print(f"    {len(playing)} functions are called by a playing kiosk, {len(set(names))} in all")


if __name__ == "__main__":
    main()

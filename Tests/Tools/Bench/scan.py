"""How long a scan of a library of real files takes, warm in memory, against mpd."""

import os
import pathlib
import subprocess
import time

import music
import players
from figures import Figure, median

FILES = 400  # hard links to one file of 4 MB: every one is read by itself


def measure(setting: players.Setting, progress, rounds: int) -> tuple[list[Figure], dict]:
    library = setting.folder / "library"
    library.mkdir()
    piece = music.chord(setting.folder / "track.mp3", 180)
    for number in range(FILES):
        (library / f"{number}.mp3").hardlink_to(piece)
    piece.read_bytes()
    times: dict[str, list[float]] = {"Jackdaw": [], "mpd": []}
    for turn in range(rounds):
        times["Jackdaw"].append(_cpu([str(setting.jackdaw), "scan", str(library)]))
        times["mpd"].append(_mpd(setting, library, turn))
        progress(f"scan {turn + 1}/{rounds}: {times['Jackdaw'][-1]:.2f} s, mpd {times['mpd'][-1]:.2f} s")
    per_track = {name: 1e6 * median(found) / FILES for name, found in times.items()}
    return [
        Figure("library scan, CPU", "µs a track", per_track),
        Figure("library scan, mpd ÷ Jackdaw", "", {"Jackdaw": per_track["mpd"] / per_track["Jackdaw"]}, goal=5,
               at_least=True),
    ], {"seconds": times}


def _cpu(command: list[str]) -> float:
    """CPU seconds of a program."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    usage = os.wait4(process.pid, 0)[2]
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime


def _mpd(setting: players.Setting, library: pathlib.Path, turn: int) -> float:
    """CPU seconds of an update of an empty database."""
    with players.MPD(setting, []) as player:
        for file in library.iterdir():
            (player.music / file.name).hardlink_to(file)
        stat = pathlib.Path(f"/proc/{player.pid}/stat")
        before = _ticks(stat)
        subprocess.run(["mpc", "-q", "update", "--wait"], env=player.environment, check=True,
                       stdout=subprocess.DEVNULL)
        time.sleep(0.2)
        return (_ticks(stat) - before) / os.sysconf("SC_CLK_TCK")


def _ticks(stat: pathlib.Path) -> int:
    fields = stat.read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])

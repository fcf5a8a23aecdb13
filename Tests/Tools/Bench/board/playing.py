"""Instructions for a second of music on the board's processor: the slope between a short and a long piece.

Everything that a program and its children retire in user mode counts, and is counted, not sampled. What a player does
with a file before it plays it is counted in runs that play nothing, and taken off.
"""

import pathlib
import re
import subprocess
import wave

import music
from emulator import Board
from figures import Figure

HERE = pathlib.Path(__file__).parent
SHORT, LONG = 10, 20  # s
# Each of the product's runs: its row, the peer that it is divided by, and the goal of that.
ROWS = (
    ("jackdaw-mp3", "MP3", "mpg123", 1.03),
    ("jackdaw-mp3-60", "MP3 at volume 60", "mpg123", 1.03),
    ("jackdaw-flac", "FLAC", "flac", 1.05),
    ("jackdaw-flac-60", "FLAC at volume 60", "flac", 1.05),
    ("jackdaw-ogg", "Vorbis", None, None),
    ("jackdaw-opus", "Opus at 48 kHz", None, None),
    ("jackdaw-mp3-48", "MP3 of 44.1 kHz at 48 kHz", None, None),
)
# Cycles an instruction of a Cortex-A53 takes at code that decodes, at best and at worst, and its clock on a Raspberry
# Pi Zero 2 W.
CYCLES, HERTZ = (0.7, 1.5), 1.0e9


def pieces(source: pathlib.Path, folder: pathlib.Path) -> list[pathlib.Path]:
    """The same music in every format, short and long."""
    made = []
    for seconds in (SHORT, LONG):
        mp3 = music.pieces(source, folder / f"{seconds}.mp3", seconds)
        wav = folder / f"{seconds}.wav"
        with wave.open(str(wav), "wb") as file:
            file.setparams((2, 2, music.RATE, 0, "NONE", ""))
            file.writeframes(music.decode(mp3)[: seconds * music.RATE * 4])
        made.append(mp3)
        for kind, command in (("flac", ("flac", "-s", "-f", "-o")), ("ogg", ("oggenc", "-Q", "-q", "6", "-o")),
                              ("opus", ("opusenc", "--quiet", "--bitrate", "128"))):
            made.append(folder / f"{seconds}.{kind}")
            words = [*command, made[-1], wav] if kind != "opus" else [*command, wav, made[-1]]
            subprocess.run([str(word) for word in words], check=True)
    return made


def measure(board: Board, source: pathlib.Path, folder: pathlib.Path, progress) -> tuple[list[Figure], dict]:
    tracks = folder / "tracks"
    tracks.mkdir(exist_ok=True)
    script = (HERE / "job.sh").read_text() + (HERE / "playing.sh").read_text()
    printed = board.run(folder / "playing", script, pieces(source, tracks))
    progress(printed)
    user, kernel = slopes(printed)
    figures = []
    for name, title, peer, goal in ROWS:
        figures += rows(user, kernel, name, title, peer, goal)
    return figures, {"user": user, "kernel": kernel}


def rows(user: dict, kernel: dict, name: str, title: str, peer: str | None, goal: float | None) -> list[Figure]:
    """What one of the product's runs took beside those of its peers."""
    runs = {"Jackdaw": name, **({peer: peer} if peer else {})}
    if (other := name.replace("jackdaw", "mpd")) in user:
        runs["mpd"] = other

    def millions(counts: dict) -> dict[str, float]:
        return {player: counts[run] / 1e6 for player, run in runs.items()}

    unit = "million instructions"
    figures = [Figure(title, unit, millions(user)), Figure(f"{title}, in the kernel", unit, millions(kernel))]
    if peer:
        figures.append(Figure(title, f"÷ {peer}", {"Jackdaw": user[name] / user[peer], peer: 1}, goal, is_counted=True))
    if "mpd" in runs:
        figures.append(Figure(title, "÷ mpd", {"Jackdaw": user[name] / user[other], "mpd": 1}, goal=1, is_counted=True))
    # flac plays nothing, so that the kernel has less to do for it.
    for player, run in runs.items():
        if player not in ("Jackdaw", "flac"):
            ratio = (user[name] + kernel[name]) / (user[run] + kernel[run])
            figures.append(Figure(f"{title}, with the kernel's", f"÷ {player}", {"Jackdaw": ratio, player: 1}))
    return figures


def slopes(printed: str) -> tuple[dict[str, float], dict[str, float]]:
    """Instructions a second of music in user mode and in the kernel, by the name of a run."""
    counts: dict[str, tuple[int, int]] = {}
    for name, *numbers in re.findall(r"(\S+/\d+): user (\d+) kernel (\d+) whole (\d) underruns (\d+)", printed):
        user, kernel, whole, underruns = map(int, numbers)
        if not whole or underruns:
            raise RuntimeError(f"{name}: not to be trusted: whole {whole}, {underruns} underruns")
        counts[name] = user, kernel
    found: tuple[dict[str, float], dict[str, float]] = ({}, {})
    for name in {name.split("/")[0] for name in counts if not name.startswith("idle-")}:
        for mode in (0, 1):
            begin, end = (
                counts[f"{name}/{seconds}"][mode] - counts.get(f"idle-{name}/{seconds}", (0, 0))[mode]
                for seconds in (SHORT, LONG))
            found[mode][name] = (end - begin) / (LONG - SHORT)
    return found

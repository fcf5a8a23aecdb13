"""Instructions for a second of music, counted by callgrind: the slope between a short and a long file.

All processes of a player count. The slope leaves out start and end. What Jackdaw does with a file before it plays it (its library scan) is left out by
counting a run that plays nothing, too.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import time

import music
import paced
import players
import steady
from figures import Figure

SHORT, LONG = 10, 20  # s

# Callgrind counts a `rep movsb` as an instruction for each byte. On a processor that has it made fast (ERMS), libc copies so
# whatever is above 2 KiB, and how much of the music that is depends on when the audio thread wakes. Without it, a copy
# costs what it costs on a board.
COPIES = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-ERMS,-FSRM"}


class Counted(players.Jackdaw):
    name = "Jackdaw-counted"
    settings = ""

    def start(self) -> None:
        # A confined process could not write what it has counted.
        library = self.folder / "nojail.so"
        source = self.setting.top / "Tests/Plugins/NoJail/nojail.c"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", str(source), "-o", str(library)], check=True)
        self.environment.update(COPIES, LD_PRELOAD=str(library))
        super().start()

    def prefix(self) -> list[str]:
        return _callgrind(self.folder)


class Softer(Counted):
    """At the volume that a kiosk starts with, where every sample is multiplied."""

    name = "Jackdaw-softer"
    volume = 60


def measure(setting: players.Setting, progress) -> tuple[list[Figure], dict]:
    pieces = {
        seconds: music.pieces(setting.top / "board/sim/music", setting.folder / f"{seconds}s.mp3", seconds)
        for seconds in (SHORT, LONG)
    }
    jobs = {}
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for seconds, piece in pieces.items():
            jobs["mpg123", seconds] = pool.submit(_mpg123, setting, piece)
            jobs["Jackdaw", seconds] = pool.submit(_jackdaw, Counted, setting, piece, seconds)
            jobs["softer", seconds] = pool.submit(_jackdaw, Softer, setting, piece, seconds)
            jobs["idle", seconds] = pool.submit(_jackdaw, Counted, setting, piece, 0)
        counts = {key: job.result() for key, job in jobs.items()}
    slopes = {
        name: {key: counts[name, LONG].get(key, 0) - counts[name, SHORT].get(key, 0) for key in counts[name, LONG]}
        for name in ("mpg123", "Jackdaw", "softer", "idle")
    }
    for name in ("Jackdaw", "softer"):
        for key in slopes[name]:
            slopes[name][key] -= slopes["idle"].get(key, 0)
    peer = slopes["mpg123"]
    decoders = {name: slopes[name].get("libmpg123", 0) / (LONG - SHORT) for name in ("Jackdaw", "mpg123")}
    progress(f"instructions a second inside libmpg123: {decoders['Jackdaw']:.0f} and {decoders['mpg123']:.0f} (mpg123)")
    figures = [
        Figure("instructions for a second of music", "÷ mpg123",
               {"Jackdaw": slopes["Jackdaw"]["all"] / peer["all"], "mpg123": 1}, goal=1.05, is_counted=True),
        Figure("the same at volume 60", "÷ mpg123", {"Jackdaw": slopes["softer"]["all"] / peer["all"]}),
    ]
    seconds = LONG - SHORT
    return figures, {name: {key: count / seconds for key, count in slope.items()} for name, slope in slopes.items()}


def _callgrind(folder: pathlib.Path) -> list[str]:
    return ["valgrind", "--quiet", "--tool=callgrind", "--trace-children=yes",
            f"--callgrind-out-file={folder}/callgrind.out.%p"]


def _mpg123(setting: players.Setting, piece: pathlib.Path) -> dict[str, int]:
    folder = setting.folder / f"mpg123-counted-{piece.stem}"
    folder.mkdir()
    pcm = paced.PCM(folder, "main")
    conf = paced.configure(folder, setting.plugin, [pcm])
    subprocess.run(
        [*_callgrind(folder), "mpg123", "-q", "-a", "main", str(piece)], check=True, stdin=subprocess.DEVNULL,
        env=dict(os.environ, **COPIES, ALSA_CONFIG_PATH=str(conf)))
    return _count(folder)


def _jackdaw(kind, setting: players.Setting, piece: pathlib.Path, seconds: int) -> dict[str, int]:
    with kind(setting, [piece]) as player:
        if seconds > 0:
            player.play()
            player.wait_for(lambda: " queue.ended" in player.log.read_text(), "end of the queue", seconds + 40)
        children = steady.processes(player.pid)[1:]
        player.key("q")
        player.process.wait(60)
        # They end by themselves, and write then what they have counted.
        end = time.monotonic() + 60
        while any(pathlib.Path(f"/proc/{child}/task").exists() for child in children) and time.monotonic() < end:
            time.sleep(0.05)
        return _count(player.folder)


def _count(folder: pathlib.Path) -> dict[str, int]:
    """Instructions of all processes, in all and for each library, by the beginning of its name."""
    counts: dict[str, int] = {"all": 0}
    for path in folder.glob("callgrind.out.*"):
        _add(path, counts)
    return counts


def _add(path: pathlib.Path, counts: dict[str, int]) -> None:
    names: dict[str, str] = {}
    library, is_call = "", False
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith(("ob=", "cob=")):
            kind, _, value = line.partition("=")
            key, _, name = value.partition(" ")
            if name:
                names[key] = re.split(r"[.-]", pathlib.Path(name).name)[0]
            if kind == "ob":
                library = names[key]
        elif line.startswith("calls="):
            is_call = True
        elif line[:1] in "0123456789+-*" and line:
            # The line after `calls=` is what the callee took.
            if not is_call:
                cost = int(line.split()[-1])
                counts["all"] += cost
                counts[library] = counts.get(library, 0) + cost
            is_call = False

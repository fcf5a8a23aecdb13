"""How long a scan of a library of files of real size takes, warm in memory, against mpd."""

import ctypes
import os
import pathlib
import subprocess
import time

import music
import players
from figures import Figure, median

FILES = 2_000  # hard links to four files of 4 MB: every one is read by itself


def measure(setting: players.Setting, progress, rounds: int) -> tuple[list[Figure], dict]:
    library = setting.folder / "library"
    library.mkdir()
    pieces = _pieces(setting.folder)
    for number in range(FILES):
        (library / f"{number}.mp3").hardlink_to(pieces[number % len(pieces)])
    for piece in pieces:
        piece.read_bytes()
    size = sum(file.stat().st_size for file in library.iterdir())
    times: dict[str, list[float]] = {"Jackdaw": [], "mpd": []}
    read = 0
    for turn in range(rounds):
        seconds, read = _cost([str(setting.jackdaw), "scan", str(library)])
        times["Jackdaw"].append(seconds)
        times["mpd"].append(_mpd(setting, library, turn))
        progress(f"scan {turn + 1}/{rounds}: {times['Jackdaw'][-1]:.3f} s, mpd {times['mpd'][-1]:.3f} s")
    per_track = {name: 1e6 * median(found) / FILES for name, found in times.items()}
    return [
        Figure("library scan, CPU", "µs a track", per_track),
        Figure("library scan, mpd ÷ Jackdaw", "", {"Jackdaw": per_track["mpd"] / per_track["Jackdaw"]}, goal=5,
               at_least=True),
        Figure("library scan, bytes read", "%", {"Jackdaw": 100 * read / size}, goal=2),
    ], {"seconds": times}


def _pieces(folder: pathlib.Path) -> list[pathlib.Path]:
    """Three minutes at a constant and at a variable bit rate, each with and without a tag with a picture."""
    plain = music.chord(folder / "track.mp3", 180)
    variable = folder / "variable.mp3"
    subprocess.run(["lame", "--quiet", "-V2", "--mp3input", str(plain), str(variable)], check=True)
    tagged = []
    for piece in (plain, variable):
        file = folder / f"tagged-{piece.name}"
        file.write_bytes(_tag() + piece.read_bytes())
        tagged.append(file)
    return [plain, variable, *tagged]


def _tag() -> bytes:
    def frame(name: bytes, content: bytes) -> bytes:
        return name + len(content).to_bytes(4, "big") + b"\0\0" + content

    frames = frame(b"TIT2", b"\3A title") + frame(b"TPE1", b"\3An artist")
    frames += frame(b"APIC", b"\0image/jpeg\0\3\0" + bytes(range(256)) * 400)
    size = bytes(len(frames) >> shift & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\3\0\0" + size + frames


def _cost(command: list[str]) -> tuple[float, int]:
    """CPU seconds and bytes read of a program and of every process that it leaves behind, as one that decodes."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        PR_SET_CHILD_SUBREAPER = 36
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        os.close(reader)
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        seconds, read = 0.0, 0
        try:
            while True:
                found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
                counts = pathlib.Path(f"/proc/{found.si_pid}/io").read_text()
                read += int(counts.split()[1])
                usage = os.wait4(found.si_pid, 0)[2]
                seconds += usage.ru_utime + usage.ru_stime
        except ChildProcessError:
            os.write(writer, f"{seconds} {read}".encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader) as answer:
        words = answer.read().split()
    os.waitpid(child, 0)
    return float(words[0]), int(words[1])


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

"""From exec to the first sample on the board, cold: nothing of the program, of its libraries and of the music is in
memory, and the card is as slow by the board's clock as an SD card is.

The kiosk was playing when it was switched off, at a port that is still connected, so it goes on by itself.
"""

import pathlib
import re
import shutil
import tempfile

import image
import music
from emulator import Board
from figures import Figure, median

HERE = pathlib.Path(__file__).parent
BYTES, READS = 30_000_000, 1_500  # a second
LIBRARIES = {"10 tracks": (10, 1), "10,000 tracks in 500 folders": (10_000, 500)}


def measure(board: Board, source: pathlib.Path, folder: pathlib.Path, progress) -> tuple[list[Figure], dict]:
    short, long = (music.pieces(source, folder / f"{seconds}-start.mp3", seconds) for seconds in (1, 20))
    script = f"BYTES={BYTES} READS={READS}\n" + (HERE / "job.sh").read_text() + (HERE / "starting.sh").read_text()
    figures, raw = [], {}
    for title, (tracks, folders) in LIBRARIES.items():
        disk = library(folder, short, long, tracks, folders)
        printed = board.run(folder / f"starting-{tracks}", script, [], disk, sleeps=True)
        disk.unlink()
        found = turns(printed)
        progress("\n".join(f"{title}: {name}: {turn}" for name, turn in found.items()))
        raw[title] = found

        def middle(key: str) -> dict[str, float]:
            return {"Jackdaw": median([turn[key] for turn in found.values()])}

        figures += [
            Figure(f"cold start, {title}: exec to first sample", "s", middle("sample"), goal=0.4),
            Figure(f"cold start, {title}: read before `boot`", "MiB", middle("read")),
            Figure(f"cold start, {title}: major faults from the first sample to the first unplug", "", middle("faults"), goal=0,
                   is_counted=True),
        ]
    return figures, raw


def library(folder: pathlib.Path, short: pathlib.Path, long: pathlib.Path, tracks: int, folders: int) -> pathlib.Path:
    """An ext4 image with so many short tracks, each with a title of its own. The first is long enough not to end."""
    made = folder / "library.img"
    sound = short.read_bytes()
    with tempfile.TemporaryDirectory(dir=folder) as name:
        top = pathlib.Path(name)
        for number in range(tracks):
            album = number * folders // tracks
            place = top / f"Artist {album // 5:03}" / f"Album {album:03}"
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{number:05} Title of a track.mp3").write_bytes(_tag(f"Title of track {number}") + sound)
        shutil.copy(long, min(top.rglob("*.mp3")))
        size = (tracks * (len(sound) + 8192) >> 20) + 64 << 20
        image.make_disk(top, made, size, "-N", str(tracks + 4 * folders + 1000))
    return made


def _tag(title: str) -> bytes:
    """ID3v2.3 with padding, as taggers leave it."""
    text = b"\0" + title.encode("latin-1")
    frame = b"TIT2" + len(text).to_bytes(4, "big") + b"\0\0" + text
    size = len(frame) + 512
    return b"ID3\3\0\0" + bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0)) + frame + bytes(512)


def turns(printed: str) -> dict[str, dict[str, float]]:
    """What each turn took: seconds to the first sample and to `boot`, MiB that were read by then, and major faults."""
    found = {}
    for part in re.split(r"(?m)^== ", printed)[1:]:
        name, _, text = part.partition("\n")
        if name == "card":
            _check(text)
        if not name.isdigit():
            continue
        lines = [(float(seconds), int(read), int(faults), line) for seconds, read, faults, line in re.findall(
            r"(?m)^([\d.]+) read (\d+) faults (\d+) (.*)", text)]
        sample = float(re.search(r"(?m)^([\d.]+) start ", text).group(1))
        begin = lines[0][0]

        def at(event: str) -> tuple[float, int, int, str]:
            return next(line for line in lines if f" {event} " in line[3])

        # Counted from the first line after the sample on, which says that it is heard.
        heard = min((line for line in lines if line[0] > sample), key=lambda line: line[0])
        found[name] = {
            "sample": sample - begin, "boot": at("boot")[0] - begin, "read": (at("boot")[1] - lines[0][1]) / 2**20,
            "faults": at("playback.paused")[2] - heard[2], "faults before": heard[2] - lines[0][2],
        }
    return found


def _check(text: str) -> None:
    """The two times of `dd` are a second each where the card is as slow as it shall be."""
    stamps = [float(word) for word in text.split()]
    for begin, end in zip(stamps[::2], stamps[1::2]):
        if not 0.85 < end - begin < 1.15:
            raise RuntimeError(f"the card is not as slow as it should be: {end - begin:.3f} s instead of 1")

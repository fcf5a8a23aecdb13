"""Tracks in which every frame shows its place, and what of them a recording holds.

The left channel is a row of random signs: any `WINDOW` samples of it stand at one place of one track only, at whatever
volume. The right one is a low tone, on which a click would show.
"""

import array
import dataclasses
import math
import pathlib
import random
import wave

RATE = 48_000
WINDOW = 64
AMPLITUDE = 12_000
TONE = 880.0  # Hz
CUE = 4_000


def make_track(number: int, seconds: float, path: pathlib.Path) -> "Track":
    signs = random.Random(number)
    frames = array.array("h")
    for frame in range(round(seconds * RATE)):
        frames.append(AMPLITUDE if signs.getrandbits(1) else -AMPLITUDE)
        frames.append(round(AMPLITUDE * math.sin(2 * math.pi * TONE * frame / RATE)))
    _write(frames, path)
    return Track(number, frames)


def read_track(number: int, path: pathlib.Path) -> "Track":
    """One that was made before."""
    return Track(number, read(path))


def make_cue(path: pathlib.Path) -> None:
    """Half a second that only the right channel sounds, so that the left one shows the music under it."""
    _write(array.array("h", [0, CUE] * (RATE // 2)), path)


def _write(frames: array.array, path: pathlib.Path) -> None:
    with wave.open(str(path), "wb") as out:
        out.setparams((2, 2, RATE, 0, "NONE", ""))
        out.writeframes(frames.tobytes())


class Track:
    def __init__(self, number: int, frames: array.array) -> None:
        self.number = number
        self.frames = frames  # interleaved
        self.signs = _signs(frames[0::2])

    @property
    def length(self) -> int:
        return len(self.signs)


@dataclasses.dataclass
class Stretch:
    """Frames that were heard one after the other as they stand in a track."""

    track: int
    begin: int  # of the track
    end: int
    place: int  # of `begin` in the recording

    @property
    def length(self) -> int:
        return self.end - self.begin

    @property
    def place_end(self) -> int:
        return self.place + self.length


def read(path: pathlib.Path) -> array.array:
    """Interleaved samples of a WAV that may still be written: its header knows no length then."""
    data = path.read_bytes()
    start = data.find(b"data") + 8
    frames = array.array("h")
    frames.frombytes(data[start:start + (len(data) - start) // 4 * 4])
    return frames


def stretches(frames: array.array, tracks: list[Track]) -> list[Stretch]:
    """What of `tracks` stands in a recording, in its order; silence and what is no track is passed over."""
    signs = _signs(frames[0::2])
    found: list[Stretch] = []
    place = 0
    while place + WINDOW <= len(signs):
        window = signs[place:place + WINDOW]
        hit = None if SILENT in window else _find(window, tracks)
        if hit is None:
            place += 1 if SILENT not in window else window.rindex(SILENT) + 1
            continue
        track, begin = hit
        length = _common(signs, place, track.signs, begin)
        found.append(Stretch(track.number, begin, begin + length, place))
        place += length
    return found


def gaps(parts: list[Stretch]) -> list[int]:
    """Frames of the track that are missing between one part and the next; below 0 where some were heard twice."""
    return [after.begin - before.end for before, after in zip(parts, parts[1:])]


def largest_gap(parts: list[Stretch]) -> int:
    """Frames that are missing or were heard twice where it is worst."""
    return max(map(abs, gaps(parts)), default=0)


def place(frames: array.array, rate: int, track: Track, begin: float, reach: int) -> tuple[float, float]:
    """Where in a track a short recording at another rate begins, and how alike the two are, from 0 to 1. Looks no further
    than `reach` frames from `begin`."""
    heard = frames[0::2]
    steps = [round(frame * RATE / rate) for frame in range(len(heard))]
    signs = track.frames[0::2]

    def likeness(start: int) -> int:
        return sum(sample * signs[start + step] for sample, step in zip(heard, steps))

    found = max(range(round(begin) - reach, round(begin) + reach + 1), key=likeness)
    return found, likeness(found) / (AMPLITUDE * sum(map(abs, heard)) or 1)


def loudest(frames: array.array, begin: int = 0, end: int | None = None) -> int:
    """The largest sample of either channel between two frames."""
    part = frames[2 * begin:None if end is None else 2 * end]
    return max(max(part), -min(part)) if part else 0


def largest_step(frames: array.array, begin: int, end: int) -> int:
    """Between neighbours of the right channel; the tone's own largest one is `OWN_STEP` at full volume."""
    tone = frames[2 * begin + 1:2 * end:2]
    return max((abs(a - b) for a, b in zip(tone, tone[1:])), default=0)


OWN_STEP = math.ceil(AMPLITUDE * 2 * math.sin(math.pi * TONE / RATE))
SILENT = b"0"[0]


def _signs(samples: array.array) -> bytes:
    return bytes(43 if sample > 0 else 45 if sample < 0 else SILENT for sample in samples)


def _find(window: bytes, tracks: list[Track]):
    for track in tracks:
        begin = track.signs.find(window)
        if begin >= 0:
            return track, begin
    return None


def _common(a: bytes, i: int, b: bytes, j: int) -> int:
    """How many bytes are the same from there on."""
    low, high = 0, min(len(a) - i, len(b) - j)
    while low < high:
        middle = (low + high + 1) // 2
        if a[i + low:i + middle] == b[j + low:j + middle]:
            low = middle
        else:
            high = middle - 1
    return low

"""What is heard: of two cards by QEMU's recordings, of the third by one that the board itself makes."""

import array
import pathlib
import re

import sound
from machine import Machine

FILE = "loop-back.raw"
# How often the loop-back card passes on sound; the time of a frame is as exact as that.
TICK = 0.004  # s
# What a card plays between two interrupts, as the firmware asks for it.
PERIOD = 3_600  # frames


class CardEar:
    """What a card of QEMU's has played since `forget()`. Time in which it did not play is not in there, and the latest
    30 ms may come only with what follows them."""

    # Frames that QEMU keeps back: 10 ms to be mixed, and a block of the file.
    LATE = 480 + 1_024

    def __init__(self, path: pathlib.Path, tracks: list[sound.Track]) -> None:
        self._path = path
        self._tracks = tracks
        self._begin = 0

    def forget(self) -> None:
        self._begin = len(sound.read(self._path)) // 2

    def begin_anew(self) -> None:
        """The card was plugged in anew: QEMU begins its recording once more."""
        self._begin = 0

    def stretches(self) -> list[sound.Stretch]:
        return self._hear()[0]

    def loudest(self, before: sound.Stretch | None = None) -> int:
        """The largest sample, up to a stretch where one is given."""
        _, frames, begin = self._hear()
        return sound.loudest(frames, begin, before.place if before else None)

    def _hear(self) -> tuple[list[sound.Stretch], array.array, int]:
        """Stretches, the frames in which they have their places, and where what is new begins there."""
        first = max(0, self._begin - 2 * self.LATE)
        frames = sound.read(self._path)[2 * first:]
        begin = self._begin - first
        found = sound.stretches(frames, self._tracks)
        # Older than the beginning is what began before it, and what QEMU had kept back of that.
        old: sound.Stretch | None = None
        latest = begin + self.LATE
        while found and (found[0].place < begin or old and found[0].place_end <= latest and _goes_on(old, found[0])):
            old = found.pop(0)
            begin = max(begin, old.place_end)
        return found, frames, begin


def _goes_on(old: sound.Stretch, new: sound.Stretch) -> bool:
    """In pieces where a fade touched zero; and where it faded from an earlier frame, which the card had played already
    although it told, as the speaker's does, that of the period at hand nothing was."""
    return new.track == old.track and -PERIOD < new.begin - old.end < sound.RATE // 100


class LoopBackEar:
    """A recording of the port on the loop-back card, silence and all. Its frames are numbered by the board's own clock,
    the one by which the log gives times and the kernel stamps edges."""

    def __init__(self, board: Machine) -> None:
        self._board = board
        self._start = 0.0
        self._rate = sound.RATE

    def begin(self, rate: int = sound.RATE) -> None:
        """Records from now on, until `end()`. Whoever opens the card meanwhile finds that it knows no other rate."""
        self._rate = rate
        self._board.run(
            f"rm -f /mnt/{FILE}; arecord -q -D hw:CARD=Loopback,DEV=1,SUBDEV=0 -f S16_LE -r {rate} -c 2 -t raw "
            f"--buffer-time=2000000 --period-time=100000 /mnt/{FILE} >/tmp/arecord 2>&1 & echo $! >/tmp/arecord.pid")
        self._board.wait(0.3)
        status = self._board.run("cat /proc/asound/Loopback/pcm1c/sub0/status")
        self._start = float(re.search(r"trigger_time: (\S+)", status).group(1))

    def end(self) -> "Heard":
        """What was heard since then, or until the card was pulled out."""
        self._board.wait(0.3)
        self._board.run("kill -INT $(cat /tmp/arecord.pid); while kill -0 $(cat /tmp/arecord.pid); do sleep 0.1; done 2>/dev/null")
        complaints = self._board.run("cat /tmp/arecord")
        assert "overrun" not in complaints, f"the recording has gaps: {complaints}"
        data = (self._board.folder / "shared" / FILE).read_bytes()
        frames = array.array("h")
        frames.frombytes(data[:len(data) // 4 * 4])
        return Heard(frames, self._start, self._rate)


class Heard:
    def __init__(self, frames: array.array, start: float, rate: int) -> None:
        self.frames = frames
        self._start = start
        self._rate = rate

    def frame_at(self, seconds: float) -> int:
        """The frame that was heard at this time since power on."""
        return round((seconds - self._start) * self._rate)

    def time_of(self, frame: float) -> float:
        return self._start + frame / self._rate

    def first_sound(self) -> int:
        """The first frame that is not silent."""
        return next(frame for frame in range(len(self.frames) // 2) if self.frames[2 * frame] or self.frames[2 * frame + 1])

    def last_sound(self, before: float) -> float:
        """When the last frame that is not silent was heard, before a time; times in s since power on."""
        end = self.frame_at(before)
        while end > 0 and not (self.frames[2 * end - 2] or self.frames[2 * end - 1]):
            end -= 1
        return self.time_of(end)

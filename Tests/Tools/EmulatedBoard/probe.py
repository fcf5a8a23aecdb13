"""What each port plays: QEMU records two cards, and the board itself records the third one, a loop-back card."""

import array
import pathlib
import re

from Board import sound
from EmulatedBoard.machine import Machine

FILE = "loop-back.raw"
# The interval at which the loop-back card passes on sound; times of frames are as exact as that.
TICK = 0.004  # s
# What a card plays between two interrupts, as the firmware configures it.
PERIOD = 3_600  # frames


class CardProbe:
    """What one of QEMU's cards has played since `forget()`. Time in which it did not play is left out, and the latest
    30 ms may be recorded only when more follows."""

    # Frames that QEMU keeps back: 10 ms to be mixed, and a block of the file.
    LATE = 480 + 1_024

    def __init__(self, path: pathlib.Path, tracks: list[sound.Track]) -> None:
        self._path = path
        self._tracks = tracks
        self._begin = 0

    def forget(self) -> None:
        self._begin = len(sound.read(self._path)) // 2

    def begin_anew(self) -> None:
        """To be called when the card was plugged in again, as QEMU then begins a new recording."""
        self._begin = 0

    def stretches(self) -> list[sound.Stretch]:
        return self._hear()[0]

    def loudest(self, before: sound.Stretch | None = None) -> int:
        """The largest sample, up to a stretch where one is given."""
        _, frames, begin = self._hear()
        return sound.loudest(frames, begin, before.place if before else None)

    def _hear(self) -> tuple[list[sound.Stretch], array.array, int]:
        """Stretches, the frames that their places refer to, and the first of those frames that is new."""
        first = max(0, self._begin - 2 * self.LATE)
        frames = sound.read(self._path)[2 * first:]
        begin = self._begin - first
        found = sound.stretches(frames, self._tracks)
        # What began before `forget()` is old, and so is its end that QEMU had not written yet.
        old: sound.Stretch | None = None
        latest = begin + self.LATE
        while found and (found[0].place < begin or old and found[0].place_end <= latest and _goes_on(old, found[0])):
            old = found.pop(0)
            begin = max(begin, old.place_end)
        return found, frames, begin


def _goes_on(old: sound.Stretch, new: sound.Stretch) -> bool:
    """Whether `new` continues `old`: they are two where a fade touched zero, or where the fade began at an earlier frame,
    which a card had played already although, like the speaker's, it reports positions only by the period."""
    return new.track == old.track and -PERIOD < new.begin - old.end < sound.RATE // 100


class LoopBackProbe:
    """A recording of the port on the loop-back card, with its silence. Frames have times of the board's own clock, which is
    also the clock of the log and of the kernel's time stamps of edges."""

    def __init__(self, board: Machine) -> None:
        self._board = board
        self._start = 0.0
        self._rate = sound.RATE

    def begin(self, rate: int = sound.RATE) -> None:
        """Records from now on, until `end()`. Meanwhile the card can be opened at this rate only."""
        self._rate = rate
        # A check that failed may have left one.
        self._board.run("while killall -q -INT arecord; do sleep 0.1; done")
        self._board.run(
            f"rm -f /mnt/{FILE}; arecord -q -D hw:CARD=Loopback,DEV=1,SUBDEV=0 -f S16_LE -r {rate} -c 2 -t raw "
            f"--buffer-time=2000000 --period-time=100000 /mnt/{FILE} >/tmp/arecord 2>&1 & echo $! >/tmp/arecord.pid")
        self._board.wait(0.3)
        status = self._board.run("cat /proc/asound/Loopback/pcm1c/sub0/status")
        self._start = float(re.search(r"trigger_time: (\S+)", status).group(1))

    def end(self) -> "Heard":
        """What was played since `begin()`, or until the card was pulled out."""
        self._board.wait(0.3)
        self._board.run("kill -INT $(cat /tmp/arecord.pid); while kill -0 $(cat /tmp/arecord.pid); do sleep 0.1; done 2>/dev/null")
        messages = self._board.run("cat /tmp/arecord")
        assert "overrun" not in messages, f"the recording has gaps: {messages}"
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
        """The frame that was played at this time, in s since power on."""
        return round((seconds - self._start) * self._rate)

    def time_of(self, frame: float) -> float:
        return self._start + frame / self._rate

    def first_sound(self) -> int:
        """The first frame that is not silent."""
        return next(frame for frame in range(len(self.frames) // 2) if self.frames[2 * frame] or self.frames[2 * frame + 1])

    def last_sound(self, before: float) -> float:
        """When the last frame before a time that is not silent was played; both in s since power on."""
        end = self.frame_at(before)
        while end > 0 and not (self.frames[2 * end - 2] or self.frames[2 * end - 1]):
            end -= 1
        return self.time_of(end)

"""What a sound card on USB is sent: QEMU captures every packet of its bus, in the format of Linux's usbmon in a pcap file.

A card that plays gets a packet a millisecond, by the board's clock, and one that does not gets none. So, unlike QEMU's
recordings of sound, a capture shows when each frame left the board. How much the card itself keeps is the card's affair.
"""

import array
import bisect
import dataclasses
import pathlib
import struct

from Board import sound

FILE_HEADER = 24  # bytes
RECORD = struct.Struct("<8xII")  # how many bytes of a record follow, and how many there were
PACKET = struct.Struct("<8xcBB53x")
SUBMITTED, ISOCHRONOUS, PLAYBACK = b"S", 0, 1


class BusProbe:
    """What the card was sent since `forget()`."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path = path
        self._begin = 0

    def forget(self) -> None:
        self._begin = self.now()

    def begin_anew(self) -> None:
        """To be called when the card was plugged in again, as QEMU then begins a new capture."""
        self._begin = 0

    def now(self) -> int:
        """The present moment as a place in the capture, for `Sent.frame_at()`."""
        return self._path.stat().st_size

    def sent(self) -> "Sent":
        data = self._path.read_bytes()
        frames, ends = array.array("h"), []
        place = max(self._begin, FILE_HEADER)
        while place + RECORD.size <= len(data):
            begin = place + RECORD.size
            place = begin + RECORD.unpack_from(data, place)[0]
            if place <= len(data) and PACKET.unpack_from(data, begin) == (SUBMITTED, ISOCHRONOUS, PLAYBACK):
                frames.frombytes(data[begin + PACKET.size:place])
                ends.append((place, len(frames) // 2))
        return Sent(frames, ends)


@dataclasses.dataclass
class Sent:
    frames: array.array  # interleaved samples
    _packets: list[tuple[int, int]]  # where each packet ends in the capture and in `frames`

    def frame_at(self, moment: int) -> int:
        """The first frame that was sent after a moment of `BusProbe.now()`."""
        past = bisect.bisect_right(self._packets, moment, key=lambda packet: packet[0])
        return self._packets[past - 1][1] if past else 0

    def last_sound(self) -> int:
        """The frame after the last one that is not silent."""
        end = len(self.frames)
        while end > 0 and not self.frames[end - 1]:
            end -= 1
        return (end + 1) // 2

    def stretches(self, tracks: list[sound.Track]) -> list[sound.Stretch]:
        return sound.stretches(self.frames, tracks)

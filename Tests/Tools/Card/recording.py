"""What a board wrote to its card, in order, and the card as the power would have left it at any instant of that.

QEMU's `blklogwrites` keeps each write and each flush of a board, in the format of Linux's dm-log-writes. A card has promised
to keep what it was given before a flush that it has answered, and nothing else: of what came later it may keep all, some of
it or none, and of a single write only the first sectors.
"""

import dataclasses
import pathlib
import random
import struct
import subprocess
from collections.abc import Iterator

SECTOR = 512
FLUSH, DISCARD = 1, 4  # flags of an entry


@dataclasses.dataclass(frozen=True)
class Entry:
    """A write, or a flush, which has no bytes."""

    place: int  # of its bytes, in the log
    offset: int  # on the card
    length: int
    is_flush: bool


class Recording:
    """Of one card, from power on."""

    def __init__(self, card: pathlib.Path) -> None:
        """Keeps the card as it is now; the board is powered on with `log` afterwards."""
        self.before = card.with_suffix(".before")
        self.log = card.with_suffix(".log")
        copy(card, self.before)
        self.log.write_bytes(b"")

    def now(self) -> int:
        """How many bytes the log has: an instant for `cards`."""
        return self.log.stat().st_size

    def remove(self) -> None:
        self.before.unlink(missing_ok=True)
        self.log.unlink(missing_ok=True)

    def entries(self) -> list[Entry]:
        found = []
        with open(self.log, "rb") as log:
            log.seek(SECTOR)
            while len(header := log.read(SECTOR)) == SECTOR:
                sector, count, flags, _ = struct.unpack_from("<4Q", header)
                if not count and not flags:
                    break
                length = 0 if flags & DISCARD else count * SECTOR
                found.append(Entry(log.tell(), sector * SECTOR, length, bool(flags & FLUSH)))
                log.seek(length, 1)
        return found

    def cards(self, begin: int, end: int, times: int, seed: int, path: pathlib.Path) -> Iterator[str]:
        """Makes at this path, one after the other, the card as of so many random instants between two of `now`, each time
        with what of the writes after the last flush was kept; gives a description of each."""
        entries = self.entries()
        first, last = (sum(entry.place + entry.length <= instant for entry in entries) for instant in (begin, end))
        generator = random.Random(seed)
        kept = path.with_suffix(".kept")
        copy(self.before, kept)
        done = 0
        for instant in sorted(generator.randint(first, last) for _ in range(times)):
            flushed = max([done, *(index + 1 for index in range(done, instant) if entries[index].is_flush)])
            self._write(kept, entries[done:flushed])
            done = flushed
            copy(kept, path)
            open_writes = [entry for entry in entries[flushed:instant] if entry.length]
            how = generator.choice(("all", "some", "none"))
            self._write(path, surviving(open_writes, how, generator))
            yield f"after write {instant - first} of {last - first}, {how} of {len(open_writes)} that were not flushed"
        kept.unlink()

    def _write(self, path: pathlib.Path, entries: list[Entry]) -> None:
        with open(self.log, "rb") as log, open(path, "r+b") as card:
            for entry in entries:
                log.seek(entry.place)
                card.seek(entry.offset)
                card.write(log.read(entry.length))


def surviving(entries: list[Entry], how: str, generator: random.Random) -> list[Entry]:
    """Which writes a card has kept. Where it is some, half of them, in any order, and of the last one the first sectors."""
    if how == "all":
        return entries
    if how == "none" or not entries:
        return []
    some = [entry for entry in entries if generator.random() < 0.5] or entries[:1]
    generator.shuffle(some)
    torn = dataclasses.replace(some[-1], length=generator.randrange(some[-1].length // SECTOR) * SECTOR)
    return [*some[:-1], torn]


def copy(source: pathlib.Path, target: pathlib.Path) -> None:
    subprocess.run(["cp", "--sparse=always", source, target], check=True)

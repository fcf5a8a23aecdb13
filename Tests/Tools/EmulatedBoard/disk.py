"""The board's disk, seen from outside: how far its writes have got."""

import time

# Few enough to tell them apart.
WRITES_A_SECOND = 4


class Disk:
    """Works through QEMU's own protocol; `ask` gives it a command."""

    NAME = "disk"  # what QEMU calls it

    def __init__(self, ask) -> None:
        self._ask = ask
        self._place = self._of_disk("query-block")["qdev"]

    def writes(self) -> int:
        """How many the board has done since it was made."""
        return self._of_disk("query-blockstats")["stats"]["wr_operations"]

    def slow_down(self) -> None:
        self._limit(WRITES_A_SECOND)

    def hurry(self) -> None:
        self._limit(0)

    def wait_for(self, writes: int, patience: float = 60) -> None:
        """Until it has done so many; the next one may be under way."""
        deadline = time.monotonic() + patience
        while self.writes() < writes:
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.writes()} writes after {patience:g} s, expected {writes}")
            time.sleep(0.01)

    def _of_disk(self, query: str):
        """What QEMU returns of the disk; a stick may be plugged in beside it."""
        return next(one for one in self._ask(query) if one["device"] == self.NAME)

    def _limit(self, writes: int) -> None:
        others = dict.fromkeys(("bps", "bps_rd", "bps_wr", "iops", "iops_rd"), 0)
        self._ask("block_set_io_throttle", id=self._place, iops_wr=writes, **others)

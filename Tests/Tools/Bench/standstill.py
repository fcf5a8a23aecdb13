"""When a processor of this machine stood still: an underrun or a late change just then is the machine's, whatever plays."""

import contextlib
import os
import subprocess
import sys

PRIORITY = 70  # above the firmware's threads, which therefore never delay it
OWN_PRIORITY = 30  # below them, and above all else that the machine does
GRAIN = 0.001  # s
LEAST = 0.0025  # s: what the firmware has queued behind the time of its sleep when it starts, where little may be queued

WATCH = f"""
import os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param({PRIORITY}))
while True:
    before = time.monotonic()
    time.sleep({GRAIN})
    now = time.monotonic()
    if now - before - {GRAIN} > {LEAST}: print(before, now, flush=True)
"""


class Standstills:
    """A watch on each processor, from `__enter__` to `__exit__`. Without the right to its priority it sees none."""

    def __enter__(self) -> "Standstills":
        self._watches = [
            subprocess.Popen([sys.executable, "-c", WATCH, str(processor)], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True) for processor in sorted(os.sched_getaffinity(0))]
        self.found: list[tuple[float, float]] = []
        return self

    def __exit__(self, *_) -> None:
        for watch in self._watches:
            watch.terminate()
            for line in watch.communicate()[0].splitlines():
                begin, end = map(float, line.split())
                self.found.append((begin, end))

    @property
    def longest(self) -> float:
        return max((end - begin for begin, end in self.found), default=0.0)

    def explains(self, moment: float) -> bool:
        """Whether one began or ended in the time that was queued before this moment, or so soon after that it is the same."""
        return any(begin - 0.005 <= moment and moment <= end + 0.06 for begin, end in self.found)

    def delay(self, begin: float, end: float) -> bool:
        """Whether one fell into this time."""
        return any(first < end and begin < last for first, last in self.found)


@contextlib.contextmanager
def promptly():
    """Lets this program do at once what it does and note when, whatever else the machine has to do."""
    try:
        _schedule(os.SCHED_FIFO, OWN_PRIORITY)
    except PermissionError:
        pass
    try:
        yield
    finally:
        _schedule(os.SCHED_OTHER, 0)


def _schedule(policy: int, priority: int) -> None:
    """All threads, as each may hold the lock of the interpreter."""
    for thread in os.listdir("/proc/self/task"):
        os.sched_setscheduler(int(thread), policy, os.sched_param(priority))

"""How often the firmware wakes up: voluntary context switches of its threads, as the kernel counts them."""

import contextlib
import dataclasses
from collections.abc import Iterator


@dataclasses.dataclass
class Woken:
    """Complete when the `with` of `counted()` is left."""

    threads: dict[str, int] = dataclasses.field(default_factory=dict)  # those that were woken at all, of the decoder, too
    # How often it has told its supervisor that it is alive (WatchdogSec of the unit). One thread, that of control, wakes up
    # for that, and asks the one of the sound.
    heartbeats: int = 0
    seconds: float = 0  # by the board's clock
    _main: str = ""

    @property
    def all(self) -> int:
        """Of all threads, but for signs of life."""
        return sum(self.threads.values()) - 2 * self.heartbeats

    @property
    def control(self) -> int:
        """Of the thread that decides, but for signs of life."""
        return self.threads.get(self._main, 0) - self.heartbeats


@contextlib.contextmanager
def counted(bench) -> Iterator[Woken]:
    woken = Woken()
    (before, first), begin = _counts(bench), bench.now()
    yield woken
    woken.seconds = bench.now() - begin
    after, last = _counts(bench)
    woken.heartbeats = last - first
    woken.threads = {name: count - before.get(name, 0) for name, count in after.items() if count != before.get(name)}
    main = bench.board.run("cat /run/service.pid")
    woken._main = next(name for name in after if name.split()[0] == main)


def _counts(bench) -> tuple[dict[str, int], int]:
    """Wake-ups and signs of life, of one moment: none came between the two."""
    while True:
        beats, wakes = _heartbeats(bench), _wakes(bench)
        if _heartbeats(bench) == beats:
            return wakes, beats


def _wakes(bench) -> dict[str, int]:
    """How often each thread of the firmware and of its decoder has gone to sleep, and so was woken."""
    table = bench.board.run(
        "pid=$(cat /run/service.pid); for process in $pid $(cat /proc/$pid/task/*/children); do "
        "for task in /proc/$process/task/*; do echo ${task##*/} $(cat $task/comm) "
        "$(sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' $task/status); done; done")
    return {name: int(count) for name, count in (line.rsplit(" ", 1) for line in table.splitlines())}


def _heartbeats(bench) -> int:
    return int(bench.board.run("grep -c WATCHDOG=1 /run/notices || true"))

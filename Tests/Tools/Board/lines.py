"""The lines of the emulated GPIO chip, an ARM PL061, seen from outside: levels of contacts and buttons."""

import concurrent.futures
import contextlib
import threading
import time
from collections.abc import Iterator

from Board.sockets import LineSocket

# Where QEMU's machine "virt" has the chip. Address bits 2 to 9 of its data register mask lines; all are read here.
DATA, DIRECTION = 0x0903_0000 + (0xFF << 2), 0x0903_0400
COUNT = 8
# The control register of the serial line, a PL011.
SERIAL_CONTROL, SERIAL_RECEIVES = 0x0900_0030, 1 << 9


class Lines:
    """Inputs are driven and outputs read through QEMU's test socket while the board runs."""

    def __init__(self, path, chip: str, names: list[str]) -> None:
        self._socket = LineSocket(path)
        self._chip = chip
        self._names = names
        self._levels: dict[str, int] = {}
        # Guards the socket: a storm runs in its own thread and must not take replies meant for others.
        self._lock = threading.Lock()

    def set(self, name: str, level: int) -> None:
        """Sets an input to 0 or 1 until it is set again."""
        self._levels[name] = level
        self._ask(self._setting(name, level))

    @contextlib.contextmanager
    def storm(self, names: list[str], is_seen: bool = False, rest: float = 0.001) -> Iterator[None]:
        """Moves inputs to and fro while what is inside goes on; leaves them at 0.

        - is_seen: hundreds of times a second, so that the board sees each level; otherwise thousands of times.
        - rest: between bursts, in seconds. The board must have time for more than interrupts.
        """
        is_over = threading.Event()
        with concurrent.futures.ThreadPoolExecutor(1) as thread:
            storm = thread.submit(self._rage, names, is_over, is_seen, rest)
            try:
                yield
            finally:
                is_over.set()
                # What has stopped it is raised here.
                storm.result()
                self._levels.update(dict.fromkeys(names, 0))

    def _rage(self, names: list[str], is_over: threading.Event, is_seen: bool, rest: float) -> None:
        levels = [[self._setting(name, level) for name in names] for level in (1, 0)]
        # Enough at once that the board sees some of them up: a line that is down again when the board looks gives no
        # edge.
        batches = levels if is_seen else [[request for level in levels for request in level] * 10]
        while not is_over.is_set():
            for requests in batches:
                with self._lock:
                    self._socket.send("".join(requests))
                    for _ in requests:
                        self._socket.read_to(b"\n", 60)
                time.sleep(rest)

    def set_again(self) -> None:
        """All inputs as they were: a chip forgets them when it is reset, wires do not."""
        for name, level in self._levels.items():
            self.set(name, level)

    def read(self, name: str) -> int | None:
        """The level of an output; None while the line is no output."""
        bit = 1 << self._names.index(name)
        if not self._register(DIRECTION) & bit:
            return None
        return 1 if self._register(DATA) & bit else 0

    def wait_for_sleep(self, patience: float) -> None:
        """Until the kernel has switched off its serial line, one of the last things it does."""
        deadline = time.monotonic() + patience
        while self._register(SERIAL_CONTROL) & SERIAL_RECEIVES:
            if time.monotonic() > deadline:
                raise AssertionError(f"the board did not fall asleep in {patience:g} s")
            time.sleep(0.02)

    def _setting(self, name: str, level: int) -> str:
        return f"set_irq_in {self._chip} unnamed-gpio-in {self._names.index(name)} {level}\n"

    def _register(self, address: int) -> int:
        return int(self._ask(f"readl {address:#x}\n"), 16)

    def _ask(self, request: str) -> str:
        with self._lock:
            self._socket.send(request)
            while True:
                answer = self._socket.read_to(b"\n", 60).decode().strip()
                if answer.startswith("OK"):
                    return answer[2:].strip()
                if answer.startswith(("FAIL", "ERR")):
                    raise RuntimeError(f"{request.strip()}: {answer}")

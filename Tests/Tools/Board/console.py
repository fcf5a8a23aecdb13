"""The board's serial console: what it wrote, line by line, and a keyboard."""

import pathlib
import re
import threading
import time

from Board import sockets
from event_log import Event, parse

# s, by the host's clock: a busy host makes the board many times slower.
PATIENCE = 180


class Console:
    """Reads on a thread of its own, so that the line is never blocked unless that is asked for."""

    def __init__(self, path: pathlib.Path) -> None:
        self._socket = sockets.connect(path)
        self._lines: list[str] = []
        self._rest = ""
        self._arrived = threading.Condition()
        self._may_read = threading.Event()
        self._may_read.set()
        self._is_closed = False
        self._seen = 0  # lines that the waits below have passed
        self._kept = 0
        threading.Thread(target=self._read, daemon=True).start()

    def type(self, command: str) -> None:
        self._socket.sendall(command.encode() + b"\r")

    def block(self) -> None:
        """Takes nothing more until `free()`; what the board then sends piles up."""
        self._may_read.clear()

    def free(self) -> None:
        self._may_read.set()

    def close(self) -> None:
        self._is_closed = True
        self._socket.close()

    # ---- Reading ------------------------------------------------------------------------------------------------

    def mark(self) -> None:
        """Waits from now on look only at what comes after this."""
        with self._arrived:
            self._seen = len(self._lines)

    def keep(self) -> None:
        """`heard()` has what comes after this, whatever is waited for."""
        with self._arrived:
            self._kept = len(self._lines)

    def heard(self) -> list[str]:
        with self._arrived:
            return self._lines[self._kept:]

    def place(self) -> int:
        """How many lines it has said."""
        with self._arrived:
            return len(self._lines)

    def since(self, place: int, name: str) -> list[Event]:
        """Events of this name after a place, whatever was waited for."""
        with self._arrived:
            found = [parse(line) for line in self._lines[place:]]
        return [event for event in found if event and event.name == name]

    def wait(self, name: str, patience: float = PATIENCE, **fields: str) -> Event:
        """The next event of this name with these fields (a hyphen in a key is an underscore here), after the one that
        was waited for last. Patience is by the host's clock, which may be a lot faster than the board's."""
        wanted = {key.replace("_", "-"): str(value) for key, value in fields.items()}

        def fits(line: str) -> Event | None:
            event = parse(line)
            if event and event.name == name and all(event[key] == value for key, value in wanted.items()):
                return event
            return None

        what = " ".join([name, *(f"{key}={value}" for key, value in wanted.items())])
        return self._next(fits, what, patience)

    def wait_text(self, pattern: str, patience: float = PATIENCE) -> str:
        """The next line that has this regular expression in it."""
        return self._next(lambda line: line if re.search(pattern, line) else None, f"/{pattern}/", patience)

    def since_mark(self, name: str = "") -> list[Event]:
        """Events after what was waited for last; the wait stays where it is."""
        with self._arrived:
            found = [parse(line) for line in self._lines[self._seen:]]
        return [event for event in found if event and name in ("", event.name)]

    def _next(self, fits, what: str, patience: float):
        deadline = time.monotonic() + patience
        with self._arrived:
            place = self._seen
            while True:
                while place < len(self._lines):
                    place += 1
                    if found := fits(self._lines[place - 1]):
                        self._seen = place
                        return found
                left = deadline - time.monotonic()
                if left <= 0 or self._is_closed:
                    last = "\n".join(f"      {line}" for line in self._lines[self._seen:][-12:])
                    raise AssertionError(f"the console did not say {what}; it said\n{last or '      nothing'}")
                self._arrived.wait(min(left, 1))

    def _read(self) -> None:
        while not self._is_closed:
            self._may_read.wait()
            try:
                more = self._socket.recv(65536)
            except OSError:
                break
            if not more:
                break
            with self._arrived:
                *lines, self._rest = (self._rest + more.decode(errors="replace")).split("\n")
                # A line of the log takes the place of the prompt; one that died leaves it in front of what comes next.
                self._lines += [line.rstrip("\r").rpartition("\r")[2].removeprefix("> ") for line in lines]
                self._arrived.notify_all()
        self._is_closed = True

"""Unix sockets of QEMU."""

import pathlib
import select
import socket
import time


class Closed(Exception):
    """The other end is gone."""


class Late(Exception):
    """No reply came in time."""


def connect(path: pathlib.Path, patience: float = 20) -> socket.socket:
    """QEMU makes its sockets soon after it was started."""
    deadline = time.monotonic() + patience
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(path))
            return connection
        except OSError:
            connection.close()
            if time.monotonic() > deadline:
                raise Closed(f"{path} takes no connection") from None
            time.sleep(0.05)


class LineSocket:
    """Reads up to a mark, with patience."""

    def __init__(self, path: pathlib.Path) -> None:
        self.socket = connect(path)
        self._buffer = b""

    def send(self, text: str) -> None:
        self.socket.sendall(text.encode())

    def read_to(self, mark: bytes, patience: float) -> bytes:
        """What came before `mark`, which is taken away, too."""
        deadline = time.monotonic() + patience
        while mark not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.socket], [], [], left)[0]:
                raise Late(f"no answer in {patience:g} s, only {self._buffer[-200:]!r}")
            more = self.socket.recv(65536)
            if not more:
                raise Closed("QEMU hung up")
            self._buffer += more
        found, _, self._buffer = self._buffer.partition(mark)
        return found

"""Input devices that the board makes up: dials, wheels, keypads."""

import contextlib
from collections.abc import Iterator

PROGRAM = "/usr/lib/board/inputs"


class Made:
    def __init__(self, board, name: str) -> None:
        self._board = board
        self._pipe = f"/run/{name.replace(' ', '-')}"

    def turn(self, axis: int, *counts: int) -> None:
        """Each is an event of its own; the kernel gets all of them at once."""
        self._send([f"rel {axis} {count}" for count in counts])

    def strike(self, *keys: int) -> None:
        self._send([f"key {key} {value}" for key in keys for value in (1, 0)])

    def _send(self, lines: list[str]) -> None:
        self._board.run(f"printf '%s\\n' {' '.join(repr(line) for line in lines)} >{self._pipe}")

    def storm(self, axis: int, seconds: float) -> None:
        """It counts to and fro; returns when that is over."""
        self._send([f"storm {axis} {seconds * 1000:.0f}"])
        self._board.wait(seconds + 0.2)


@contextlib.contextmanager
def made(board, name: str, *codes: str) -> Iterator[Made]:
    """A device of this name until what is inside is over. Codes are those of inputs.c."""
    device = Made(board, name)
    pipe = device._pipe
    # Opened for reading and writing, it does not end with the first who writes.
    board.run(f"rm -f {pipe}; mkfifo {pipe}; {PROGRAM} '{name}' {' '.join(codes)} <>{pipe} >/dev/null 2>/run/inputs.log & "
              f"echo $! >{pipe}.pid; until grep -q '{name}' /proc/bus/input/devices; do sleep 0.1; done")
    try:
        yield device
    finally:
        board.run(f"kill $(cat {pipe}.pid)")

"""One board and its centre."""

import json
import pathlib

from Fleet.board import Board
from Fleet.brokers import Centre, Certificates, Clock, Listener, wait_until
from Fleet.cable import Cable


class Fleet:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path, music: pathlib.Path):
        self.centre = self.listener = self.board = self.cable = None
        try:
            self._start(programs, folder, music)
        except BaseException:
            self.close()
            raise

    def _start(self, programs: pathlib.Path, folder: pathlib.Path, music: pathlib.Path) -> None:
        self.clock = Clock(folder / "clock")
        self.certificates = Certificates(folder / "certificates", self.clock)
        # Without rights to make one, the board is beside its centre.
        self.cable = Cable() if Cable.is_possible() else None
        address, cable = (self.cable.centre, self.cable.wrapper) if self.cable else ("127.0.0.1", ())
        self.centre = Centre(folder / "centre", self.certificates, address)
        self.centre.start()
        self.listener = Listener(self.centre)
        self.board = Board(programs, folder / "board7", "board7", music)
        self.board.set_up(self.centre, self.certificates, cable)
        self.board.start_broker()
        self.board.start_firmware()
        self.board.start_fleet()

    def wait(self, name: str, is_right=lambda payload: True, seconds: float = 10):
        """The next message of the board's topic whose payload is right, as (time, payload)."""
        topic = self.board.topic(name)
        message = self.listener.wait(name, lambda t, payload: t == topic and is_right(payload), seconds)
        return message[0], message[3]

    def state(self, seconds: float = 10, **members):
        def matches(payload: str) -> bool:
            state = json.loads(payload)
            return all(state[name] == value for name, value in members.items())
        return self.wait("state", matches, seconds)

    def reach(self) -> None:
        """Waits until the board takes commands, which nobody keeps for it."""
        def replies() -> bool:
            self.centre.say(self.board.topic("set/route"), "auto")
            try:
                return bool(self.wait("reply", seconds=1))
            except AssertionError:
                return False
        wait_until("a reply", 20, replies)

    def last(self, name: str) -> str:
        """The payload of the board's topic that was heard last."""
        self.listener.drain()
        return [message[3] for message in self.listener.heard if message[2] == self.board.topic(name)][-1]

    def close(self) -> None:
        for part in (self.board, self.listener, self.centre, self.cable):
            if part:
                part.close()

"""One run of the firmware, from its start until it ends or is killed: its log, its control socket, its keys."""

import os
import pathlib
import signal
import socket
import subprocess
import threading
import time

from event_log import Event, fields, parse

TOP = pathlib.Path(__file__).parents[3]
PATIENCE = 30  # seconds


def make_board(folder: pathlib.Path, extra: str = "") -> pathlib.Path:
    """The simulated board with a microphone that records silence, whatever sound cards the machine has."""
    path = folder / "board.toml"
    path.write_text((TOP / "board/sim.toml").read_text().replace('pcm = "default"', 'pcm = "nothing"') + extra)
    return path


class Firmware:
    """`folder` is the state folder of the kiosk, which the next run finds as this one leaves it."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path, *arguments: str) -> None:
        environment = {"HOME": str(folder), "XDG_STATE_HOME": str(folder), "XDG_RUNTIME_DIR": str(folder),
                       "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        self._errors = open(folder / "stderr", "wb")
        self._folder = folder
        self.begin = time.monotonic()
        self.process = subprocess.Popen(
            [program, "run", "--output", "file:/dev/null", *arguments], env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self._errors)
        self.events: list[Event] = []
        self.origin = 0.0  # of the firmware's clock
        self._arrived = threading.Condition()
        self._socket: socket.socket | None = None
        self._answer = b""
        self._fault: Exception | None = None  # what the thread that reads has met
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        try:
            self._read_log()
        except Exception as error:
            self._fault = error

    def _read_log(self) -> None:
        for line in self.process.stdout:
            event = parse(line.decode("ascii").rstrip("\n"))
            assert event, f"no line of the log: {line!r}"
            with self._arrived:
                start = time.monotonic() - event.at
                self.origin = min(self.origin, start) if self.events else start
                self.events.append(event)
                self._arrived.notify_all()

    @property
    def now(self) -> float:
        """By the firmware's clock, as nearly as its log shows it."""
        return time.monotonic() - self.origin

    def seen(self, name: str) -> list[Event]:
        with self._arrived:
            return [event for event in self.events if event.name == name]

    def wait(self, name: str) -> Event:
        """The first event of that name."""
        end = time.monotonic() + PATIENCE
        while not (found := self.seen(name)):
            with self._arrived:
                self._arrived.wait(0.1)
            self._raise_fault()
            assert time.monotonic() < end and self._is_alive(), f"no {name}; standard error: {self.errors}"
        return found[0]

    def _raise_fault(self) -> None:
        if self._fault:
            raise self._fault

    def _is_alive(self) -> bool:
        return self.process.poll() is None or self._reader.is_alive()

    # ---- An operator ---------------------------------------------------------------------------------------------------

    def key(self, key: str) -> None:
        try:
            self.process.stdin.write(key.encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def ask(self, command: str) -> list[str]:
        """The lines of the reply, of which the last is `ok` or `error: …`."""
        if not self._socket:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.settimeout(PATIENCE)
            self._socket.connect(str(self._folder / "jackdaw/control"))
        self._socket.sendall(command.encode() + b"\n")
        lines: list[str] = []
        while not lines or not (lines[-1] == "ok" or lines[-1].startswith("error: ")):
            while b"\n" not in self._answer:
                block = self._socket.recv(4096)
                if not block:
                    raise ConnectionError("the firmware hung up")
                self._answer += block
            line, self._answer = self._answer.split(b"\n", 1)
            lines.append(line.decode())
        return lines

    def status(self) -> dict[str, str]:
        return fields(" " + self.ask("status")[0])

    # ---- The end ----------------------------------------------------------------------------------------------------

    def end(self, number: int) -> int:
        """Sends a signal and waits for the end; returns the exit status."""
        self.process.send_signal(number)
        return self._finish()

    def kill(self) -> float:
        """When, by its clock."""
        at = time.monotonic()
        self.process.send_signal(signal.SIGKILL)
        self._finish()
        # Only the log, read to its end, shows the clock of one that is killed while it starts.
        return at - self.origin

    def _finish(self) -> int:
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert not self._reader.is_alive(), "its log does not end"
        if self._socket:
            self._socket.close()
        self.process.stdin.close()
        self.process.stdout.close()
        self._errors.close()
        self._raise_fault()
        return status

    @property
    def errors(self) -> str:
        return (self._folder / "stderr").read_text(errors="replace")

"""The air around an emulated board: a Bluetooth controller for it, headsets, and what they hear.

The controllers are those of BlueZ's own btvirt, of which a machine can run one at a time: its sockets have fixed names.
"""

import dataclasses
import fcntl
import json
import os
import pathlib
import struct
import subprocess
import sys
import time

from Board import sound
from Board.sockets import LineSocket

HERE = pathlib.Path(__file__).parent / "headset"
# Without Low Energy, for which btvirt asks the kernel for ciphers that a machine may lack.
CONTROLLERS = pathlib.Path("/tmp/bt-server-bredr")
# What a headset offers, as BlueZ keeps it: sound, and keys both ways.
SERVICES = "".join(f"0000{number}-0000-1000-8000-00805f9b34fb;" for number in ("110b", "110c", "110e"))
LOCK = pathlib.Path("/tmp/jackdaw-board-test.lock")
PATIENCE = 150  # s, more than a headset has itself (headset/headset.py)
DELAY = 150  # ms: what the headsets report (headset/headset.py)
# The board has been paired with the first one, and knows nothing of the other. One at a time is connected: btvirt passes
# nothing on to the second one of two.
HEADSETS = ("Headset", "Stranger")


class Refused(Exception):
    """A headset could not do what it was asked for."""


@dataclasses.dataclass
class HeardPart(sound.Stretch):
    """What a headset heard in one piece."""

    loudness: float  # 1: as loud as the track is


class Radio:
    """In a `with` statement, within which the board is powered on."""

    def __init__(self, tree: pathlib.Path, folder: pathlib.Path, tracks: dict[int, pathlib.Path]) -> None:
        """
        - tree: a Debian 13 system for this machine, unpacked, with btvirt and the decoder; and Bumble in `venv` of it.
        - folder: for sockets, logs and what is heard.
        - tracks: their files, by number.
        """
        self.folder = folder
        self._tree = tree
        self._tracks = tracks
        self._processes: list[subprocess.Popen] = []
        self._sockets: dict[str, LineSocket] = {}
        self._lock = None
        self.headsets: list[Headset] = []

    @property
    def board_address(self) -> str:
        return _address(0)

    @property
    def board_socket(self) -> pathlib.Path:
        """Where the board's controller is, as on a serial line."""
        return self.folder / "air"

    def __enter__(self) -> "Radio":
        try:
            self._begin()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _begin(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = open(LOCK, "w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        for path in CONTROLLERS.parent.glob("bt-server-*"):
            path.unlink()
        self._start("btvirt", *self._tool("btvirt"), "-s")
        self._wait_for(CONTROLLERS)
        self._start("air", sys.executable, "-B", HERE / "air.py", CONTROLLERS, self.folder)
        self._wait_for(self.board_socket)
        self._wait_for(self.folder / "range")
        # Controllers get their addresses in this order; that of the board has the first one.
        for number, name in enumerate(HEADSETS, 1):
            self._start(name, self._python, "-B", HERE / "headset.py", CONTROLLERS, self.folder, name)
            self._wait_for(self.folder / name)
            self.headsets.append(Headset(self, name))
            assert self.headsets[-1].address == _address(number), self.headsets[-1].address
        self.known, self.strange = self.headsets

    def settle(self) -> None:
        """All headsets are in range, switched off, and have heard nothing yet."""
        self.range("back")
        for headset in self.headsets:
            headset.ask("off")
            headset.forget()

    def write_bond(self, state: pathlib.Path) -> None:
        """What BlueZ has kept of the first headset since it was paired; the headset has the other half.

        - state: becomes /var/lib on the board.
        """
        key, board, headset = os.urandom(16).hex(), _address(0), _address(1)
        place = state / "bluetooth" / board / headset
        place.mkdir(parents=True)
        (place / "info").write_text(
            f"[General]\nName={HEADSETS[0]}\nTrusted=true\nBlocked=false\nSupportedTechnologies=BR/EDR;\n"
            f"Services={SERVICES}\n[LinkKey]\nKey={key.upper()}\nType=4\nPINLength=0\n")
        # Without its records BlueZ takes the headset for one without a volume, until it is connected again.
        records = subprocess.run([self._python, "-B", HERE / "records.py"], check=True, capture_output=True, text=True).stdout
        (place.parent / "cache").mkdir()
        (place.parent / "cache" / headset).write_text(f"[General]\nName={HEADSETS[0]}\n\n[ServiceRecords]\n{records}")
        bond = {"link_key": {"value": key, "authenticated": False}, "link_key_type": 4}
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{HEADSETS[0]}.json").write_text(json.dumps({f"{headset}/P": {f"{board}/P": bond}}))

    def range(self, command: str) -> None:
        """lost, give-up, back or reset: see headset/air.py."""
        self.ask("range", command)

    def ask(self, socket: str, command: str) -> str:
        if socket not in self._sockets:
            self._sockets[socket] = LineSocket(self.folder / socket)
        self._sockets[socket].send(command + "\n")
        reply = self._sockets[socket].read_to(b"\n", PATIENCE).decode()
        if reply.startswith("failed"):
            raise Refused(f"{socket}: {command}: {reply}")
        return reply

    def places(self, frames: bytes) -> list[HeardPart]:
        """What of the tracks stands in SBC frames."""
        coded, heard = self.folder / "heard.sbc", self.folder / "heard.au"
        coded.write_bytes(frames)
        heard.unlink(missing_ok=True)
        subprocess.run([*self._tool("sbcdec"), "-f", str(heard), str(coded)], check=True, capture_output=True)
        raw = self.folder / "heard.raw"
        raw.write_bytes(_samples(heard.read_bytes()))
        words = [f"{number}={path}" for number, path in self._tracks.items()]
        done = subprocess.run([self._python, "-B", HERE / "place.py", raw, *words], check=True, capture_output=True)
        return [HeardPart(*one) for one in json.loads(done.stdout)]

    def close(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            process.wait(20)
        if self._lock:
            self._lock.close()

    @property
    def _python(self) -> pathlib.Path:
        return self._tree / "venv/bin/python"

    def _tool(self, program: str) -> list[str]:
        """A program of the unpacked system, with that system's own libraries."""
        loader = next(self._tree.glob("usr/lib*/ld-linux-x86-64.so.2"))
        return [str(loader), "--library-path", str(self._tree / "usr/lib/x86_64-linux-gnu"), str(self._tree / "usr/bin" / program)]

    def _start(self, name: str, *command) -> None:
        with open(self.folder / f"{name}.log", "w") as log:
            self._processes.append(subprocess.Popen(
                list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"}))

    def _wait_for(self, path: pathlib.Path) -> None:
        deadline = time.monotonic() + PATIENCE
        while not path.exists():
            if time.monotonic() > deadline or self._processes[-1].poll() is not None:
                log = self.folder / f"{path.name}.log"
                raise RuntimeError(f"{path} never came: {log.read_text()[-2_000:] if log.exists() else ''}")
            time.sleep(0.05)


class Headset:
    def __init__(self, radio: Radio, name: str) -> None:
        self._radio = radio
        self.name = name
        self._begin = 0
        self.address = self.ask("address")

    def ask(self, command: str) -> str:
        return self._radio.ask(self.name, command)

    @property
    def is_connected(self) -> bool:
        return self.ask("status").startswith("connected")

    @property
    def volume(self) -> int:
        return int(self.ask("status").split()[1])

    @property
    def packets(self) -> int:
        """How many it has heard since it was made."""
        return int(self.ask("status").split()[2])

    def forget(self) -> None:
        """Leaves out what was heard so far."""
        self._begin = self._file.stat().st_size

    def heard(self) -> list[HeardPart]:
        """What it heard since `forget()`."""
        frames = self._file.read_bytes()[self._begin:]
        return self._radio.places(frames) if frames else []

    @property
    def _file(self) -> pathlib.Path:
        return self._radio.folder / f"{self.name}.sbc"


def _address(number: int) -> str:
    """What btvirt gives to the controller of this number."""
    return f"00:AA:01:{number:02X}:00:42"


def _samples(file: bytes) -> bytes:
    """Of Sun's format, which has its first byte first, as our own machine has them."""
    begin, = struct.unpack_from(">4xI", file)
    samples = bytearray(file[begin:len(file) - (len(file) - begin) % 4])
    samples[0::2], samples[1::2] = samples[1::2], samples[0::2]
    return bytes(samples)

"""QEMU as a board: its program out of an unpacked Debian, the words that all boards here have in common, its monitor and its
GPIO chip."""

import json
import os
import pathlib

from Board.lines import Lines
from Board.sockets import LineSocket

CARDS = ("headphones", "speaker")
# On the serial line of the chip.
KERNEL_CONSOLE = "ttyAMA0"


class Emulator:
    """A Debian 13 for this machine, unpacked, with QEMU."""

    def __init__(self, tree: pathlib.Path) -> None:
        self._tree = tree
        self._libraries = tree / "usr/lib/x86_64-linux-gnu"

    def tool(self, program: str) -> list[str]:
        """A program of the tree, with the tree's own libraries."""
        loader = next(self._tree.glob("usr/lib*/ld-linux-x86-64.so.2"))
        return [str(loader), "--library-path", str(self._libraries), str(self._tree / "usr/bin" / program)]

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "QEMU_MODULE_DIR": str(self._libraries / "qemu")}

    def board(self, memory: int, shift: int = 2, sleeps: bool = True, machine: str = "virt") -> list[str]:
        """Begins the command of a board, to which its kernel and its devices are added.

        - memory: MiB of it.
        - shift: how many nanoseconds of the board's time an instruction takes, as a power of two: time passes there by what
          was executed, not by the host's clock. So a busy host makes the board slow, never late.
        - sleeps: whether time passes also while the board has nothing to do; otherwise it jumps to what is next.
        """
        command = [
            *self.tool("qemu-system-aarch64"), "-L", str(self._tree / "usr/share/qemu"), "-nodefaults", "-display", "none",
            "-M", machine, "-icount", f"shift={shift},sleep={'on' if sleeps else 'off'}", "-rtc", "clock=vm"]
        if machine == "virt":
            # One processor: with two, short pulses on the lines get lost.
            command += ["-cpu", "cortex-a53", "-smp", "1", "-m", str(memory)]
        return command


def controls(folder: pathlib.Path) -> list[str]:
    """The sockets of `Monitor` and of its lines."""
    return ["-qmp", f"unix:{folder / 'monitor'},server=on,wait=off",
            "-qtest", f"unix:{folder / 'pins'},server=on,wait=off", "-qtest-log", "/dev/null"]


def recordings(folder: pathlib.Path) -> list[str]:
    """What a card plays, QEMU writes into a WAV file, at the pace of the board's clock and only while the card plays."""
    return [word for card in CARDS
            for word in ("-audiodev", f"wav,id={card},path={folder / card}.wav,out.frequency=48000")]


class Monitor:
    """QEMU's own protocol."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._socket = LineSocket(folder / "monitor")
        self._socket.read_to(b"\n", 60)
        self.ask("qmp_capabilities")

    def ask(self, command: str, **arguments):
        """What it returns."""
        self._socket.send(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        while True:
            answer = json.loads(self._socket.read_to(b"\n", 60))
            if "error" in answer:
                raise RuntimeError(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def wait_for(self, event: str, patience: float) -> None:
        while event not in self._socket.read_to(b"\n", patience).decode():
            pass

    def lines(self, names: list[str]) -> Lines:
        """Of the GPIO chip, wherever QEMU has it in its tree of devices."""
        devices = self.ask("qom-list", path="/machine/unattached")
        chip = next(device["name"] for device in devices if device["type"] == "child<pl061>")
        return Lines(self._folder / "pins", f"/machine/unattached/{chip}", names)

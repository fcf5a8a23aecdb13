"""A card in a board: QEMU's Raspberry Pi 3, or its machine "virt" with sound cards and a GPIO chip.

Kernel, initrd, command line and device tree are taken from the card's own boot partition, as a Raspberry Pi's firmware
does. Killing QEMU is the power cut: what the board has handed to its card stays, the rest is lost.
"""

import os
import pathlib
import re
import subprocess
import time

from card import Card
from lines import Lines
from sockets import LineSocket

CARDS = ("headphones", "speaker")
# On `virt`, by the offsets of board/emulated.toml.
PINS = ["JACK_SENSE", "DOCK_SENSE", "BTN_PLAY", "PIN_3", "BTN_STOP", "BTN_VOL_UP", "BTN_VOL_DOWN", "LED_STATUS"]


class Board:
    """Powered from its making on, until `cut()`."""

    def __init__(self, card: Card, emulator: pathlib.Path, folder: pathlib.Path, machine: str = "virt",
                 drives: tuple[str, ...] = ()) -> None:
        """
        - emulator: a Debian 13 system for this machine, unpacked, with QEMU.
        - folder: for sockets, sound and `console.log`, which grows from one board to the next.
        - machine: `raspi3b` or `virt`.
        - drives: further options of QEMU.
        """
        self.folder = folder
        self._emulator = emulator
        self._log = folder / "console.log"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("pins", "monitor"):
            (folder / name).unlink(missing_ok=True)
        self._log.touch()
        self._begin = self._log.stat().st_size
        self._seen = 0
        command = self._command(card, machine) + list(drives)
        environment = {**os.environ, "QEMU_MODULE_DIR": str(emulator / "usr/lib/x86_64-linux-gnu/qemu")}
        self._errors = open(folder / "qemu.log", "w")
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._errors, stderr=subprocess.STDOUT, env=environment)
        self.powered = time.monotonic()
        self._lines: Lines | None = None

    def cut(self) -> None:
        """Takes the power away."""
        self.process.kill()
        self.process.wait()
        self._errors.close()

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, *_) -> None:
        self.cut()

    # ---- What it says and plays -----------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What the serial console has said since power on."""
        with open(self._log, "rb") as log:
            log.seek(self._begin)
            return log.read().decode(errors="replace").replace("\r", "")

    def wait(self, pattern: str, patience: float = 900) -> re.Match:
        """The next place in the log, after the one that was waited for last, that fits a regular expression."""
        deadline = time.monotonic() + patience
        while True:
            text = self.text
            if found := re.compile(pattern).search(text, self._seen):
                self._seen = found.end()
                return found
            if time.monotonic() > deadline or self.process.poll() is not None:
                last = "\n".join(f"      {line}" for line in text.splitlines()[-15:])
                raise AssertionError(f"the console did not say /{pattern}/ in {patience:g} s; it said\n{last}")
            time.sleep(0.2)

    @property
    def seconds(self) -> str:
        """How long ago power on was at the last line of the log, by the board's clock and by the host's."""
        stamp = re.findall(r"^\[ *(\d+)\.\d+\]", self.text, re.MULTILINE)
        return f"{stamp[-1] if stamp else '?'} s by the board's clock, {time.monotonic() - self.powered:.0f} s by the host's"

    def wait_sound(self, name: str, patience: float = 600) -> None:
        """Until a card plays something that is no silence, after what it had played when this is called."""
        path = self.folder / f"{name}.wav"
        begin = path.stat().st_size if path.exists() else 0
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if path.exists() and any(path.read_bytes()[max(begin, 44):]):
                return
            time.sleep(0.1)
        raise AssertionError(f"{name} played nothing in {patience:g} s")

    # ---- What is done to it -----------------------------------------------------------------------------------------

    def set(self, name: str, level: int) -> None:
        """A contact of `virt`: 1 is closed."""
        if not self._lines:
            monitor = LineSocket(self.folder / "monitor")
            monitor.read_to(b"\n", 20)
            ask = ('{"execute":"qmp_capabilities"}\n', '{"execute":"qom-list","arguments":{"path":"/machine/unattached"}}\n')
            for line in ask:
                monitor.send(line)
                answer = monitor.read_to(b"\n", 20).decode()
            chip = re.search(r'"name": "(device\[\d+\])", "type": "child<pl061>"', answer)
            self._lines = Lines(self.folder / "pins", f"/machine/unattached/{chip[1]}", PINS)
        self._lines.set(name, level)

    def press(self, name: str) -> None:
        self.set(name, 1)
        time.sleep(0.4)
        self.set(name, 0)

    # ---- Building it ------------------------------------------------------------------------------------------------

    def _command(self, card: Card, machine: str) -> list[str]:
        take = lambda path: self._take(card, path)
        settings = dict(re.findall(r"^(\w+)[= ](.+)$", card.take("config.txt").decode(), re.MULTILINE))
        words = card.take("cmdline.txt").decode().strip()
        loader = next(self._emulator.glob("usr/lib*/ld-linux-x86-64.so.2"))
        command = [
            str(loader), "--library-path", str(self._emulator / "usr/lib/x86_64-linux-gnu"),
            str(self._emulator / "usr/bin/qemu-system-aarch64"), "-L", str(self._emulator / "usr/share/qemu"),
            "-nodefaults", "-display", "none", "-no-reboot",
            "-kernel", take(settings["kernel"]), "-initrd", take(settings["initramfs"].split()[0]),
        ]
        serial = f"file,id=serial,path={self._log},append=on"
        if machine == "raspi3b":
            # Its first serial port is Bluetooth's; the second is the mini UART on pins 8 and 10, ttyS1.
            return command + [
                # Its card reader gives up when a busy host does not serve it in time: see below.
                "-M", "raspi3b", "-icount", "shift=2,sleep=on", "-rtc", "clock=vm", "-dtb", take("bcm2837-rpi-3-b.dtb"), "-append", words, "-serial", "null",
                "-chardev", serial, "-serial", "chardev:serial", "-drive", f"if=sd,format=raw,file={card.path}"]
        command += [
            # Time passes by what was executed, so that a busy host makes the board slow, never late.
            "-M", "virt", "-cpu", "cortex-a53", "-smp", "1", "-m", "512", "-icount", "shift=2,sleep=on", "-rtc", "clock=vm",
            # It has no serial number to make a machine id of.
            "-append", f"{words} console=ttyAMA0 systemd.machine_id=6a61636b646177000123456789abcdef",
            "-chardev", serial, "-serial", "chardev:serial",
            "-drive", f"if=virtio,format=raw,file={card.path}", "-device", "qemu-xhci",
            "-qmp", f"unix:{self.folder / 'monitor'},server=on,wait=off",
            "-qtest", f"unix:{self.folder / 'pins'},server=on,wait=off", "-qtest-log", "/dev/null"]
        for name in CARDS:
            (self.folder / f"{name}.wav").unlink(missing_ok=True)
            command += ["-audiodev", f"wav,id={name},path={self.folder / name}.wav,out.frequency=48000"]
        return command + ["-device", "usb-audio,audiodev=headphones", "-device", "virtio-sound-pci,audiodev=speaker,streams=1"]

    def _take(self, card: Card, path: str) -> str:
        target = self.folder / pathlib.Path(path).name
        target.write_bytes(card.take(path))
        return str(target)

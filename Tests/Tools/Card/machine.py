"""A card in a board: QEMU's Raspberry Pi 3, or its machine "virt" with sound cards and a GPIO chip.

Kernel, initrd, command line and device tree are taken from the card's own boot partition, as a Raspberry Pi's firmware
does. Killing QEMU is the power cut: what the board has handed to its card stays, the rest is lost.
"""

import base64
import json
import pathlib
import re
import subprocess
import time

from Board.lines import Lines
from Board.qemu import CARDS, Emulator, Monitor, controls, recordings
from Card.card import Card

# On `virt`, by the offsets of board/emulated.toml.
PINS = ["JACK_SENSE", "DOCK_SENSE", "BTN_PLAY", "PIN_3", "BTN_STOP", "BTN_VOL_UP", "BTN_VOL_DOWN", "LED_STATUS"]

# What its log says when the card has its report.
WRITTEN = "jackdaw-report: report and log are written"


def unit(name: str, text: str) -> str:
    """The words of the kernel's command line that give systemd one more unit."""
    return (f"systemd.set_credential_binary=systemd.extra-unit.{name}.service:{base64.b64encode(text.encode()).decode()}"
            f" systemd.wants={name}.service")


class Board:
    """Powered from its making on, until `cut()`."""

    def __init__(self, card: Card, emulator: pathlib.Path, folder: pathlib.Path, machine: str = "virt",
                 sticks: tuple[pathlib.Path, ...] = (), is_paced: bool = True, log: pathlib.Path | None = None,
                 are_plugged: bool = False, words: str = "", date: str | None = None, chip: str | None = None) -> None:
        """
        - emulator: a Debian 13 system for this machine, unpacked, with QEMU.
        - folder: for sockets, sound and `console.log`, which grows from one board to the next.
        - machine: `raspi3b` or `virt`.
        - sticks: images of the USB sticks that `plug()` takes, by the name of the file.
        - are_plugged: they are in from power on.
        - is_paced: False where nothing is done by hand: while the board has nothing to do, its clock jumps to what is next.
        - log: gets all that the board writes to its card (recording.py).
        - words: of the kernel's command line, after the card's own.
        - date: what its clocks show at power on, in UTC; None: the time of this machine.
        - chip: one of QEMU's clock chips on the I2C bus of the header, of a Raspberry Pi.
        """
        self.folder = folder
        self._emulator = Emulator(emulator)
        self._log = folder / "console.log"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("pins", "monitor"):
            (folder / name).unlink(missing_ok=True)
        self._log.touch()
        self._begin = self._log.stat().st_size
        self._seen = 0
        command = [*self._emulator.board(512, sleeps=is_paced, machine=machine), *self._devices(card, machine, log, words)]
        if date:
            command += ["-rtc", f"base={date}"]
        if chip:
            command += ["-device", f"{chip},bus=i2c-bus.1,address=0x68"]
        for stick in sticks:
            command += ["-drive", f"if=none,id={stick.stem},format=raw,read-only=on,file={stick}"]
            if are_plugged:
                command += ["-device", f"usb-storage,id=plugged-{stick.stem},drive={stick.stem}"]
        self._errors = open(folder / "qemu.log", "w")
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._errors, stderr=subprocess.STDOUT,
            env=self._emulator.environment)
        self.powered = time.monotonic()
        self._qemu: Monitor | None = None
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

    def wait_moment(self, pattern: str, patience: float = 900) -> float:
        """The same, and when that line was written, in seconds by the board's clock."""
        found = self.wait(pattern, patience)
        begin = found.string.rfind("\n", 0, found.start()) + 1
        return float(re.match(r"\[ *(\d+\.\d+)\]", found.string[begin:]).group(1))

    def find(self, pattern: str) -> list[str]:
        """All places in the log since power on that fit a regular expression."""
        return re.findall(pattern, self.text)

    @property
    def clock(self) -> float:
        """Seconds from power on to the last line of the log, by the board's clock."""
        return float(([0] + self.find(r"(?m)^\[ *(\d+\.\d+)\]"))[-1])

    @property
    def seconds(self) -> str:
        return f"{self.clock:.0f} s by the board's clock, {time.monotonic() - self.powered:.0f} s by the host's"

    def wait_report(self, patience: float = 900) -> None:
        """Until the report of this start is written, which may be long ago."""
        seen, self._seen = self._seen, 0
        self.wait(WRITTEN, patience)
        self._seen = max(seen, self._seen)

    def wait_sound(self, name: str, patience: float = 600, begin: int | None = None) -> None:
        """Until a card plays something that is no silence, after what it had played when this is called, or after so many
        bytes."""
        path = self.folder / f"{name}.wav"
        if begin is None:
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
            self._lines = self._monitor.lines(PINS)
        self._lines.set(name, level)

    def press(self, name: str) -> None:
        self.set(name, 1)
        time.sleep(0.4)
        self.set(name, 0)

    def press_until(self, name: str, pattern: str) -> None:
        """As a visitor does: once more where nothing came of it, as what is pressed soon after a plug or a press does not
        count. How soon that is by the board's clock, nobody outside knows."""
        for _ in range(5):
            self.press(name)
            try:
                self.wait(pattern, 20)
                return
            except AssertionError:
                continue
        self.wait(pattern, 20)

    def plug(self, stick: str) -> None:
        """A USB stick of those that were named in the beginning."""
        self._monitor.ask("device_add", driver="usb-storage", id=f"plugged-{stick}", drive=stick)

    def unplug(self, stick: str) -> None:
        self._monitor.ask("device_del", id=f"plugged-{stick}")

    def wait_watchdog(self, patience: float) -> None:
        """Until the hardware watchdog resets the board, which ends QEMU."""
        self._monitor.wait_for("WATCHDOG", patience)

    @property
    def _monitor(self) -> Monitor:
        if not self._qemu:
            self._qemu = Monitor(self.folder)
        return self._qemu

    # ---- Building it ------------------------------------------------------------------------------------------------

    def _devices(self, card: Card, machine: str, log: pathlib.Path | None, more: str) -> list[str]:
        take = lambda path: self._take(card, path)
        config = card.take("config.txt").decode()
        settings = dict(re.findall(r"^(\w+)[= ](.+)$", config, re.MULTILINE))
        words = card.take("cmdline.txt").decode().strip()
        command = ["-no-reboot", "-kernel", take(settings["kernel"]), "-initrd", take(settings["initramfs"].split()[0])]
        serial = f"file,id=serial,path={self._log},append=on"
        if machine == "raspi3b":
            # Its first serial port is Bluetooth's; the second is the mini UART on pins 8 and 10, ttyS1.
            return command + [
                "-dtb", self._with_overlays(take, take("bcm2837-rpi-3-b.dtb"), config),
                # Its watchdog resets the board as soon as it is started instead of when nobody comes back.
                "-append", f"{words} systemd.watchdog_sec=off", "-serial", "null", "-chardev", serial,
                "-serial", "chardev:serial", "-drive", f"if=sd,format=raw,file={card.path}"]
        command += [
            # The host is 10.0.2.2 for it.
            "-netdev", "user,id=network", "-device", "virtio-net-pci,netdev=network,romfile=",
            # It has no serial number to make a machine id of.
            "-append", f"{words} console=ttyAMA0 systemd.machine_id=6a61636b646177000123456789abcdef {more}",
            "-chardev", serial, "-serial", "chardev:serial",
            *self._disk(card, log), "-device", "qemu-xhci", "-device", "i6300esb",
            *controls(self.folder), *recordings(self.folder)]
        for name in CARDS:
            (self.folder / f"{name}.wav").unlink(missing_ok=True)
        return command + ["-device", "usb-audio,audiodev=headphones", "-device", "virtio-sound-pci,audiodev=speaker,streams=1"]

    def _with_overlays(self, take, tree: str, config: str) -> str:
        """The device tree with those that config.txt names, as a Raspberry Pi's firmware makes it."""
        overlays = [take(f"overlays/{name}.dtbo") for name in re.findall(r"^dtoverlay=([\w-]+)$", config, re.MULTILINE)]
        if not overlays:
            return tree
        made = str(self.folder / "made.dtb")
        subprocess.run([*self._emulator.tool("fdtoverlay"), "-i", tree, "-o", made, *overlays], check=True)
        return made

    def _disk(self, card: Card, log: pathlib.Path | None) -> list[str]:
        if not log:
            return ["-drive", f"if=virtio,format=raw,file={card.path}"]
        node = {"driver": "blklogwrites", "node-name": "card", "file": {"driver": "file", "filename": str(card.path)},
                "log": {"driver": "file", "filename": str(log)}}
        return ["-blockdev", json.dumps(node), "-device", "virtio-blk-pci,drive=card"]

    def _take(self, card: Card, path: str) -> str:
        target = self.folder / pathlib.Path(path).name
        target.write_bytes(card.take(path))
        return str(target)

"""The emulated board: QEMU's ARM64 machine "virt" with a serial console, eight GPIO lines, sound cards and a disk."""

import pathlib
import subprocess
import time

from Board.console import Console
from Board.lines import COUNT
from Board.qemu import KERNEL_CONSOLE, Emulator, Monitor, controls, recordings
from Board.sockets import Closed, LineSocket
from EmulatedBoard import device_tree
from EmulatedBoard.disk import Disk
from EmulatedBoard.readers import PN532, RDM6300, Reader
from EmulatedBoard.smart_card import PCSC
from EmulatedBoard.wiring import Wiring

LOOP_BACK = ("/sys/bus/platform/drivers/snd_aloop", "snd_aloop.0")  # driver and device
STICK = "stick"
PC_SC = "pcsc"
# The protocols of readers, by their names in a board file.
PROTOCOLS = {"rdm6300": RDM6300, "pn532": PN532, PC_SC: PCSC}


class Machine:
    """One board. Power it on with `power_on()`; `power_cut()` takes the power away in the middle of what it does."""

    def __init__(self, emulator: pathlib.Path, kernel: pathlib.Path, first_files: pathlib.Path, disk: pathlib.Path,
                 stick: pathlib.Path, folder: pathlib.Path, wiring: Wiring, radio: pathlib.Path | None = None) -> None:
        """
        - emulator: a Debian 13 system for this machine, unpacked, with QEMU and the device-tree tools.
        - stick: the image of the USB stick, which is not plugged in yet.
        - folder: for sockets, logs and sound; `folder/shared` is /mnt on the board.
        - radio: the socket of a Bluetooth controller, if the board is to have one.
        """
        self.folder = folder
        self.wiring = wiring
        self.has_card = True  # USB
        self.has_stick = False
        self.has_keyboard = False
        # Replies to earlier commands may still come, and be taken for that to the next one.
        self.answers_owed = 0
        self.unplugged_readers: set[str] = set()
        self._emulator = Emulator(emulator)
        self._radio = radio
        named = {pin: name for name, pin in wiring.pins.items()}
        self._names = [named.get(pin, f"PIN_{pin}") for pin in range(COUNT)]
        (folder / "shared").mkdir(parents=True, exist_ok=True)
        for name in ("console", "kernel", "agent", "monitor", "pins", *wiring.readers):
            (folder / name).unlink(missing_ok=True)
        command = self._command(kernel, first_files, disk, stick)
        tree = self._device_tree(command)
        self._log = open(folder / "qemu.log", "w")
        self.process = subprocess.Popen(
            [*command, "-dtb", tree, "-S"], stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT,
            env=self._emulator.environment)
        try:
            self._monitor = Monitor(folder)
            self.ask = self._monitor.ask
            self.lines = self._monitor.lines(self._names)
            self.console = Console(folder / "console")
            self.readers: dict[str, Reader] = {
                name: PROTOCOLS[protocol](folder / name) for name, protocol in wiring.readers.items()}
            self._agent = LineSocket(folder / "agent")
            self.disk = Disk(self.ask)
        except Closed as error:
            raise RuntimeError(f"{error}; QEMU says: {(folder / 'qemu.log').read_text()}") from error

    # ---- Power --------------------------------------------------------------------------------------------------

    def power_on(self) -> None:
        """Returns when the board takes commands of `run()`; the firmware then is about to start."""
        self.answers_owed = 1
        self.ask("cont")
        self._agent.read_to(b"agent\n", 300)
        self.answers_owed = 0

    def power_cut(self, **lines: int) -> None:
        """What is not on the disk is lost, but for a write under way. Powers on again with the contacts as they were, or
        as in `lines`."""
        self.ask("stop")
        self.ask("system_reset")
        self.lines.set_again()
        for name, level in lines.items():
            self.lines.set(name, level)
        self.power_on()

    def close(self) -> None:
        try:
            self.ask("quit")
            self.process.wait(10)
        except (Closed, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.console.close()
        for reader in self.readers.values():
            reader.close()
        self._log.close()

    # ---- Inside -------------------------------------------------------------------------------------------------

    def run(self, command: str, patience: float = 120) -> str:
        """Runs a line of shell as root on the board, and returns what it printed."""
        self._order(command)
        return self._answer(command, patience)

    def _order(self, command: str) -> None:
        self.answers_owed += 1
        self._agent.send(command + "\n")

    def _answer(self, command: str, patience: float) -> str:
        output = self._agent.read_to(b"\x01", patience).decode(errors="replace")
        status = int(self._agent.read_to(b"\n", patience))
        self.answers_owed -= 1
        if status:
            raise RuntimeError(f"{command}: status {status}: {output}")
        return output.strip()

    def wait(self, seconds: float) -> None:
        """Lets this time pass by the board's clock."""
        self.run(f"sleep {seconds}", patience=60 + 20 * seconds)

    # ---- Outside ------------------------------------------------------------------------------------------------

    def press(self, name: str, seconds: float = 0.1) -> None:
        self.lines.set(name, 1)
        self.wait(seconds)
        self.lines.set(name, 0)

    def sleep(self, meanwhile=lambda: None) -> None:
        """Suspends the board to idle until its alarm clock rings; `meanwhile` is called while it sleeps."""
        self._order("/usr/lib/board/suspend 3")
        self.lines.wait_for_sleep(30)
        meanwhile()
        self._answer("sleep", 120)

    def unplug_card(self) -> None:
        self.ask("device_del", id="usb-card")
        self.has_card = False

    def plug_card(self) -> None:
        self.ask("device_add", driver="usb-audio", id="usb-card", audiodev="headphones", pcap=str(self.bus))
        self.has_card = True

    def plug_stick(self) -> None:
        self.ask("device_add", driver="usb-storage", id="usb-stick", drive=STICK)
        self.has_stick = True

    def unplug_stick(self) -> None:
        self.ask("device_del", id="usb-stick")
        self.has_stick = False

    def plug_keyboard(self) -> None:
        self.ask("device_add", driver="usb-kbd", id="usb-keyboard")
        self.has_keyboard = True

    def unplug_keyboard(self) -> None:
        self.ask("device_del", id="usb-keyboard")
        self.has_keyboard = False

    def plug_reader(self, name: str) -> None:
        if self.wiring.readers[name] != PC_SC:
            self.ask("device_add", driver="usb-serial", id=name, chardev=name)
        self.readers[name].set_power(True)
        self.unplugged_readers.remove(name)

    def unplug_reader(self, name: str) -> None:
        self.readers[name].set_power(False)
        self.unplugged_readers.add(name)
        if self.wiring.readers[name] == PC_SC:
            return  # It pulls its plug itself.
        self.ask("device_del", id=name)
        # It lets go of its line only when the board has given up what it had asked it for.
        while any(line["frontend-open"] for line in self.ask("query-chardev") if line["label"] == name):
            time.sleep(0.02)

    def strike(self, *keys: str) -> None:
        """Strikes keys of the keyboard, one after the other, by QEMU's names for them: 8 at most, as it keeps no more until
        the board asks for them."""
        events = [{"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": key}}}
                  for key in keys for down in (True, False)]
        self.ask("input-send-event", events=events)

    def unplug_loop_back(self) -> None:
        self.run(f"[ ! -e {LOOP_BACK[0]}/{LOOP_BACK[1]} ] || echo {LOOP_BACK[1]} >{LOOP_BACK[0]}/unbind")

    def plug_loop_back(self) -> None:
        self.run(f"echo {LOOP_BACK[1]} >{LOOP_BACK[0]}/bind")

    def wav(self, card: str) -> pathlib.Path:
        return self.folder / f"{card}.wav"

    @property
    def bus(self) -> pathlib.Path:
        """Every packet that the USB card was sent since it was plugged in, as usbmon of Linux has them."""
        return self.folder / "usb.pcap"

    @property
    def is_console_lossy(self) -> bool:
        """QEMU's serial card now and then does not notify the board of what was typed."""
        return self.wiring.console != KERNEL_CONSOLE

    def pace_losses(self) -> int:
        return (self.folder / "qemu.log").read_text().count("Resetting rate control")

    # ---- Building it --------------------------------------------------------------------------------------------

    def _command(self, kernel: pathlib.Path, first_files: pathlib.Path, disk: pathlib.Path,
                 stick: pathlib.Path) -> list[str]:
        def socket(name: str, more: str = "") -> str:
            return f"socket,id={name},path={self.folder / name},server=on,wait=off{more}"

        command = [
            *self._emulator.board(memory=384), "-kernel", str(kernel), "-initrd", str(first_files),
            "-append", f"console={KERNEL_CONSOLE} quiet loglevel=6",
            *self._serial(socket),
            "-device", "virtio-serial-pci", "-chardev", socket("agent"),
            "-device", "virtserialport,chardev=agent,name=agent",
            *controls(self.folder),
            "-drive", f"if=virtio,id={Disk.NAME},format=raw,file={disk}",
            "-blockdev", f"driver=raw,node-name={STICK},read-only=on,file.driver=file,file.filename={stick}",
            "-virtfs", f"local,path={self.folder / 'shared'},mount_tag=host,security_model=none",
            "-device", "qemu-xhci",
        ]
        if self._radio:
            # The board's /dev/hvc0.
            command += ["-chardev", f"socket,id=radio,path={self._radio}", "-device", "virtconsole,chardev=radio"]
        command += [
            *recordings(self.folder),
            "-device", f"usb-audio,id=usb-card,audiodev=headphones,pcap={self.bus}",
            "-device", "virtio-sound-pci,audiodev=speaker,streams=1",
        ]
        for name in self.wiring.readers:
            driver = "usb-redir" if self.wiring.readers[name] == PC_SC else "usb-serial"
            command += ["-chardev", socket(name), "-device", f"{driver},id={name},chardev={name}"]
        return command

    def _serial(self, socket) -> list[str]:
        """The firmware's console is on the kernel's, or on a card beside it."""
        log = f",logfile={self.folder / 'console.log'}"
        if self.wiring.console == KERNEL_CONSOLE:
            return ["-chardev", socket("console", log), "-serial", "chardev:console"]
        return ["-serial", f"file:{self.folder / 'kernel.log'}", "-chardev", socket("console", log),
                "-device", "pci-serial,chardev=console"]

    def _device_tree(self, command: list[str]) -> pathlib.Path:
        """QEMU's own for just this machine, changed."""
        tree = self.folder / "board.dtb"
        place = command.index("virt")
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        fdtput = self._emulator.tool("fdtput")
        for step in (
            [*command[:place], f"virt,dumpdtb={tree}", *command[place + 1:]],
            *([*fdtput, *options, str(tree), node, *values] for options, node, values in device_tree.changes(self._names, self.wiring.lights)),
        ):
            done = subprocess.run(step, env=self._emulator.environment, **quiet)
            if done.returncode:
                raise RuntimeError(f"{step[-1]}: {done.stderr.decode()}")
        return tree

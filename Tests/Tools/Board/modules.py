"""Kernel modules that the board needs, and in which order they are loaded."""

import lzma
import pathlib
import re

# The disk (the checksum is one that ext4 asks for by another way than a dependency), the folder shared with the host,
# three sound cards: USB, virtio, and a loop back into the guest; input devices that a program makes up; and what is
# plugged in on USB: sticks, keyboards and serial lines. Lights on GPIO lines, and what makes their patterns.
WANTED = (
    "virtio_blk", "crc32c_generic", "ext4", "9p", "9pnet_virtio", "xhci_pci", "snd_usb_audio", "virtio_snd", "snd_aloop",
    "uinput", "evdev", "usb_storage", "sd_mod", "usbhid", "hid_generic", "ftdi_sio",
    "leds_gpio", "ledtrig_timer", "ledtrig_pattern")


def in_order(folder: pathlib.Path, wanted: tuple[str, ...] = WANTED) -> list[tuple[str, bytes]]:
    """Name and content of these modules and all that they depend on, every one after those that it needs.

    - folder: `/usr/lib/modules/VERSION` of the board.
    """
    files = {_name(path): path for path in folder.rglob("*.ko*")}
    builtin = {_name(pathlib.Path(line)) for line in (folder / "modules.builtin").read_text().split()}
    loaded: dict[str, bytes] = {}

    def load(name: str) -> None:
        if name in loaded or name in builtin:
            return
        if name not in files:
            raise SystemExit(f"the board's kernel in {folder} has no module {name}")
        data = files[name].read_bytes()
        if files[name].suffix == ".xz":
            data = lzma.decompress(data)
        for needed in _dependencies(data):
            load(needed)
        loaded[name] = data

    for name in wanted:
        load(name)
    return list(loaded.items())


def _name(path: pathlib.Path) -> str:
    return path.name.split(".")[0].replace("-", "_")


def _dependencies(module: bytes) -> list[str]:
    """From the module's information, strings that each end with a zero byte."""
    found = re.search(rb"(?:^|\0)depends=([^\0]*)\0", module)
    names = found.group(1).decode().split(",") if found else []
    return [name.replace("-", "_") for name in names if name]

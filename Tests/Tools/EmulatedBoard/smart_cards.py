"""What a board with a reader of PC/SC has beside all that every emulated board has: Debian's pcscd, and the daemons that
it asks."""

import pathlib

from Board import cpio
from EmulatedBoard import debian
from EmulatedBoard import unit

HERE = pathlib.Path(__file__).parent
PROGRAMS = (
    "usr/bin/dbus-daemon", "usr/bin/dbus-send", "usr/bin/udevadm", "usr/lib/polkit-1/polkitd", "usr/sbin/pcscd",
    "usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Linux/libccid.so")
# None of Debian's rules of udev, only the package's: mdev.conf has who owns devices, and udevd leaves that alone.
FILES = (
    "usr/share/dbus-1", "usr/lib/systemd/systemd-udevd", "usr/share/polkit-1", "etc/default/pcscd",
    "etc/libccid_Info.plist", "usr/lib/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist")
# Loaded by the firmware.
LOADED = ("libpcsclite.so.1",)
UNITS = {"udevd": "systemd-udevd", "polkitd": "polkit", "pcscd": "pcscd"}


def make(tree: pathlib.Path, files: pathlib.Path, target: pathlib.Path) -> None:
    """The archive of it.

    - tree: a Debian 13 system for arm64, unpacked, with pcscd, polkitd and udev.
    - files: the package of the product, unpacked.
    """
    archive = cpio.Archive()
    for folder in ("etc/polkit-1/rules.d", "run", "tmp"):
        archive.folder(folder)
    debian.add(archive, tree, PROGRAMS, FILES, LOADED)
    commands = {name: unit.command(tree, files, f"{service}.service") for name, service in UNITS.items()}
    # systemd starts it again with the next question when it has ended by itself, which nobody does here.
    commands["pcscd"] = commands["pcscd"].replace(" --auto-exit", "")
    archive.file("usr/lib/board/smart-card-units", "".join(f'{name}="{line}"\n' for name, line in commands.items()))
    for script in ("smart-cards", "keep"):
        archive.copy(HERE / "guest" / script, f"usr/lib/board/{script}")
    archive.write(target)

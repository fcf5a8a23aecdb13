"""What a board with Bluetooth has beside all that every emulated board has: the kernel's part, and Debian's daemons as the
package has them started."""

import pathlib

from Board import cpio
from Board import modules
from EmulatedBoard import debian
from EmulatedBoard import unit

HERE = pathlib.Path(__file__).parent
# The radio on a serial line, which hypervisors' consoles are, too, and what the stack of the kernel is made of. The keys of
# a headset are input devices, which need uinput.
MODULES = ("hci_uart", "rfcomm", "bnep", "hidp", "cmac", "ecb", "ecdh_generic")
PROGRAMS = (
    "usr/bin/dbus-daemon", "usr/bin/dbus-send", "usr/bin/btattach", "usr/bin/bluealsa", "usr/bin/bluealsa-cli",
    "usr/libexec/bluetooth/bluetoothd", "usr/lib/aarch64-linux-gnu/alsa-lib/libasound_module_pcm_bluealsa.so")
FILES = ("etc/alsa", "etc/dbus-1", "etc/bluetooth", "usr/share/dbus-1")
# Loaded by the firmware when it opens such a port.
LOADED = ("libsystemd.so.0",)


def make(tree: pathlib.Path, files: pathlib.Path, target: pathlib.Path) -> None:
    """The archive of it.

    - tree: a Debian 13 system for arm64, unpacked, with BlueZ and bluez-alsa.
    - files: the package of the product, unpacked: it says how bluez-alsa is started.
    """
    archive = cpio.Archive()
    for folder in ("var/lib/bluetooth", "run", "tmp"):
        archive.folder(folder)
    debian.add(archive, tree, PROGRAMS, FILES, LOADED)
    kernel = next((tree / "usr/lib/modules").iterdir())
    common = {name for name, _ in modules.in_order(kernel)}
    # Numbered on from those of every board, after which they are loaded.
    for number, (name, data) in enumerate(modules.in_order(kernel, (*modules.WANTED, *MODULES))):
        if name not in common:
            archive.file(f"usr/lib/modules/9{number:02}-{name}.ko", data)
    daemons = {name: unit.command(tree, files, f"{name}.service") for name in ("bluetooth", "bluealsa")}
    archive.file("usr/lib/board/bluetooth-units", "".join(f'{name}="{line}"\n' for name, line in daemons.items()))
    for script in ("bluetooth", "keep"):
        archive.copy(HERE / "guest" / script, f"usr/lib/board/{script}")
    archive.write(target)

"""What a board with Bluetooth has beside all that every emulated board has: the kernel's part, and Debian's daemons as the
package has them started."""

import pathlib
import re

from Board import cpio
from Board import modules
from EmulatedBoard import guest
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
LIBRARIES = pathlib.Path("usr/lib/aarch64-linux-gnu")
MACHINE = "0123456789abcdef0123456789abcdef"


def make(tree: pathlib.Path, files: pathlib.Path, target: pathlib.Path) -> None:
    """The archive of it.

    - tree: a Debian 13 system for arm64, unpacked, with BlueZ and bluez-alsa.
    - files: the package of the product, unpacked: it says how bluez-alsa is started.
    """
    archive = cpio.Archive()
    for folder in ("var/lib/bluetooth", "run", "tmp"):
        archive.folder(folder)
    for program in PROGRAMS:
        archive.copy(tree / program, program)
    for name in _libraries(tree):
        if not guest.is_on_every_board(name):
            archive.copy(tree / LIBRARIES / name, f"{LIBRARIES}/{name}")
    for folder in FILES:
        if (tree / folder).is_dir():
            archive.tree(tree / folder, f"{folder}/")
    archive.file("etc/machine-id", MACHINE + "\n")
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


def _libraries(tree: pathlib.Path) -> list[str]:
    """All that these programs are linked with, by the names that stand in them."""
    found: dict[str, None] = {}

    def add(path: pathlib.Path) -> None:
        for name in re.findall(rb"\0(lib[\w.+-]+\.so[.\d]*)(?=\0)", path.read_bytes()):
            take(name.decode())

    def take(name: str) -> None:
        path = tree / LIBRARIES / name
        if name in found or not path.exists():
            return
        found[name] = None
        if path.is_symlink():
            take(path.readlink().name)
        else:
            add(path)

    for program in PROGRAMS:
        add(tree / program)
    for name in LOADED:
        take(name)
    return sorted(found)

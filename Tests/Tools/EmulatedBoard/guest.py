"""What the emulated board boots: a small Debian 13 in memory, the product's files, and a disk that outlives power cuts."""

import pathlib
import shutil
import subprocess
import tempfile

from Board import cpio
from Board import modules
from EmulatedBoard import unit

HERE = pathlib.Path(__file__).parent
PROGRAMS = ("busybox", "aplay", "arecord", "prlimit", "setpriv")
# Big ones that nothing here uses.
LEFT_OUT = ("libcrypto", "libssl", "libsystemd", "libdb-", "libfftw3", "libicu", "libgmp", "libpcre2")
# Needed by Bluetooth only: bluetooth.py takes what it needs.
LEFT_OUT += (
    "libdbus", "libglib", "libgio", "libgobject", "libgmodule", "libgthread", "libbluetooth", "libspandsp", "libfreeaptx",
    "liblc3", "libldacBT", "libsbc", "libdw", "libelf", "libtiff", "libjpeg", "libwebp", "libjbig", "libLerc", "libdeflate",
    "libncurses", "libreadline", "libhistory", "libform", "libmenu", "libpanel")
# Needed by card readers of PC/SC only, in the same way: smart_cards.py.
LEFT_OUT += ("libpcsclite", "libpolkit", "libduktape", "libusb")
# As Debian numbers them; 29 is audio's on every Debian system.
GROUPS = {"root": 0, "dialout": 20, "audio": 29, "polkitd": 983, "messagebus": 984, "input": 985, "gpio": 986}
POLICY = 983
MESSAGE_BUS = 984
SERVICE = 990  # the service's own user and group
DISK_SIZE = 96 << 20
STICK_SIZE = 16 << 20


def make_base(tree: pathlib.Path, tools: list[pathlib.Path], target: pathlib.Path) -> None:
    """The archive of all that is not the product's.

    - tree: a Debian 13 system for arm64, unpacked.
    - tools: programs of the checks, built for it; they become /usr/lib/board/NAME.
    """
    archive = cpio.Archive()
    for folder in ("dev", "proc", "sys", "run", "tmp", "mnt", "media", "data", "root", "srv/music", "etc/jackdaw", "var/lib",
                   "usr/sbin"):
        archive.folder(folder)
    for folder in ("bin", "sbin", "lib"):
        archive.link(folder, f"usr/{folder}")
    # Process 1 speaks to these before it has mounted anything.
    archive.device("dev/console", 0o600, 5, 1)
    archive.device("dev/null", 0o666, 1, 3)
    for program in PROGRAMS:
        archive.copy(tree / "usr/bin" / program, f"usr/bin/{program}")
    # mdev starts commands by it.
    archive.link("usr/bin/sh", "busybox")
    for library in sorted((tree / "usr/lib/aarch64-linux-gnu").glob("*.so*")):
        if is_on_every_board(library.name):
            archive.copy(library, f"usr/lib/aarch64-linux-gnu/{library.name}")
    archive.copy(tree / "usr/lib/ld-linux-aarch64.so.1", "usr/lib/ld-linux-aarch64.so.1")
    archive.tree(tree / "usr/share/alsa", "usr/share/alsa/")
    for number, (name, data) in enumerate(modules.in_order(next((tree / "usr/lib/modules").iterdir()))):
        archive.file(f"usr/lib/modules/{number:02}-{name}.ko", data)
    archive.copy(HERE / "guest/init", "init")
    for table in ("fstab", "mdev.conf"):
        archive.copy(HERE / "guest" / table, f"etc/{table}")
    for script in ("agent", "lights", "stick", "supervisor", "suspend"):
        archive.copy(HERE / "guest" / script, f"usr/lib/board/{script}")
    for tool in tools:
        archive.copy(tool, f"usr/lib/board/{tool.name}")
    archive.write(target)


def is_on_every_board(library: str) -> bool:
    return not library.startswith(LEFT_OUT)


def make_product(files: pathlib.Path, options: str | None, target: pathlib.Path) -> None:
    """The archive of the package's files, and what starts them as the unit says.

    - files: the package, unpacked.
    - options: what the owner of this board writes into /etc/default/jackdaw; None: nothing.
    """
    archive = cpio.Archive()
    for folder in ("usr", "etc"):
        archive.tree(files / folder, f"{folder}/")
    if options is not None:
        archive.file("etc/default/jackdaw", f'JACKDAW_OPTIONS="{options}"\n')
    service = unit.read(files)
    numbers = {**GROUPS, service.groups[0]: SERVICE}
    archive.file("etc/group", "".join(
        f"{name}:x:{number}:{service.user if name in service.groups[1:] else ''}\n" for name, number in numbers.items()))
    archive.file("etc/passwd", (
        f"root:x:0:0::/root:/bin/sh\nmessagebus:x:{MESSAGE_BUS}:{MESSAGE_BUS}::/:/bin/sh\n"
        f"polkitd:x:{POLICY}:{POLICY}::/:/bin/sh\n"
        f"{service.user}:x:{SERVICE}:{SERVICE}::/:/bin/sh\n"))
    archive.file("usr/lib/board/unit", service.for_supervisor())
    archive.write(target)


def make_disk(settings: pathlib.Path, music: pathlib.Path, state: pathlib.Path, target: pathlib.Path) -> None:
    """An ext4 image with a journal, for what guest/init mounts from it.

    - settings: a folder, becomes /etc/jackdaw.
    - music: a folder, becomes /srv/music.
    - state: a folder, becomes /var/lib.
    """
    with tempfile.TemporaryDirectory() as folder:
        content = pathlib.Path(folder)
        shutil.copytree(state, content / "state")
        shutil.copytree(settings, content / "settings")
        shutil.copytree(music, content / "music")
        _make_image(content, DISK_SIZE, target)


def make_stick(music: pathlib.Path, target: pathlib.Path) -> None:
    """An ext4 image of this folder, without a table of partitions; guest/stick mounts it."""
    _make_image(music, STICK_SIZE, target)


def _make_image(content: pathlib.Path, size: int, target: pathlib.Path) -> None:
    with open(target, "wb") as image:
        image.truncate(size)
    subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", "-E", "root_owner=0:0", "-d", content, target], check=True)


def kernel(tree: pathlib.Path) -> pathlib.Path:
    return next((tree / "boot").glob("vmlinuz-*"))

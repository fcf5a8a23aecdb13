"""What the measured board boots: Debian 13 with the players on a disk, the product's files, and the tools that count."""

import pathlib
import shutil
import subprocess
import tempfile

from Board import cpio, modules

HERE = pathlib.Path(__file__).parent
SIZE = 1 << 30
MODULES = ("virtio_blk", "crc32c_generic", "ext4", "9p", "9pnet_virtio")
LIBRARIES = "usr/lib/aarch64-linux-gnu"
LEFT_OUT = ("dev", "boot", "usr/lib/modules", "usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/icons", "var")


def make(system: pathlib.Path, package: pathlib.Path, tools: list[pathlib.Path], boards: dict[str, str],
         folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """The archive that the kernel starts with, and the disk.

    - system: a Debian 13 tree for arm64 with the players, unpacked.
    - package: the product's package, unpacked.
    - tools: programs and libraries, built for arm64; they become /usr/bin/NAME.
    - boards: board files by their name in /etc/jackdaw.
    """
    disk, first = folder / "root.img", folder / "first-files.cpio"
    with tempfile.TemporaryDirectory(dir=folder) as name:
        root = pathlib.Path(name)
        left_out = {str(system / path) for path in LEFT_OUT}
        shutil.copytree(system, root, symlinks=True, dirs_exist_ok=True,
                        ignore=lambda place, names: [one for one in names if f"{place}/{one}" in left_out])
        shutil.copytree(package, root, symlinks=True, dirs_exist_ok=True)
        # Links of base-files, on which no player depends; every program names its loader by the last one.
        for path in ("bin", "sbin", "lib"):
            if not (root / path).exists():
                (root / path).symlink_to(f"usr/{path}")
        for path in ("dev", "proc", "sys", "run", "tmp", "job", "music", "var/lib", "etc/jackdaw"):
            (root / path).mkdir(parents=True, exist_ok=True)
        for tool in tools:
            shutil.copy(tool, root / "usr/bin")
        for board, text in boards.items():
            (root / "etc/jackdaw" / board).write_text(text)
        # Only unpacked, the tree lacks these links of Debian's alternatives.
        for library in ("blas/libblas.so.3", "lapack/liblapack.so.3"):
            (root / LIBRARIES / pathlib.Path(library).name).symlink_to(library)
        make_disk(root, disk, SIZE)
    archive = cpio.Archive()
    for path in ("dev", "proc", "sys", "root"):
        archive.folder(path)
    archive.device("dev/console", 0o600, 5, 1)
    archive.copy(system / "usr/bin/busybox", "bin/busybox")
    found = modules.in_order(next((system / "usr/lib/modules").iterdir()), MODULES)
    for number, (name, data) in enumerate(found):
        archive.file(f"modules/{number:02}-{name}.ko", data)
    archive.copy(HERE / "init", "init")
    archive.write(first)
    return first, disk


def make_disk(content: pathlib.Path, target: pathlib.Path, size: int, *options: str) -> None:
    """An ext4 image of so many bytes."""
    target.unlink(missing_ok=True)
    with open(target, "wb") as file:
        file.truncate(size)
    subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", "-O", "^has_journal", "-E", "root_owner=0:0", *options,
                    "-d", content, target], check=True)

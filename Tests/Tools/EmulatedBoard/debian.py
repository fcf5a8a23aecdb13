"""Programs of Debian that only some boards have, with the libraries that they need."""

import pathlib
import re

from Board import cpio
from EmulatedBoard import guest

LIBRARIES = pathlib.Path("usr/lib/aarch64-linux-gnu")
FOLDERS = (LIBRARIES, LIBRARIES / "systemd")
MACHINE = "0123456789abcdef0123456789abcdef"


def add(archive: cpio.Archive, tree: pathlib.Path, programs: tuple[str, ...], files: tuple[str, ...],
        loaded: tuple[str, ...] = ()) -> None:
    """Puts these into the archive.

    - tree: a Debian 13 system for arm64, unpacked.
    - files: files, links, or folders with all that is in them. A link is copied as one: an absolute one would lead out of
      the tree, to what this machine happens to have.
    - loaded: libraries that no program is linked with.
    """
    for program in programs:
        archive.copy(tree / program, program)
    for name in files:
        if (tree / name).is_dir() and not (tree / name).is_symlink():
            archive.tree(tree / name, f"{name}/")
        else:
            archive.copy(tree / name, name)
    for path in _libraries(tree, programs, loaded):
        if path.parent != LIBRARIES or not guest.is_on_every_board(path.name):
            archive.copy(tree / path, str(path))
    archive.file("etc/machine-id", MACHINE + "\n")


def _libraries(tree: pathlib.Path, programs: tuple[str, ...], loaded: tuple[str, ...]) -> list[pathlib.Path]:
    """All that these programs are linked with, by the names that stand in them."""
    found: dict[pathlib.Path, None] = {}

    def add_those_of(path: pathlib.Path) -> None:
        for name in re.findall(rb"\0(lib[\w.+-]+\.so[.\d]*)(?=\0)", path.read_bytes()):
            take(name.decode())

    def take(name: str) -> None:
        path = next((folder / name for folder in FOLDERS if (tree / folder / name).exists()), None)
        if not path or path in found:
            return
        found[path] = None
        if (tree / path).is_symlink():
            take((tree / path).readlink().name)
        else:
            add_those_of(tree / path)

    for program in programs:
        add_those_of(tree / program)
    for name in loaded:
        take(name)
    return sorted(found)

"""Writes the archive that Linux unpacks into its first file system (cpio, format "newc"); needs neither root nor cpio."""

import os
import pathlib
import stat

DIRECTORY, LINK, FILE = 0o040755, 0o120777, 0o100644


class Archive:
    """Files by their path without a leading slash. Written sorted, so that a folder comes before what is in it."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[int, bytes, tuple[int, int]]] = {}

    def folder(self, path: str) -> None:
        self._put(path, DIRECTORY, b"")

    def file(self, path: str, data: bytes | str, mode: int = 0o644) -> None:
        self._put(path, stat.S_IFREG | mode, data.encode() if isinstance(data, str) else data)

    def link(self, path: str, target: str) -> None:
        self._put(path, LINK, target.encode())

    def device(self, path: str, mode: int, major: int, minor: int) -> None:
        self._put(path, stat.S_IFCHR | mode, b"", (major, minor))

    def copy(self, source: pathlib.Path, path: str) -> None:
        """One file or link."""
        if source.is_symlink():
            self.link(path, os.readlink(source))
        else:
            self.file(path, source.read_bytes(), source.stat().st_mode & 0o755)

    def tree(self, top: pathlib.Path, prefix: str = "") -> None:
        """A folder and all below it."""
        for source in sorted(top.rglob("*")):
            path = prefix + str(source.relative_to(top))
            if source.is_symlink() or source.is_file():
                self.copy(source, path)
            elif source.is_dir():
                self.folder(path)

    def write(self, target: pathlib.Path) -> None:
        with open(target, "wb") as out:
            for number, path in enumerate(sorted(self._entries), 1):
                out.write(self._record(number, path, *self._entries[path]))
            out.write(self._record(0, "TRAILER!!!", 0, b"", (0, 0)))

    def _put(self, path: str, mode: int, data: bytes, device: tuple[int, int] = (0, 0)) -> None:
        parent = os.path.dirname(path)
        if parent and parent not in self._entries:
            self.folder(parent)
        self._entries[path] = (mode, data, device)

    @staticmethod
    def _record(number: int, path: str, mode: int, data: bytes, device: tuple[int, int]) -> bytes:
        name = path.encode() + b"\0"
        # inode, mode, uid, gid, links, mtime, size, device of the file (2), device it is (2), length of the name, checksum
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name), 0)
        header = b"070701" + b"".join(b"%08x" % field for field in fields)
        return _padded(header + name) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)

"""A card: a copy of the image in a file, and what a person does to it on a computer. No root, no mount."""

import os
import pathlib
import subprocess
import tempfile

MIB = 1 << 20
BOOT_AT = 4 * MIB  # of the FAT partition
FOLDER = "jackdaw"


class Card:
    """A copy of the image, which holes keep small; removed by `remove()`."""

    def __init__(self, image: pathlib.Path, path: pathlib.Path, size: int | None = None) -> None:
        """- size: in bytes, a power of 2; None: as the image."""
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "--sparse=always", image, path], check=True)
        if size:
            os.truncate(path, size)

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)

    # ---- The boot partition -------------------------------------------------------------------------------------

    def write(self, name: str, text: str) -> None:
        """A file of the folder `jackdaw`."""
        self._mtools("mcopy", "-o", "-", f"::{FOLDER}/{name}", data=text.encode())

    def replace(self, name: str, text: str) -> None:
        """A file that is there, where there is no room for another."""
        self._mtools("mdel", f"::{FOLDER}/{name}")
        self.write(name, text)

    def change(self, path: str, old: str, new: str) -> None:
        """A text in a file, by its path from the top of the partition."""
        text = self.take(path).decode()
        assert old in text, f"{path} has no {old}"
        self._mtools("mcopy", "-o", "-", f"::{path}", data=text.replace(old, new).encode())

    def make_folder(self, name: str) -> None:
        self._mtools("mmd", f"::{FOLDER}/{name}")

    def copy(self, file: pathlib.Path, name: str) -> None:
        self._mtools("mcopy", "-o", str(file), f"::{FOLDER}/{name}")

    def take_folder(self, other: "Card") -> None:
        """The whole folder of another card, as a person copies it from one card to the next."""
        with tempfile.TemporaryDirectory(dir=self.path.parent) as folder:
            other._mtools("mcopy", "-s", "-m", f"::{FOLDER}", folder)
            self._mtools("mcopy", "-s", "-o", f"{folder}/{FOLDER}", "::")

    def read(self, name: str) -> str:
        return self.take(f"{FOLDER}/{name}").decode(errors="replace").rstrip("\n")

    def take(self, path: str) -> bytes:
        """A file by its path from the top of the partition."""
        return self._mtools("mcopy", "-n", f"::{path}", "-")

    def has(self, name: str) -> bool:
        try:
            self._mtools("mdir", "-b", f"::{FOLDER}/{name}")
            return True
        except subprocess.CalledProcessError:
            return False

    def fill(self) -> None:
        """Leaves no cluster of the boot partition free."""
        free = self._mtools("mdir", "::").decode().replace("\u202f", "")
        left = int("".join(digit for digit in free.splitlines()[-2] if digit.isdigit()))
        big = self.path.with_suffix(".filler")
        with open(big, "wb") as out:
            out.truncate(left)
        self._mtools("mcopy", str(big), "::filler.bin")
        big.unlink()

    def _mtools(self, tool: str, *words: str, data: bytes | None = None) -> bytes:
        done = subprocess.run(
            [tool, "-i", f"{self.path}@@{BOOT_AT}", *words], input=data, capture_output=True, check=True,
            env={**os.environ, "MTOOLS_SKIP_CHECK": "1", "LC_ALL": "C"})
        return done.stdout

    # ---- The data partition ---------------------------------------------------------------------------------------

    def data(self) -> tuple[int, int]:
        """Where the data partition begins and how long it is, in bytes, as the partition table says."""
        return self._partition(2)

    def _partition(self, index: int) -> tuple[int, int]:
        with open(self.path, "rb") as card:
            table = card.read(512)
        entry = table[446 + index * 16:446 + (index + 1) * 16]
        return int.from_bytes(entry[8:12], "little") * 512, int.from_bytes(entry[12:16], "little") * 512

    def destroy_data(self) -> None:
        """Writes noise over the data partition's first 40 MB, where its superblock and most of the copies are, and over the
        rest of the copies."""
        begin, length = self.data()
        with open(self.path, "r+b") as card:
            for place in range(0, length - MIB, 8 * MIB):
                card.seek(begin + place)
                card.write(os.urandom(MIB))

    def damage_root(self) -> None:
        """A folder that nobody needs is no longer there, so that its files hang in the air, and the kernel has noticed."""
        begin, length = self.root()
        part = self.path.with_suffix(".part")
        self._take_out(part, begin, length)
        for words in ("clri /usr/share/doc/base-files", "set_super_value state 2"):
            subprocess.run(["debugfs", "-w", "-R", words, part], capture_output=True, check=True)
        self._put_back(part, begin)

    def data_filesystem(self) -> int:
        """How long the file system in the data partition is, in bytes, as its superblock says."""
        begin, _ = self.data()
        with open(self.path, "rb") as card:
            card.seek(begin + 1024)
            superblock = card.read(1024)
        return int.from_bytes(superblock[4:8], "little") * (1024 << int.from_bytes(superblock[24:28], "little"))

    def fill_data(self) -> None:
        """Leaves no block of the data partition free, not even for root. It must not grow any more."""
        begin, length = self.data()
        part, filler = self.path.with_suffix(".part"), self.path.with_suffix(".filler")
        self._take_out(part, begin, length)
        # What the journal holds of the last minutes would undo it.
        subprocess.run(["e2fsck", "-f", "-p", part], stdout=subprocess.DEVNULL)
        for number in range(32):
            free, size = self._free_blocks(part)
            if not free:
                break
            # What leads to its blocks takes some, too.
            filler.write_bytes(b"x" * (max(free - 8, 1) * size))
            subprocess.run(["debugfs", "-w", "-R", f"write {filler} filler{number}", part], capture_output=True, check=True)
        subprocess.run(["e2fsck", "-f", "-p", part], stdout=subprocess.DEVNULL)
        free, _ = self._free_blocks(part)
        assert free == 0, f"{free} blocks are still free"
        self._put_back(part, begin)
        filler.unlink(missing_ok=True)

    def _free_blocks(self, part: pathlib.Path) -> tuple[int, int]:
        """How many, and their size."""
        found = subprocess.run(["dumpe2fs", "-h", part], capture_output=True, check=True, text=True).stdout
        fields = dict(line.split(":", 1) for line in found.splitlines() if ":" in line)
        return int(fields["Free blocks"]), int(fields["Block size"])

    def _take_out(self, part: pathlib.Path, begin: int, length: int) -> None:
        subprocess.run(["dd", f"if={self.path}", f"of={part}", "bs=1M", f"skip={begin // MIB}", f"count={length // MIB}",
                        "conv=sparse", "status=none"], check=True)

    def _put_back(self, part: pathlib.Path, begin: int) -> None:
        subprocess.run(["dd", f"if={part}", f"of={self.path}", "bs=1M", f"seek={begin // MIB}", "conv=notrunc", "status=none"],
                       check=True)
        part.unlink()

    def root(self) -> tuple[int, int]:
        return self._partition(1)

    def filesystem_errors(self, root: bool = False) -> str:
        """What e2fsck finds in the data partition, or in root, that it does not mend by itself; empty: nothing. Free blocks
        and inodes, which ext4 counts when it is unmounted, are wrong after every power cut and mended."""
        begin, length = self.root() if root else self.data()
        part = self.path.with_suffix(".part")
        self._take_out(part, begin, length)
        done = subprocess.run(["e2fsck", "-f", "-p", part], capture_output=True, text=True)
        part.unlink()
        return "" if done.returncode <= 1 else done.stdout

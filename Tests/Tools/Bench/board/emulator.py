"""A board for one job: QEMU boots what image.py made, runs a script as root, and ends.

Time on it passes by what is executed. With `-icount` its processor also counts retired instructions, as a real Cortex-A53
does (Debian's kernel offers that as PERF_COUNT_HW_INSTRUCTIONS); without, it has no such counter.
"""

import dataclasses
import pathlib
import shutil
import subprocess

from Board.qemu import KERNEL_CONSOLE, Emulator

PATIENCE = 900  # s of the host


@dataclasses.dataclass
class Board:
    emulator: pathlib.Path  # a Debian 13 tree for this machine with QEMU
    kernel: pathlib.Path
    first_files: pathlib.Path
    disk: pathlib.Path
    shift: int = 1  # nanoseconds an instruction takes, as a power of two: 500 million a second

    def run(self, folder: pathlib.Path, script: str, files: list[pathlib.Path], music: pathlib.Path | None = None,
            sleeps: bool = False) -> str:
        """What the script printed. Throws where it failed.

        - folder: /job of the board; `script` and `files` go there, and what it writes there stays.
        - music: an ext4 image, becomes /music.
        - sleeps: whether idle time takes its time. Where it does not, it jumps also while the board waits for its disk.
        """
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for file in files:
            shutil.copy(file, folder)
        (folder / "job.sh").write_text(script)
        subprocess.run(self._command(folder, music, sleeps), check=True, stdin=subprocess.DEVNULL, timeout=PATIENCE,
                       env=Emulator(self.emulator).environment)
        printed, status = (
            path.read_text(errors="replace").strip() if path.exists() else "" for path in (folder / "out", folder / "status"))
        if status != "0":
            raise RuntimeError(f"the job on the board ended with {status or 'no status'}: {printed}\n"
                               f"{(folder / 'console.log').read_text(errors='replace')[-2000:]}")
        return printed

    def _command(self, folder: pathlib.Path, music: pathlib.Path | None, sleeps: bool) -> list[str]:
        disks = [self.disk, *([music] if music else [])]
        return [str(word) for word in (
            *Emulator(self.emulator).board(1024, self.shift, sleeps), "-no-reboot", "-kernel", self.kernel,
            "-initrd", self.first_files, "-append", f"console={KERNEL_CONSOLE} quiet panic=-1",
            "-serial", f"file:{folder / 'console.log'}",
            *(word for disk in disks for word in ("-drive", f"if=virtio,format=raw,readonly=on,file={disk}")),
            "-virtfs", f"local,path={folder},mount_tag=job,security_model=none",
        )]

"""Kiosks that are killed and started again, one run after the other over the same state folder, several side by side."""

import concurrent.futures
import random
import shutil
import signal
import time

from kiosk import TOP, Firmware, make_board

# How many run side by side; each mostly waits.
KIOSKS = 8


class Killed:
    """One state folder, and the runs that follow one another over it."""

    kind = "kiosk"

    def __init__(self, number: int, options) -> None:
        self.random = random.Random(f"{options.seed}/{number}")
        self.program = options.program
        self.home = options.out / f"{self.kind}-{number}"
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(parents=True)

    def configure(self, settings: str, lines: str = "") -> None:
        """The settings of its runs, and lines of its board beside those of every one."""
        path = self.home / "settings.toml"
        path.write_text(settings)
        self.arguments = ["--board", str(make_board(self.home, lines)), "--settings", str(path),
                          "--music", str(TOP / "board/sim/music")]

    def run(self, times: int) -> None:
        for number in range(times):
            try:
                self.one_run()
            except Exception as error:
                raise AssertionError(f"{self.home.name}, run {number + 1}: {error}") from error
        firmware = self.start()
        self.check_start(firmware)
        self.end_visit(firmware)
        assert firmware.end(signal.SIGTERM) == 0, "it does not exit with 0 after SIGTERM"

    def start(self) -> Firmware:
        return Firmware(self.program, self.home, *self.arguments)

    def one_run(self) -> None:
        raise NotImplementedError

    def check_start(self, firmware: Firmware) -> None:
        """What a start finds is what the run before has left."""
        raise NotImplementedError

    def end_visit(self, firmware: Firmware) -> None:
        """Before the last one is ended in order."""


def run(kind: type[Killed], options, report) -> int:
    """Kills so many times in all; `report(kiosks, seconds)` prints the figures."""
    counts = [options.times // KIOSKS + (number < options.times % KIOSKS) for number in range(KIOSKS)]
    kiosks = [kind(number, options) for number, times in enumerate(counts) if times]
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(KIOSKS) as pool:
        running = [pool.submit(kiosk.run, times) for kiosk, times in zip(kiosks, counts)]
        failures = [str(one.exception()) for one in running if one.exception()]
    for failure in failures:
        print(f"FAIL  {failure}")
    report(kiosks, time.monotonic() - begin)
    print(f"{options.times} kills with seed {options.seed}: {len(failures)} failures; the folders are in {options.out}")
    return 1 if failures else 0

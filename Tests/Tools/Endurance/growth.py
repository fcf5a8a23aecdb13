"""Watches the memory and the descriptors of a kiosk that is busy for hours, and of one that is simulated for weeks."""

import pathlib
import random
import shutil
import signal
import subprocess
import time

from kiosk import TOP, Firmware, make_board

# The share of the time after which everything has been used once.
WARM = 0.2
# KiB that the allocator may add after that without there being a leak: a leak grows with time.
SLACK = 1_024
DAY = 86_400
SETTINGS = 'repeat = "queue"\nidle_reset = 0\nprompt_timeout = "5s"\nrecording_limit = "5s"\n'


def resident(process: int) -> int:
    """KiB."""
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def descriptors(process: int) -> int:
    return len(list(pathlib.Path(f"/proc/{process}/fd").iterdir()))


class Watch:
    def __init__(self, title: str) -> None:
        self.title = title
        self.samples: list[tuple[float, int, int]] = []  # share of the time, KiB, descriptors

    def note(self, share: float, process: int) -> None:
        try:
            self.samples.append((share, resident(process), descriptors(process)))
        except OSError:
            pass

    def failure(self) -> str | None:
        """What grows, or None. Compares the peaks of the time after the start and of the end."""
        early = [sample for sample in self.samples if WARM <= sample[0] < 2 * WARM]
        late = [sample for sample in self.samples if sample[0] >= 1 - WARM]
        if not early or not late:
            return f"{self.title}: it ended too early to tell"
        memory = [max(sample[1] for sample in part) for part in (early, late)]
        open_files = [max(sample[2] for sample in part) for part in (early, late)]
        print(f"{self.title}: {memory[0]} KiB and {open_files[0]} descriptors at most after the start, "
              f"{memory[1]} KiB and {open_files[1]} at the end; {len(self.samples)} looks", flush=True)
        if memory[1] > memory[0] + SLACK or open_files[1] > open_files[0]:
            return f"{self.title}: it grows"
        return None


def real(options) -> str | None:
    """Plugs, pages, cues, recordings and skips, one every second, for hours."""
    home = options.out / "growth"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    settings = home / "settings.toml"
    settings.write_text(SETTINGS)
    generator = random.Random(1)
    watch = Watch(f"{options.hours:g} h of a busy kiosk")
    firmware = Firmware(options.program, home, "--board", str(make_board(home)), "--settings", str(settings), "--music",
                str(TOP / "board/sim/music"))
    firmware.wait("route.initial")
    begin, length = time.monotonic(), options.hours * 3_600
    while (gone := time.monotonic() - begin) < length:
        if generator.random() < 0.4:
            firmware.key(generator.choice("hhdcg"))
        else:
            firmware.ask(generator.choice(["play", "play", "next", "previous", "stop", "record", "cue welcome", "volume 10",
                                  "volume 90", "status", "route speaker", "route auto", "nonsense"]))
        watch.note(gone / length, firmware.process.pid)
        # The log is read, not kept.
        firmware.events.clear()
        for path in (home / "jackdaw/recordings").glob("*.wav"):
            path.unlink()
        time.sleep(min(1, length / 100))
    assert firmware.end(signal.SIGTERM) == 0, firmware.errors
    return watch.failure()


def simulated(options) -> str | None:
    """A visitor every quarter of an hour, in virtual time."""
    home = options.out / "growth"
    home.mkdir(exist_ok=True)
    scenario = home / "weeks.scenario"
    scenario.write_text(scenario_text(options.days))
    settings = home / "weeks.toml"
    settings.write_text(SETTINGS)
    watch = Watch(f"{options.days} simulated days")
    process = subprocess.Popen(
        [options.program, "simulate", scenario, "--board", make_board(home), "--settings", settings, "--music",
         TOP / "board/sim/music"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    looked = 0.0
    for line in process.stdout:
        if time.monotonic() - looked >= 0.2 and line[:1].isdigit():
            looked = time.monotonic()
            watch.note(float(line.split()[0]) / (options.days * DAY), process.pid)
    assert process.wait() == 0, "the simulation failed"
    return watch.failure()


def scenario_text(days: int) -> str:
    generator = random.Random(2)
    steps = []
    for hour in range(days * 24):
        at = hour * 3_600
        for minute in range(0, 60, 15):
            at = hour * 3_600 + minute * 60
            steps += [f"at {at + 1}s plug headphones bounce 20ms", f"at {at + 2}s press play",
                      f"at {at + 20}s unplug headphones", f"at {at + 21}s plug headphones",
                      f"at {at + 30}s press {generator.choice(['next', 'previous', 'cue', 'volume-up', 'record'])}",
                      f"at {at + 40}s interrupt begin page", f"at {at + 45}s interrupt end page resume",
                      f"at {at + 60}s press stop", f"at {at + 61}s unplug headphones"]
        # The simulation keeps the events since the last `expect`.
        steps += [f"at {at + 100}s output fail", f"at {at + 110}s output restore",
                  f"at {at + 150}s expect state stopped hold none prompt off duck off"]
    return "\n".join(steps + [f"at {days * DAY}s end"]) + "\n"


def run(options) -> int:
    failures = []
    if options.days:
        failures.append(simulated(options))
    if options.hours:
        failures.append(real(options))
    for failure in filter(None, failures):
        print(f"FAIL  {failure}")
    return 1 if any(failures) else 0

"""Kills the firmware at random instants and checks what the next start restores (W1, W2, C5) and what is counted (N2)."""

import pathlib
import signal
import time

import killed
from counters import Counters
from killed import Killed
from kiosk import PATIENCE, Firmware
from memory import RATE, Memory, Restored

LONGEST = 4.0  # seconds until a run is killed
SAVE_INTERVAL = 1  # seconds
MARKER = ".recording"
SETTINGS = f"""\
start_volume = 30
repeat = "queue"
idle_reset = 0
visit_gap = 0
save_interval = "{SAVE_INTERVAL}s"
play_on_boot = {{boot}}
"""


class Kiosk(Killed):
    def __init__(self, number: int, options) -> None:
        super().__init__(number, options)
        self.plays_on_boot = self.random.random() < 0.5
        self.configure(SETTINGS.format(boot=str(self.plays_on_boot).lower()))
        self.recordings = self.home / "jackdaw/recordings"
        self.counters = Counters(self.program, self.home / "jackdaw")
        self.memory: Memory | None = None  # of the run before
        self.killed = 0.0
        self.recording: tuple[str, float] | None = None  # its name, and its seconds until the kill
        self.may_be_mended = False  # a run that was killed may have mended the recording and logged it
        self.figures: dict[str, list[float]] = {"age": [], "lost": [], "killed": []}
        self.counts: dict[str, int] = {}

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def run(self, times: int) -> None:
        super().run(times)
        self._check_folder()

    def one_run(self) -> None:
        firmware = self.start()
        killed = 0.0
        try:
            if self.random.random() < 0.1:
                # Before or while it starts: the disk still has what the run before left.
                time.sleep(self.random.uniform(0, 0.15))
                killed = firmware.kill()
                self.may_be_mended = True
                self.count("killed at the start")
            else:
                self.check_start(firmware)
                self._visit(firmware)
                killed = self.killed
        finally:
            if firmware.process.poll() is None:
                firmware.kill()
        self.counters.check(firmware.events, killed, SAVE_INTERVAL)

    # ---- After a start ----------------------------------------------------------------------------------------------

    def check_start(self, firmware: Firmware) -> None:
        firmware.wait("route.initial")
        status = firmware.status()
        found = Restored(int(status["track"].split("/")[0]), int(status["frame"]), int(status["volume"]))
        restored = firmware.seen("state.restored")
        if restored and "frame" in restored[0].fields:
            found.frame = int(restored[0].fields["frame"])
            found.track = int(restored[0].fields["track"])
        assert not firmware.seen("state.unreadable"), firmware.seen("state.unreadable")[0].text
        assert firmware.errors == "", f"standard error: {firmware.errors}"
        allowed = ("stopped", "paused", "playing") if self.plays_on_boot else ("stopped", "paused")
        assert status["state"] in allowed, f"state {status['state']} after a start"
        lamp = "on" if status["state"] == "playing" else "off"
        assert (status["lamp"], status["hold"], status["prompt"]) == (lamp, "none", "off"), f"after a start: {status}"
        if self.memory:
            objection = self.memory.objection(found, self.killed)
            assert not objection, f"restored {objection}; killed at {self.killed:.3f} s"
            age = self.memory.age(found, self.killed)
            if age is not None:
                self.figures["age"].append(age)
            self.count("state as it was" if self.memory.saved else "state of before")
        self._check_recording(firmware)
        self.may_be_mended = False
        self.memory = Memory(found)

    def _check_recording(self, firmware: Firmware) -> None:
        if not self.recording:
            return
        name, ran = self.recording
        self.recording = None
        if self.may_be_mended or not name:
            self._wait_for_repair()
        else:
            report = firmware.wait("recording.stopped")
            assert report.fields["reason"] == "power-cut" and report.fields["file"] == name, report.text
        path = self.recordings / name
        frames = frames_of(path) if name and path.exists() else 0
        assert self.may_be_mended or not name or frames == int(report.fields["frames"]), \
            f"{name} has {frames} frames: {report.text}"
        lost = ran - frames / RATE
        assert lost <= 1, f"{name} lacks {lost:.2f} s of {ran:.2f} s"
        self.figures["lost"].append(lost)

    def _wait_for_repair(self) -> None:
        end = time.monotonic() + PATIENCE
        while (self.recordings / MARKER).exists():
            assert time.monotonic() < end, "a recording was not mended"
            time.sleep(0.01)

    # ---- A visit ----------------------------------------------------------------------------------------------------

    def _visit(self, firmware: Firmware) -> None:
        end = firmware.now + self.random.uniform(0, LONGEST)
        memory = self.memory
        # Some only listen, so that often something is heard for longer than a save interval.
        is_listener = self.random.random() < 0.4
        if is_listener and firmware.status()["state"] != "playing":
            self._ask("play", firmware, memory)
        while (left := end - firmware.now) > 0:
            time.sleep(min(left, self.random.uniform(0, 0.3)))
            if not is_listener and self.random.random() < 0.5:
                self._act(firmware, memory)
            memory.note(firmware.now, firmware.status())
        if self.random.random() < 0.15:
            # Killed while it ends by itself.
            firmware.process.send_signal(signal.SIGTERM)
            time.sleep(self.random.uniform(0, 0.05))
            self.may_be_mended = True
            self.count("killed at the end")
        self.killed = firmware.kill()
        self.figures["killed"].append(self.killed)
        self._note_end(firmware, memory)

    def _act(self, firmware: Firmware, memory: Memory) -> None:
        if self.random.random() < 0.15:
            return firmware.key(self.random.choice("hd"))
        command = self.random.choice(
            ["play", "play", "next", "previous", "stop", "record", "record", "interrupt begin page",
             "interrupt end page resume", f"volume {self.random.randint(0, 100)}"])
        self._ask(command, firmware, memory)

    def _ask(self, command: str, firmware: Firmware, memory: Memory) -> None:
        memory.underway = command
        firmware.ask(command)
        memory.note(firmware.now, firmware.status())
        memory.underway = ""

    def _note_end(self, firmware: Firmware, memory: Memory) -> None:
        """The log, read to its end, says what had reached the disk."""
        memory.note_log(firmware.events)
        assert not [event for event in firmware.seen("state.saved") if "error" in event.fields], "it cannot save"
        assert not firmware.seen("track.failed"), firmware.seen("track.failed")[0].text
        started, stopped = firmware.seen("recording.started"), firmware.seen("recording.stopped")
        stopped = [event for event in stopped if event.fields["reason"] != "power-cut"]
        for event in stopped:
            frames = frames_of(self.recordings / event.fields["file"])
            assert frames == int(event.fields["frames"]), f"{event.fields['file']} has {frames}: {event.text}"
        if (self.recordings / MARKER).exists():
            # If it was killed before the marker was written or the file was made, there is nothing to mend.
            name = (self.recordings / MARKER).read_text().partition("\n")[0]
            name = name if (self.recordings / name).is_file() else ""
            self.recording = (name, self.killed - started[-1].at if len(started) > len(stopped) else 0)
            self.count("killed in a recording")

    # ---- At the very end --------------------------------------------------------------------------------------------

    def end_visit(self, firmware: Firmware) -> None:
        """Changes the state, so that it is saved: that replaces what a kill within a save has left."""
        firmware.ask("volume 1" if firmware.status()["volume"] == "0" else "volume 0")

    def _check_folder(self) -> None:
        for path in (self.home / "jackdaw").rglob("*"):
            if path.suffix == ".wav":
                frames_of(path)
            assert path.suffix not in (".new", ".tmp") and path.name != MARKER, f"left behind: {path}"
            assert path.is_dir() or path.stat().st_mode & 0o007 == 0, f"open to everybody: {path}"


def frames_of(path: pathlib.Path) -> int:
    """The frames of a WAV. Every length in its header must be right."""
    data = path.read_bytes()
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE" and data[36:40] == b"data", f"{path.name} is no WAV"
    riff, length = int.from_bytes(data[4:8], "little"), int.from_bytes(data[40:44], "little")
    assert riff == len(data) - 8 and length == len(data) - 44 and length % 4 == 0, \
        f"{path.name}: {len(data)} bytes, its header says {riff} and {length}"
    return length // 4


def run(options) -> int:
    return killed.run(Kiosk, options, report)


def report(kiosks: list[Kiosk], took: float) -> None:
    figures = {name: sorted(value for one in kiosks for value in one.figures[name]) for name in kiosks[0].figures}
    counts: dict[str, int] = {}
    for one in kiosks:
        for name, count in one.counts.items():
            counts[name] = counts.get(name, 0) + count
    starts, lost = (sum(one.counters.known[0] for one in kiosks), sum(one.counters.lost for one in kiosks))
    print(f"starts of tracks counted: {starts}; not saved when it was killed: {lost}")
    print(f"seconds heard: {sum(one.counters.heard for one in kiosks):.0f}; counted: "
          f"{sum(one.counters.seconds for one in kiosks):.0f}; lost at a kill: at most "
          f"{max(one.counters.lost_seconds for one in kiosks):.2f}")
    print(f"took {took:.0f} s; " + ", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    for name, title in [("age", "music played again after a restart"), ("lost", "missing at the end of a recording")]:
        if values := figures[name]:
            print(f"{title}, s: median {values[len(values) // 2]:.2f}, at most {values[-1]:.2f}, of {len(values)}")

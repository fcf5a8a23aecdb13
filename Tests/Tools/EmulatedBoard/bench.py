"""What a check works with: the board, somebody who operates it, and a probe on each of its outputs."""

import contextlib
import pathlib
import re
import time

from Board import sound
from Board.console import Console
from EmulatedBoard.bus import BusProbe
from EmulatedBoard.machine import Machine
from EmulatedBoard.probe import CardProbe, LoopBackProbe
from EmulatedBoard.radio import Headset, Radio
from event_log import Event, parse

STICK = "/media/stick"
MOST_EXCUSED = 4  # failures of a run that may be due to the host
SENSES = {"headphones": "JACK_SENSE", "line-out": "DOCK_SENSE"}


class Bench:
    def __init__(self, board: Machine, tracks: list[sound.Track], radio: Radio | None = None) -> None:
        self.board = board
        self.radio = radio
        self.tracks = tracks
        self.loop_back = LoopBackProbe(board)
        self._pace_losses = 0
        self._excused = 0
        self._underruns = "0"
        self.headphones = CardProbe(board.wav("headphones"), tracks)
        self.speaker = CardProbe(board.wav("speaker"), tracks)
        self.bus = BusProbe(board.bus)

    @property
    def console(self) -> Console:
        return self.board.console

    def start(self) -> None:
        """The first power on."""
        self.board.power_on()
        self.console.wait("route.initial")

    def restart(self, **lines: int) -> None:
        """Takes the power away and gives it back, with these levels of lines from the first instant."""
        self.forget_sound()
        self.save_journal()
        self.board.power_cut(**lines)

    def restart_at_rest(self, **lines: int) -> None:
        """As `restart`, and nothing is known of what was before: a state may be saved a minute late, so that without this
        it would be any that an earlier check has left."""
        self.board.run("kill -STOP $(cat /run/service.pid); rm -f /var/lib/jackdaw/state*; sync")
        self.restart(**lines)

    def restart_after(self, writes: int, begin=lambda: None) -> None:
        """Takes the power away when the disk has done so many writes more; `begin` gives the board a reason for them."""
        self.save_journal()
        first = self.board.disk.writes()
        self.board.disk.slow_down()
        try:
            begin()
            self.board.disk.wait_for(first + writes)
            self.board.ask("stop")
        finally:
            self.board.disk.hurry()
        self.board.power_cut()

    def restart_service(self, *commands: str) -> None:
        """Starts the firmware anew, with these commands done while it does not run."""
        self.stop_service()
        for command in commands:
            self.board.run(command)
        self.start_service()

    def stop_service(self) -> None:
        self.board.run("touch /run/hold; kill $(cat /run/service.pid); "
                       "while kill -0 $(cat /run/service.pid); do sleep 0.1; done 2>/dev/null")

    def start_service(self) -> None:
        self.board.run("rm /run/hold")
        self.console.wait("route.initial")

    def save_journal(self) -> None:
        """Saves what the service wrote to its standard output since power on beside the other logs."""
        if not self.board.answers_owed:
            self.board.run("cat /run/journal >>/mnt/journal.log")

    # ---- Before every check -------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Nothing plugged in, nothing pressed, stopped at the start of the first track, all ports at full volume."""
        for name in self.board.wiring.inputs:
            self.board.lines.set(name, 0)
        self.console.free()
        if self.board.answers_owed:
            # A check that failed has left it like that.
            self.console.mark()
            self.restart()
            self.console.wait("route.initial")
        if self.radio:
            self.radio.settle()
            self.wait_for_pcms(0)
        # A check that failed may have left it pulled out.
        if not self.board.has_card:
            self.put_card_back()
        if self.board.has_keyboard:
            self.board.unplug_keyboard()
        self._empty_readers()
        self.board.wait(0.2)
        self.type("route auto")
        self.type("stop")
        if self.board.has_stick:
            self.pull_stick()
        status = self.status()
        if "playlist" in status:
            self.type("playlist")
            self.type("stop")
            status = self.status()
        for _ in range(int(status["track"].split("/")[0]) - 1):
            self.type("previous")
        status = self.status()
        assert status["state"] == "stopped" and status["route"] == "speaker", f"it does not come to rest: {status}"
        self._underruns = status["underruns"]
        self.console.mark()
        self.forget_sound()

    def _empty_readers(self) -> None:
        """Of what lay there at power on, or was left there by a check that failed."""
        for name in set(self.board.unplugged_readers):
            self.board.plug_reader(name)
        for name, reader in self.board.readers.items():
            if not reader.has_power:
                reader.set_power(True)
            if reader.card:
                self.wait_until(lambda: self.has_read(name), patience=60)
                self.lift(name)

    # ---- A headset ---------------------------------------------------------------------------------------------------

    def connect(self, headset: Headset) -> None:
        """Switches it on, has BlueZ call it, and waits until it is plugged in."""
        headset.ask("on")
        self.call(headset)
        self.console.wait("port.connected", port="bluetooth")

    def call(self, headset: Headset) -> None:
        """Until bluez-alsa offers it: while daemons begin anew, BlueZ holds it for connected for some seconds."""
        device = f"/org/bluez/hci0/dev_{headset.address.replace(':', '_')}"
        self.board.run(f"until bluealsa-cli list-pcms 2>/dev/null | grep -q {device.split('/')[-1]}; do dbus-send --system "
                       f"--print-reply --dest=org.bluez {device} org.bluez.Device1.Connect >/dev/null 2>&1; sleep 0.5; done",
                       patience=300)

    def wait_for_pcms(self, count: int) -> None:
        """Until bluez-alsa offers so many."""
        self.board.run(f"until [ $(bluealsa-cli list-pcms 2>/dev/null | wc -l) -eq {count} ]; do sleep 0.1; done", patience=300)

    def wait_until(self, holds, patience: float = 200) -> None:
        """Asks ten times a second by the board's clock; patience is by the host's."""
        deadline = time.monotonic() + patience
        while not holds():
            assert time.monotonic() < deadline, f"not in {patience:g} s"
            self.board.wait(0.1)

    # ---- Operating it --------------------------------------------------------------------------------------------

    def plug(self, port: str) -> Event:
        self.board.lines.set(SENSES[port], 1)
        return self.console.wait("port.connected", port=port)

    def unplug(self, port: str) -> Event:
        self.board.lines.set(SENSES[port], 0)
        return self.console.wait("port.disconnected", port=port)

    def play_on(self, port: str, seconds: float = 0.8) -> None:
        """Plugs it in if it can be, and plays there at full volume."""
        if port in SENSES:
            self.plug(port)
        self.type("volume 100")
        self.play(seconds)

    def play(self, seconds: float) -> None:
        self.board.press("BTN_PLAY")
        self.console.wait("playback.started")
        self.board.wait(seconds)

    def lay(self, reader: str, card: str) -> Event:
        self.board.readers[reader].lay(card)
        return self.console.wait("token.read", reader=reader, token=card)

    def has_read(self, reader: str) -> bool:
        """Whether the firmware knows of a card there."""
        events = [event for event in self.since_boot() if event.name in ("token.read", "token.lifted")]
        names = [event.name for event in events if event["reader"] == reader]
        return names[-1:] == ["token.read"]

    def lift(self, reader: str) -> Event:
        """Waits until the firmware has found it."""
        self.board.readers[reader].lift()
        return self.console.wait("token.lifted", reader=reader)

    def plug_stick(self) -> Event:
        """Plugs the USB stick in, and waits until its music was taken in."""
        self.board.plug_stick()
        self.console.wait("library.found", folder=STICK)
        return self.console.wait("library.changed")

    def pull_stick(self) -> Event:
        """Pulls the USB stick out, and waits until its music was let go."""
        self.board.unplug_stick()
        self.console.wait("library.missing", folder=STICK)
        return self.console.wait("library.changed")

    def type(self, command: str) -> Event:
        """Types a command and waits for its reply. A line that lost it gets it once more."""
        for _ in range(3 if self.board.is_console_lossy else 0):
            self.console.type(command)
            try:
                return self.console.wait("console.command", patience=8, command=command)
            except AssertionError:
                continue
        self.console.type(command)
        return self.console.wait("console.command", command=command)

    def ask(self, command: str, reply: str) -> str:
        """Types a command that only asks, of which the serial line has no event, and waits for this in its reply."""
        for _ in range(3 if self.board.is_console_lossy else 0):
            self.console.type(command)
            try:
                return self.console.wait_text(reply, patience=8)
            except AssertionError:
                continue
        self.console.type(command)
        return self.console.wait_text(reply)

    def status(self) -> dict[str, str]:
        line = self.ask("status", r"^state=\w+ hold=")
        return dict(re.findall(r"(\S+?)=(\S+)", line))

    def forget_sound(self) -> None:
        """The probes of headphones, speaker and bus leave out what was played so far."""
        self.headphones.forget()
        self.speaker.forget()
        self.bus.forget()

    def watch_lamp(self, seconds: float) -> list[int | None]:
        """The level of the lamp, about ten times a second."""
        end, levels = self.now() + seconds, []
        while self.now() < end:
            levels.append(self.board.lines.read("LED_STATUS"))
            self.board.wait(0.08)
        return levels

    def now(self) -> float:
        """Seconds since power on, by the board's clock, to a hundredth."""
        return float(self.board.run("cut -d' ' -f1 /proc/uptime"))

    @property
    def log(self) -> pathlib.Path:
        return self.board.folder / "console.log"

    def excuse(self) -> str:
        """What QEMU itself has done wrong since the last call, or nothing: now and then it loses the pace of a card and
        records no more of it; then the USB card is plugged in anew."""
        lost = self.board.pace_losses()
        if lost == self._pace_losses or self.board.answers_owed:
            return self._busy_host()
        self._pace_losses = lost
        if self.board.has_card:
            self.board.unplug_card()
            self.board.wait(1)
        self.put_card_back()
        return "QEMU had lost the pace of its recording, as its log says"

    def _busy_host(self) -> str:
        # A board that is really broken fails often, and trying again would only take time.
        if self._excused >= MOST_EXCUSED:
            return ""
        self._excused += 1
        return "a host that is busy makes an emulated board miss milliseconds that a real one would not"

    def put_card_back(self) -> None:
        """Plugs the USB card in, and waits until the firmware has found it."""
        self.board.plug_card()
        self.board.wait(4)
        self.begin_anew()

    def begin_anew(self) -> None:
        """To be called when the USB card was plugged in again, as QEMU then begins new recordings of it."""
        self.headphones.begin_anew()
        self.bus.begin_anew()

    def expect_steady(self) -> None:
        """Fails if a card ran dry since `settle()`."""
        now = self.status()["underruns"]
        assert now == self._underruns, f"{now} underruns since power on, {self._underruns} before this"

    # ---- The log --------------------------------------------------------------------------------------------------

    def since_boot(self, name: str = "") -> list[Event]:
        """Events since power on."""
        events = [event for event in map(parse, self.log.read_text(errors="replace").splitlines()) if event]
        boot = max(place for place, event in enumerate(events) if event.name == "boot")
        return [event for event in events[boot:] if name in ("", event.name)]

    def expect_nothing(self, *names: str) -> None:
        """Fails if one of these events came after the one that was waited for last."""
        for name in names:
            found = self.console.since_mark(name)
            assert not found, f"expected no {name}, but: {found[0].text}"

    @contextlib.contextmanager
    def without(self, *names: str):
        """Fails if one of these events comes meanwhile, whatever is waited for."""
        begin = self.console.place()
        yield
        for name in names:
            found = self.console.since(begin, name)
            assert not found, f"expected no {name}, but: {found[0].text}"


def milliseconds(frames: float) -> float:
    return frames * 1000 / sound.RATE

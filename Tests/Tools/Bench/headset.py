"""Whether a connected headset on another port changes what the audio thread does: its wake-ups, what it allocates, and how
soon it is silent at an unplug.

The board is a real one, with a loudspeaker on a paced PCM and a Bluetooth port beside it. BlueZ, bluez-alsa and the headset
are those of headset.c, on a message bus of their own. The plug is that of a card with a jack (jack.c), on which the music
plays then.
"""

import os
import pathlib
import subprocess
import time

import music
import paced
import players
import reaction
import standstill
import steady
from figures import median, number

RENDERS = 100_000
PATIENCE = 600  # s
COMMANDS = ("pause", "play", "volume +5", "volume -5", "next")


def measure(setting: players.Setting, progress, seconds: float, pulls: int) -> tuple[list, dict]:
    piece = music.pieces(setting.top / "board/sim/music", setting.folder / "headset.mp3", 60)
    raw = {"wakes": [], "allocations": [], "unplugs": []}
    for is_there in (False, True):
        words = "beside a headset" if is_there else "alone"
        raw["wakes"].append(_wakes(setting, piece, is_there, seconds))
        progress(f"the audio thread {words}: {raw['wakes'][-1]:.2f} wake-ups a second")
        raw["allocations"].append(_allocations(setting, piece, is_there))
        progress(f"the audio thread {words}: {raw['allocations'][-1]} allocations in {RENDERS} renders")
        raw["unplugs"].append(_unplugs(setting, is_there, pulls))
        progress(f"the audio thread {words}: unplug to silence, ms: {' '.join(map(number, raw['unplugs'][-1]))}")
    return [], raw


def table(raw: dict) -> str:
    rows = (("wake-ups, a second", raw["wakes"]), (f"allocations in {RENDERS:,} renders", raw["allocations"]),
            ("unplug to silence, ms, median", [median(found) for found in raw["unplugs"]]),
            (f"the same, slowest of {len(raw['unplugs'][0])}", list(map(max, raw["unplugs"]))))
    lines = ["| of the audio thread, while another port plays | alone | beside a headset |", "| --- | ---: | ---: |"]
    lines += [f"| {words} | {number(alone)} | {number(beside)} |" for words, (alone, beside) in rows]
    return "\n".join(lines) + "\n"


def missed(raw: dict) -> bool:
    """Whether the headset changes anything: more than one wake-up in a second, what is allocated at all, or more than a
    millisecond of an unplug. The slowest unplug is the machine's."""
    alone, beside = raw["wakes"]
    silent = [median(found) for found in raw["unplugs"]]
    return abs(beside - alone) > 1 or any(raw["allocations"]) or silent[1] - silent[0] > 1


class BesideHeadset(players.Jackdaw):
    """On a board without lines, with a headset or without."""

    def __init__(self, setting: players.Setting, tracks: list[pathlib.Path], is_there: bool, buffer: str, traits: str) -> None:
        super().__init__(setting, tracks)
        self._is_there, self._buffer = is_there, buffer
        # Nothing is recorded.
        conf = self.folder / "asound.conf"
        conf.write_text("</usr/share/alsa/alsa.conf>\n" f'pcm_type.paced {{ lib "{setting.plugin}" }}\n'
                        f"pcm.quiet {{ type paced {traits} }}\n")
        self.bus = f"unix:path={self.folder}/bus"
        self.environment |= {"ALSA_CONFIG_PATH": str(conf), "DBUS_SYSTEM_BUS_ADDRESS": self.bus}

    def start(self) -> None:
        configuration = self.folder / "bus.conf"
        configuration.write_text(
            f'<busconfig><listen>{self.bus}</listen><policy context="default"><allow send_destination="*" eavesdrop="true"/>'
            '<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>')
        self.air = subprocess.Popen(
            [_program(self.setting), configuration, self.bus, "there" if self._is_there else "away"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if self.air.stdout.readline() != b"ready\n":
            raise RuntimeError("the message bus does not start: dbus-daemon is needed")
        super().start()

    def _board(self, terminal: str) -> pathlib.Path:
        path = self.folder / "board.toml"
        path.write_text(
            f'name = "Bench"\nrate = 48000\nbuffer = "{self._buffer}"\n[console]\ndevice = "{terminal}"\nspeed = 115200\n'
            '[ports.speaker]\nsense = "always"\npriority = 30\npcm = "quiet"\n'
            '[ports.bluetooth]\nsense = "bluetooth"\npriority = 20\nprivate = true\npcm = "quiet"\n')
        return path

    def settle(self) -> None:
        if self._is_there:
            self.wait_for(lambda: "port=bluetooth" in self.log.read_text(), "headset")

    def close(self) -> None:
        super().close()
        self.air.stdin.close()
        self.air.wait(10)


class WithJack(BesideHeadset):
    """The same, with headphones on a card with a jack."""

    def __init__(self, setting: players.Setting, tracks: list[pathlib.Path], is_there: bool) -> None:
        super().__init__(setting, tracks, is_there, "300ms", "")
        fifo = self.folder / "jack"
        os.mkfifo(fifo)
        with (self.folder / "asound.conf").open("a") as conf:
            conf.write(self.main.configuration() + f'ctl_type.jack {{ lib "{_plugin(setting)}" }}\n'
                       f'ctl.!hw {{ @args [ CARD ] @args.CARD {{ type string }} type jack fifo "{fifo}" }}\n')
        # It stays open, so that no byte waits for a reader.
        self._jack = os.open(fifo, os.O_RDWR)

    def _board(self, terminal: str) -> pathlib.Path:
        path = super()._board(terminal)
        with path.open("a") as board:
            board.write('[ports.headphones]\nsense = "jack"\ncard = "bench"\ncontrol = "Headphone Jack"\npriority = 40\n'
                        'private = true\npcm = "main"\n')
        return path

    def unplug(self) -> None:
        os.write(self._jack, b"0")

    def plug(self) -> None:
        os.write(self._jack, b"1")

    def close(self) -> None:
        super().close()
        os.close(self._jack)


def _plugin(setting: players.Setting) -> pathlib.Path:
    plugin, sources = setting.folder / "jack.so", setting.top / "Tests/Plugins/ControlCard"
    if not plugin.exists():
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-DPIC", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{sources}/include",
             setting.top / "Tests/Tools/Bench/jack.c", *sources.glob("*.c"), "-lasound", "-o", plugin], check=True)
    return plugin


def _unplugs(setting: players.Setting, is_there: bool, count: int) -> list[float]:
    """ms from the jack's edge to the last sample, but where the machine stood still just then."""
    with standstill.Standstills() as standstills:
        with WithJack(setting, [music.chord(setting.folder / "jack.mp3", 60)], is_there) as player, standstill.promptly():
            pulls = reaction.pull(player, count)
    timeline = player.timeline()
    cuts = [(out, cut["seconds"]) for out, back in pulls for cut in reaction.measure_cuts(timeline, [(out, back)])]
    return [1_000 * late for out, late in cuts if not standstills.delay(out, out + late)]


def _program(setting: players.Setting) -> pathlib.Path:
    program, sources = setting.folder / "headset", setting.top / "Tests/Plugins/BusStandIn"
    if not program.exists():
        subprocess.run(
            ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{sources}/include", setting.top / "Tests/Tools/Bench/headset.c",
             *sources.glob("*.c"), "-lsystemd", "-o", program], check=True)
    return program


def _wakes(setting: players.Setting, piece: pathlib.Path, is_there: bool, seconds: float) -> float:
    with BesideHeadset(setting, [piece], is_there, "300ms", "") as player:
        player.play()
        # Past the start, whose filling of buffers is not a steady state.
        time.sleep(3)
        woken, begin = _audio_wakes(player.pid), time.monotonic()
        time.sleep(seconds)
        return (_audio_wakes(player.pid) - woken) / (time.monotonic() - begin)


def _audio_wakes(pid: int) -> int:
    for task in (steady.PROC / f"{pid}/task").iterdir():
        if (task / "comm").read_text().strip() == "audio":
            return steady.field(task / "status", "voluntary_ctxt_switches:")
    raise RuntimeError("there is no audio thread")


def _allocations(setting: players.Setting, piece: pathlib.Path, is_there: bool) -> int:
    """As `Tests/run --all` counts them: a hundred times as fast as real time, while commands come, until the counter has seen
    enough and ends the program."""
    counter = setting.folder / "allocation-counter.so"
    if not counter.exists():
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", setting.top / "Tests/Plugins/AllocationCounter/AllocationCounter.c",
                        "-o", counter, "-lasound"], check=True)
    player = BesideHeadset(setting, [piece], is_there, "20ms", "speed 100 waits yes")
    counted = player.folder / "allocations"
    player.environment |= {"LD_PRELOAD": str(counter), "ALLOCATIONS": str(counted)}
    with player:
        player.play()
        begin = time.monotonic()
        while player.process.poll() is None and time.monotonic() < begin + PATIENCE:
            for command in COMMANDS:
                player.say(command)
                time.sleep(0.2)
    renders, allocations = counted.read_text().split("\n")[0].split()
    if renders != f"renders={RENDERS}":
        raise RuntimeError(f"counted {renders}")
    return int(allocations.removeprefix("allocations="))

"""The boards of the checks: each is made of the package and of Debian, powered on with the first of its checks, and left when
the next one begins."""

import contextlib
import dataclasses
import pathlib
import shutil

from Board import sound
from EmulatedBoard import bluetooth, guest, smart_cards
from EmulatedBoard.bench import Bench
from EmulatedBoard.machine import PC_SC, Machine
from EmulatedBoard.radio import Radio
from EmulatedBoard.wiring import Wiring

HERE = pathlib.Path(__file__).parent
TOP = HERE.parents[2]
# Seconds. The first is long enough for every check; the last cannot be played.
TRACKS = {1: 60, 2: 3, 3: 3}
DAMAGED = "4.mp3"
# On the USB stick, where they are one playlist.
PLAYLIST = "guide"
STICK_TRACKS = {11: 3, 12: 30}
# The cards of each reader, as settings.toml has them: the first is for the long track, the other for track 2.
CARDS = {"BOX": ("4B00D2A1F7", "0C00D2A1F8"), "SHELF": ("04A2B1C3D4E5F6", "DEADBEEF"),
         "DESK": ("04D5C6B7A81122", "CAFEF00D")}
# Files of the tests, read through every library of the decoders.
FORMATS = ["cbr-128.mp3", "chain-opus.opus", "chain-vorbis.ogg", "flac-44100-stereo.flac"]


@dataclasses.dataclass
class Plan:
    """What is done to one board from its power on to the end."""

    name: str
    board_file: pathlib.Path
    modules: list[str]  # of the folder `checks`, in their order
    options: str | None = None  # of the service
    console: str = "ttyAMA0"
    has_radio: bool = False
    has_credits: bool = False
    music: pathlib.Path | None = None  # instead of the tests' own tracks, with the default settings


PLANS = [
    Plan("visitors", TOP / "board/emulated.toml",
         ["boots", "routes", "playback", "prompt", "visits", "buttons", "storm", "usb", "sleep", "shims"]),
    Plan("contacts", HERE / "contacts.toml",
         ["contacts", "exchange", "serial", "choice", "stick", "emptied", "keypad", "recording", "power", "counting", "hours",
          "supervised"],
         options="--board /etc/jackdaw/contacts.toml"),
    # One of the longest, so it does not begin last.
    Plan("wireless", HERE / "wireless.toml", ["wireless"], options="--board /etc/jackdaw/wireless.toml", has_radio=True),
    Plan("manners", HERE / "manners.toml", ["manners", "signals"], options="--board /etc/jackdaw/manners.toml"),
    Plan("knobs", HERE / "knobs.toml", ["knobs", "axes", "pads", "lights"], options="--board /etc/jackdaw/knobs.toml"),
    Plan("coins", HERE / "coins.toml", ["coins"], options="--board /etc/jackdaw/coins.toml", has_credits=True),
    Plan("readers", HERE / "readers.toml", ["readers"], options="--board /etc/jackdaw/readers.toml"),
    Plan("scenarios", HERE / "stories.toml", ["scenarios"], options="--board /etc/jackdaw/stories.toml",
         music=TOP / "board/sim/music"),
    # The serial line on the chip stops the whole emulated machine when nobody reads it. One on a card only stops
    # sending, like a real one, but loses now and then what is typed.
    Plan("blocked", HERE / "contacts.toml", ["blocked"], options="--board /etc/jackdaw/contacts.toml", console="ttyS0"),
]


@dataclasses.dataclass
class Parts:
    """What boards are made of."""

    package: pathlib.Path  # unpacked
    emulator: pathlib.Path  # a tree with QEMU
    system: pathlib.Path  # a tree of the board's own Debian
    tools: pathlib.Path  # a folder with fences.c and inputs.c, built for the board
    out: pathlib.Path  # for logs and sound
    headset: pathlib.Path | None  # a tree with btvirt, and Bumble; none: no Bluetooth

    def prepare(self) -> None:
        """Makes what all boards have in common."""
        self.out.mkdir(parents=True, exist_ok=True)
        guest.make_base(self.system, sorted(self.tools.iterdir()), self.out / "base.cpio")
        for number, seconds, path in self._tracks():
            path.parent.mkdir(parents=True, exist_ok=True)
            sound.make_track(number, seconds, path)
        (self.out / "music" / DAMAGED).write_bytes(b"This is no music.\n" * 100)

    def tracks(self) -> list[sound.Track]:
        return [sound.read_track(number, path) for number, _, path in self._tracks()]

    def _tracks(self) -> list[tuple[int, int, pathlib.Path]]:
        folders = {self.out / "music": TRACKS, self.out / "stick" / PLAYLIST: STICK_TRACKS}
        return [(number, seconds, folder / f"{number}.wav")
                for folder, lengths in folders.items() for number, seconds in lengths.items()]


class Boards:
    """One at a time."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tracks = parts.tracks()
        self._plan: Plan | None = None
        self._bench: Bench | None = None
        self._left = contextlib.ExitStack()

    def bench(self, plan: Plan) -> Bench:
        """The board of this plan. One that did not start is not tried again."""
        if plan is not self._plan:
            self.close()
            self._plan = plan
            self._bench = self._start(plan)
        assert self._bench, f"the board of {plan.name} has not started, see the first of its checks"
        return self._bench

    def close(self) -> None:
        bench, self._bench, self._plan = self._bench, None, None
        try:
            if bench:
                bench.save_journal()
        finally:
            self._left.close()

    def _start(self, plan: Plan) -> Bench:
        folder = self._parts.out / plan.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        radio = _make_radio(self._parts, folder) if plan.has_radio else None
        files = _build(plan, self._parts, folder, radio)
        if radio:
            self._left.enter_context(radio)
        board = Machine(
            self._parts.emulator, guest.kernel(self._parts.system), files, folder / "disk", folder / "stick", folder,
            Wiring.read(folder / "settings" / plan.board_file.name), radio.board_socket if radio else None)
        self._left.callback(board.close)
        # At power on one lies there.
        for name, reader in board.readers.items():
            reader.lay(CARDS[name][0])
        bench = Bench(board, self._tracks, radio)
        bench.start()
        return bench


def _make_radio(parts: Parts, folder: pathlib.Path) -> Radio:
    return Radio(parts.headset, folder / "radio", {number: parts.out / "music" / f"{number}.wav" for number in TRACKS})


def _build(plan: Plan, parts: Parts, folder: pathlib.Path, radio: Radio | None) -> pathlib.Path:
    """Makes all that a board boots; returns its first files."""
    guest.make_product(parts.package, plan.options, folder / "product.cpio")
    archives = [parts.out / "base.cpio", folder / "product.cpio"]
    if radio:
        archives.append(folder / "bluetooth.cpio")
        bluetooth.make(parts.system, parts.package, archives[-1])
    if PC_SC in Wiring.read(plan.board_file).readers.values():
        archives.append(folder / "smart-cards.cpio")
        smart_cards.make(parts.system, parts.package, archives[-1])
    first = folder / "first-files.cpio"
    first.write_bytes(b"".join(archive.read_bytes() for archive in archives))
    settings = folder / "settings"
    settings.mkdir()
    text = 'music = ["/srv/music"]\n' if plan.music else (HERE / "settings.toml").read_text()
    if radio:
        # A headset takes longer to come back than a plug does.
        text = text.replace('resume_window = "6s"', 'resume_window = "90s"').replace('idle_reset = "12s"', "")
    if plan.has_credits:
        text = f'choice = "queue"\n{text}\n[credits]\ncoins = {{ 1 = 1, 2 = 2, 5 = 6 }}\n'
    (settings / "jackdaw.toml").write_text(text)
    (settings / "cues").mkdir()
    sound.make_cue(settings / "cues" / "chime.wav")
    (settings / "formats").mkdir()
    for name in FORMATS:
        shutil.copy(TOP / "Tests/TrackDecodingTests/Fixtures" / name, settings / "formats")
    board_file = settings / plan.board_file.name
    board_file.write_text(plan.board_file.read_text().replace("ttyAMA0", plan.console))
    state = folder / "state"
    state.mkdir()
    if radio:
        radio.write_bond(state)
    guest.make_disk(settings, plan.music or parts.out / "music", state, folder / "disk")
    guest.make_stick(parts.out / "stick", folder / "stick")
    return first

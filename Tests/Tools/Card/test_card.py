"""The card image in QEMU: what it promises from the first power on."""

import pathlib

import pytest

from Board.qemu import Emulator
from Card.card import MIB, Card
from Card.clock import ClockTests
from Card.conftest import MUSIC
from Card.cuts import CutTests
from Card.fleet import FleetTests
from Card.header import HeaderTests
from Card.machine import Board, unit
from Card.network import NetworkTests
from Card.sticks import BOOTED, StickTests

SETTINGS = 'music = ["music"]\nplay_on_boot = true\nrepeat = "queue"\nstart_volume = 80\n'
SIZE = 4096 * MIB  # twice the image

# Like board/emulated.toml, without a console of its own: the log comes through the journal.
BOARD = """
name = "Card test"
rate = 48000
buffer = "300ms"
chip = "gpiochip0"
[lines.JACK_SENSE]
role = "sense"
offset = 0
[lines.BTN_PLAY]
role = "play"
offset = 2
[lines.LED_STATUS]
role = "lamp"
offset = 7
[ports.headphones]
sense = "gpio"
line = "JACK_SENSE"
priority = 30
private = true
pcm = "hw:CARD=Audio"
[ports.speaker]
sense = "always"
priority = 10
private = false
pcm = "plughw:CARD=SoundCard"
"""


class TestCard(StickTests, CutTests, ClockTests, HeaderTests, NetworkTests, FleetTests):
    """Each method whose name begins with `test_` is a check; its documentation is what it shows."""

    @pytest.fixture(autouse=True)
    def prepare(self, pytestconfig: pytest.Config) -> None:
        option = pytestconfig.option
        self.image = option.image
        self.emulator = option.emulator
        self.emulated = Emulator(option.emulator)
        self.user_emulator = option.user_emulator
        self.out = option.out.resolve()
        self.times = option.times
        self.boots = option.boots
        self.music = self.out / MUSIC
        self.figures: list[str] = []

    def card(self, name: str, size: int | None = SIZE, settings: str = SETTINGS) -> Card:
        card = Card(self.image, self.out / f"{name}.img", size)
        card.write("settings.toml", settings)
        card.write("board.toml", BOARD)
        card.copy(self.music, "music/1 signs.wav")
        return card

    def board(self, card: Card, machine: str = "virt", **options) -> Board:
        return Board(card, self.emulator, self.out / card.path.stem, machine, **options)

    def figure(self, text: str) -> None:
        self.figures.append(text)

    def play(self, board: Board) -> None:
        """Play is pressed, until the speaker sounds."""
        board.press_until("BTN_PLAY", r"playback\.(started|resumed)")
        board.wait_sound("speaker")

    def report(self, card: Card, *patterns: str, **options) -> str:
        """What a board with this card has written, once its log has had all of these, one after the other."""
        with self.board(card, **options) as board:
            for pattern in patterns:
                board.wait(pattern)
            board.wait_report()
            assert not (failed := board.find("Failed (?:to start|with result).*")), failed
        return card.read("report.txt")

    def check_ports(self, card: Card, expected: str) -> None:
        report = card.read("report.txt")
        assert f"Open to the network: {expected}\n" in report, report

    # ---- The tests ------------------------------------------------------------------------------------------------

    def test_raspberry_pi_3(self) -> None:
        """as a Raspberry Pi 3, with the image's own kernel and device tree: up to the firmware's first line"""
        card = Card(self.image, self.out / "pi3.img")
        with self.board(card, "raspi3b") as board:
            board.wait(BOOTED, 1800)
            self.figure(f"power to boot line {board.seconds}")
            board.wait_report(1800)
        report = card.read("report.txt")
        for text in ("on Raspberry Pi 3 Model B", "ok    board"):
            assert text in report, f"report.txt does not say {text!r}:\n{report}"

    def test_first_boot(self) -> None:
        """the first power on: sound, jack, growth, report; and the second"""
        card = self.card("first")
        with self.board(card) as board:
            board.wait("grows to the end of the card")
            board.wait(BOOTED)
            self.figure(f"power to boot line {board.seconds}")
            self.play(board)
            board.set("JACK_SENSE", 1)
            board.wait(r"port\.connected port=headphones")
            board.wait_sound("headphones")
            board.set("JACK_SENSE", 0)
            board.wait(r"playback\.paused cause=route-lost")
            board.press_until("BTN_PLAY", r"playback\.resumed")
            # A minute later the track begins again, and state and journal are on the card.
            board.wait(r"track\.started")
            board.wait_report()
        begin, length = card.data()
        assert begin + length == SIZE, f"the data partition ends at {(begin + length) / MIB:.0f} MiB"
        assert card.data_filesystem() == length, f"its file system has {card.data_filesystem()} of {length} bytes"
        report = card.read("report.txt")
        for text in ("The settings of this card are in force", "linux,dummy-virt", "1 signs.wav", "The data partition has", "[Audio ",
                     "[SoundCard "):
            assert text in report, f"report.txt does not say {text!r}:\n{report}"
        assert "FAIL" not in report, f"the check finds something wrong with a board that plays:\n{report}"
        self.check_ports(card, "nothing")
        assert not (errors := card.filesystem_errors()), errors
        with self.board(card) as board:
            # What was playing aloud goes on by itself.
            board.wait(BOOTED)
            board.wait_sound("speaker")
            self.figure(f"second power on to sound {board.seconds}")
            board.wait_report()
        assert "playback.paused cause=route-lost" in card.read("log.txt"), "log.txt has nothing of the day before"
        page, table = card.read("report.html").rstrip("\n"), card.read("report.csv")
        assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>") and "1 signs.wav" in page, page[-400:]
        assert ",1 signs.wav," in table, f"report.csv has no row of the track that was heard:\n{table[:600]}"

    def test_wrong_settings(self) -> None:
        """a mistake in the settings: the last good ones play on; console, lamp and report have its line"""
        card = self.card("settings")
        with self.board(card) as board:
            board.wait(BOOTED)
            board.wait_report()
        card.write("settings.toml", SETTINGS + "start_volme = 30\n")
        with self.board(card) as board:
            board.wait(r"REFUSED: .*settings\.toml.*5.*start_volme")
            board.wait(BOOTED)
            # The lamp flashes.
            board.wait(r"content\.refused reason=.*start_volme")
            self.play(board)
            board.wait_report()
        report = card.read("report.txt")
        assert "start_volme" in report and "The last settings without a mistake stay in force" in report, report

    def test_wrong_from_the_start(self) -> None:
        """a mistake on a new card: the settings that the image came with"""
        card = self.card("wrong", settings="music = 7\n")
        with self.board(card) as board:
            board.wait(r"REFUSED: ")
            board.wait(BOOTED)
            board.wait_report()
        report = card.read("report.txt")
        assert "The settings that came with this card's system are in force" in report, report

    def test_full_card(self) -> None:
        """neither boot nor data partition has room for anything: it plays, and report and log are written in place"""
        card = self.card("full", size=None)
        card.fill()
        with self.board(card) as board:
            board.wait(BOOTED)
            board.wait_report()
        card.fill_data()
        # Settings that it cannot keep for a day on which they are wrong.
        card.replace("settings.toml", SETTINGS.replace("80", "70"))
        with self.board(card) as board:
            board.wait(BOOTED)
            self.play(board)
            board.wait_report()
        report = card.read("report.txt")
        for text in ("The settings of this card are in force", "these settings cannot be kept"):
            assert text in report, f"report.txt does not say {text!r}:\n{report}"

    def test_damaged_data(self) -> None:
        """a data partition beyond repair: it plays and says so, and erase-data has it made anew"""
        card = self.card("damaged")
        card.destroy_data()
        with self.board(card) as board:
            board.wait("nothing can be kept over a power cut")
            board.wait(BOOTED)
            self.play(board)
            board.wait_report()
        report = card.read("report.txt")
        assert "The data partition cannot be used" in report, report
        card.write("erase-data", "")
        with self.board(card) as board:
            board.wait("the data partition is made anew")
            board.wait(BOOTED)
            board.wait_report()
        report = card.read("report.txt")
        assert "The data partition has" in report, report
        assert not card.has("erase-data"), "erase-data is still there"

    def test_damaged_root(self) -> None:
        """a damaged root, and another card in a USB reader: root is repaired, and the board takes this card"""
        card = self.card("root")
        card.damage_root()
        assert card.filesystem_errors(root=True), "root is not damaged"
        other = Card(self.image, self.out / "other.img")
        # Its links are there before anything is mounted.
        wait = ("[Unit]\nDefaultDependencies=no\nBefore=boot-firmware.mount jackdaw-data.service\n[Service]\nType=oneshot\n"
                'ExecStart=/bin/sh -c "until [ -e /dev/sda3 ]; do sleep 0.2; done; udevadm settle"\n')
        with self.board(card, sticks=(other.path,), are_plugged=True, words=unit("wait", wait)) as board:
            board.wait("FILE SYSTEM WAS MODIFIED")
            board.wait("grows to the end of the card")
            board.wait(BOOTED)
            for _ in range(3):
                board.wait("the stick can be pulled out")
            self.play(board)
            board.wait_report()
        report = card.read("report.txt")
        for text in ("1 signs.wav", " kernel: "):
            assert text in report, f"report.txt does not say {text!r}:\n{report}"
        assert not (errors := card.filesystem_errors(root=True) + card.filesystem_errors()), errors

    def test_watchdog(self) -> None:
        """systemd stands still: the hardware watchdog resets the board"""
        crash = '[Unit]\nAfter=jackdaw-report.service\n[Service]\nExecStart=/bin/sh -c "kill -SEGV 1"\n'
        with self.board(self.card("watchdog"), words=unit("crash", crash)) as board:
            board.wait_watchdog(600)
            # It was systemd that had let go of it, and not by itself.
            assert board.find("watchdog did not stop"), "it reset a board whose systemd ran"

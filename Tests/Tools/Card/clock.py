"""How the card knows the time: the zone, a time server, and what a person writes."""

import contextlib
import socket
import struct
import threading
from datetime import datetime, timezone

import pytest

from Card.machine import WRITTEN

SINCE_1900 = 2_208_988_800  # s from 1900, the beginning of NTP, to 1970


class ClockTests:
    """Checks as those in test_card.py, which has what they use."""

    def test_zone(self) -> None:
        """a time zone and a clock chip; a zone that is none, reported by lamp and report; a chip is set once by a file"""
        card = self.card("zone")
        card.write("timezone.txt", "\ufeffAmerica/New_York\r\n")
        report = self.report(card, date="2031-07-01T03:00:00")
        for text in ("Written 2031-06-30 23:", "EDT (America/New_York)", "The clock chip rtc-pl031 shows 2031-07-01 03:"):
            assert text in report, report
        assert "REFUSED" not in report, report
        card.write("timezone.txt", "Europe/Berln\n")
        card.write("set-time.txt", "2032-01-02 03:04\n")
        report = self.report(
            card, 'REFUSED: timezone.txt: "Europe/Berln" is no time zone, expected one such as Europe/Berlin',
            r"content\.refused reason=.*Europe/Berln")
        for text in ("Written 2032-01-02 03:", "UTC (UTC)", "The clock chip rtc-pl031 shows 2032-01-02 03:", "Europe/Berln"):
            assert text in report, report
        assert not card.has("set-time.txt"), "the next start would set the same time again"
        card.write("set-time.txt", 'tomorrow"\n')
        card.write("settings.toml", "start_volme = 30\n")
        # The lamp's in one line, as far as a line of the console goes.
        report = self.report(
            card, 'REFUSED: set-time.txt: "tomorrow"" is no time, expected one such as 2026-12-24 18:30',
            r"content\.refused reason=.*start_volme.*Europe/Berln")
        assert all(text in report for text in ("start_volme", "Europe/Berln", "tomorrow")), report
        assert card.has("set-time.txt")

    @pytest.mark.xdist_group("names")
    def test_time_server(self) -> None:
        """a clock that shows the wrong time at power on; a time server of the owner's is asked, and only where a network is"""
        card = self.card("server")
        with time_server("2033-03-04 05:06") as asked, name_server():
            card.write("time-server.txt", "clock.museum.example\r\n")
            # Until the second report, as the journal is written once a minute.
            self.report(card, WRITTEN, WRITTEN, date="2001-01-01T00:00:00", is_paced=False)
            assert not asked, "a server is asked without a network"
            card.write("network.txt", "address = 10.0.2.15/24\ngateway = 10.0.2.2\ndns = 10.0.2.2\n")
            report = self.report(card, WRITTEN, WRITTEN, date="2001-01-01T00:00:00", is_paced=False)
        # The clock has jumped by years, and what was before is still there.
        log = card.read("log.txt")
        assert log.count(" info boot ") == 2 and "grows to the end of the card" in log, f"log.txt has lost a start:\n{log[:2000]}"
        for text in ("A time server has set the clock.", "Written 2033-03-04 05:"):
            assert text in report, report
        self.check_ports(card, "nothing")
        # The next start begins at the time that was known last, whatever the clock shows.
        report = self.report(card, date="2001-01-01T00:00:00")
        assert "Written 2033-03-04 05:" in report, report


@contextlib.contextmanager
def time_server(shown: str):
    """A time server on this machine, which shows this time (UTC) from now on. Yields who has asked."""
    asked: list[str] = []
    begin = datetime.fromisoformat(shown).replace(tzinfo=timezone.utc).timestamp() + SINCE_1900
    now = int(begin * (1 << 32)).to_bytes(8, "big")

    def answer(question: bytes, place: str) -> bytes:
        asked.append(place)
        # Version 4, a server, of stratum 1; when the question was sent comes back as it was.
        return struct.pack("!BBBbII4s", 0x24, 1, 6, -20, 0, 0, b"LOCL") + now + question[40:48] + now + now

    with _server(123, answer):
        yield asked


def name_server():
    """A name server on this machine, where boards find every name."""
    # One answer, for the name of the question (at 12): an address, for a minute. What else was asked has no answer.
    address = b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 60, 4) + socket.inet_aton("10.0.2.2")

    def answer(question: bytes, place: str) -> bytes:
        end = question.index(b"\0", 12) + 5
        is_address = question[end - 4:end] == b"\0\1\0\1"
        return question[:2] + struct.pack("!HHHHH", 0x8180, 1, is_address, 0, 0) + question[12:end] + address * is_address

    return _server(53, answer)


@contextlib.contextmanager
def _server(port: int, answer):
    """Answers what comes to this port."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listening.bind(("127.0.0.1", port))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                question, place = listening.recvfrom(1024)
                if not place:
                    return  # It is over.
                listening.sendto(answer(question, place[0]), place)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield
    finally:
        # The thread's wait ends with it.
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()

"""How the card knows the time: the zone, a time server, and what a person writes."""

import contextlib
import socket
import struct
import threading
from datetime import datetime, timezone

from Card.card import Card

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

    def test_time_server(self) -> None:
        """a clock that shows the wrong time at power on; a time server of the owner's is asked, and only where a network is"""
        card = self.card("server")
        with time_server("2033-03-04 05:06") as asked:
            card.write("time-server.txt", "10.0.2.2\r\n")
            self.report(card, date="2001-01-01T00:00:00", is_paced=False)
            assert not asked, "a server is asked without a network"
            card.write("network.txt", "")
            written = "report and log are written"
            report = self.report(card, written, written, date="2001-01-01T00:00:00", is_paced=False)
        for text in ("A time server has set the clock.", "Written 2033-03-04 05:"):
            assert text in report, report
        # The address is asked for from there.
        self.check_ports(card, "udp 68")
        # What was known last is where the next start begins, whatever the clock shows.
        report = self.report(card, date="2001-01-01T00:00:00")
        assert "Written 2033-03-04 05:" in report, report


@contextlib.contextmanager
def time_server(shown: str):
    """A time server on this machine, which shows this time (UTC) from now on. Yields who has asked."""
    asked: list[str] = []
    begin = datetime.fromisoformat(shown).replace(tzinfo=timezone.utc).timestamp() + SINCE_1900
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listening.bind(("127.0.0.1", 123))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                question, place = listening.recvfrom(1024)
                if not place:
                    return  # It is over.
                asked.append(place[0])
                now = int(begin * (1 << 32)).to_bytes(8, "big")
                # Version 4, a server, of stratum 1; when the question was sent comes back as it was.
                listening.sendto(
                    struct.pack("!BBBbII4s", 0x24, 1, 6, -20, 0, 0, b"LOCL") + now + question[40:48] + now + now, place)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield asked
    finally:
        # The thread's wait ends with it.
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()

"""Kills a jukebox while coins fall and requests play, and compares what the next start has with books of our own (J4)."""

import re
import time

import killed
from killed import Killed
from kiosk import TOP, Firmware

LONGEST = 3.0  # seconds until a run is killed, from the first coin on
NO_COINS = 2.1  # seconds: so soon after power on there are none
SETTINGS = """\
choice = "queue"
requests_limit = 6
request_twice = "allow"
play_on_boot = true
idle_reset = 0
visit_gap = 0
save_interval = "1s"
[credits]
coins = { 1 = 1 }
"""
COUNTED = ("coins", "given", "taken", "returned", "requests")


class Books:
    """What the console says of credits and requests."""

    def __init__(self, firmware: Firmware) -> None:
        found = dict(part.split("=") for part in firmware.ask("credits")[0].split())
        self.numbers = {name: int(number) for name, number in found.items()}
        lines = firmware.ask("requests")[:-1]
        self.requests = [re.sub(r"^\d+ (plays|waits) (paid )?", "", line) for line in lines if line != "no requests"]

    def check(self) -> None:
        """No credit is lost, and none is there twice."""
        one = self.numbers
        assert one["credits"] == one["bought"] + one["given"] + one["returned"] - one["taken"], f"credits: {one}"
        assert one["bought"] + one["pulses"] == one["coins"], f"a coin is a credit: {one}"
        assert 0 <= one["credits"] <= 999, f"credits: {one}"


class Jukebox(Killed):
    kind = "jukebox"

    def __init__(self, number: int, options) -> None:
        super().__init__(number, options)
        self.configure(SETTINGS, '\n[lines.COIN]\nrole = "coin"\n')
        self.unlogged = 0
        self._look(None)

    def _look(self, books: Books | None) -> None:
        self.books = books  # as they were asked for last
        self.told = dict.fromkeys(COUNTED, 0)  # by the log, since then
        self.asked = dict.fromkeys(COUNTED, 0)  # at most, since then
        self.chosen: list[str] = []  # since then
        self.kept = 0  # of those that were chosen since then, by the log
        self.over = 0  # requests that may have come to their end since then
        self.has_cleared = False

    def end_visit(self, firmware: Firmware) -> None:
        firmware.ask("requests clear")
        firmware.ask("stop")
        time.sleep(0.5)
        last = Books(firmware)
        last.check()
        assert not last.requests, f"left behind: {last.requests}"

    def one_run(self) -> None:
        firmware = self.start()
        try:
            self.check_start(firmware)
            time.sleep(max(0, NO_COINS - firmware.now))
            end = firmware.now + self.random.uniform(0, LONGEST)
            while (left := end - firmware.now) > 0:
                self._act(firmware)
                time.sleep(min(left, self.random.uniform(0, 0.2)))
            firmware.kill()
            self._note_log(firmware)
        finally:
            if firmware.process.poll() is None:
                firmware.kill()

    # ---- After a start ----------------------------------------------------------------------------------------------

    def check_start(self, firmware: Firmware) -> None:
        firmware.wait("route.initial")
        assert firmware.errors == "", f"standard error: {firmware.errors}"
        found = Books(firmware)
        found.check()
        # They are in the log by now.
        for name in ("ledger.unreadable", "ledger.failed"):
            assert not firmware.seen(name), firmware.seen(name)[0].text
        if self.books:
            for name in COUNTED:
                least = self.books.numbers[name] + self.told[name]
                most = self.books.numbers[name] + self.asked[name]
                assert least <= found.numbers[name] <= most, f"{found.numbers[name]} {name}, not {least} to {most}"
                self.unlogged += found.numbers[name] - least
            self._check_order(found.requests)
        self._look(found)

    def _check_order(self, found: list[str]) -> None:
        """Those of before, and those that were chosen since, without a gap; what was cleared may lack among them. At the
        end lack at most those that the log did not have, at the beginning those that came to their end, and one of which
        the log did not have that."""
        known = self.books.requests + self.chosen
        if self.has_cleared:
            rest = iter(known)
            assert all(any(one == other for other in rest) for one in found), f"{found} after {known}"
        else:
            least = len(self.books.requests) + self.kept
            runs = [known[first:first + len(found)] for first in range(min(self.over + 1, len(known)) + 1)
                    if first + len(found) >= least]
            assert found in runs, f"{found} after {known}, of which {self.kept} are kept and {self.over} may be over"

    # ---- A run ------------------------------------------------------------------------------------------------------

    def _act(self, firmware: Firmware) -> None:
        what = self.random.random()
        if what < 0.45:
            self.asked["coins"] += 1
            firmware.key("$")
        elif what < 0.8:
            track = self.random.randint(1, 3)
            self.asked["requests"] += 1
            self.asked["taken"] += 1
            reply = firmware.ask(f"track {track}")[-1]
            if reply == "ok":
                self.chosen.append(next(path.name for path in (TOP / "board/sim/music").glob(f"{track} *")))
        elif what < 0.85:
            self.asked["given"] += 2
            firmware.ask("credits +2")
        elif what < 0.95:
            self.over += 1
            self._refund(firmware, "next")
        elif what < 0.97:
            self.has_cleared = True
            self._refund(firmware, "requests clear")
        else:
            firmware.ask(self.random.choice(["stop", "play", "play"]))

    def _refund(self, firmware: Firmware, command: str) -> None:
        self.asked["returned"] += 6
        firmware.ask(command)

    def _note_log(self, firmware: Firmware) -> None:
        """What the log has, the storage has."""
        for event in firmware.events:
            assert "kept" not in event.fields, event.text
        self.told["coins"] += len(firmware.seen("coin.taken"))
        self.told["given"] += sum(2 for _ in firmware.seen("credits.given"))
        self.told["returned"] += len(firmware.seen("credit.returned"))
        self.told["requests"] += len(firmware.seen("request.queued"))
        self.told["taken"] += len(firmware.seen("request.queued"))
        self.kept += len(firmware.seen("request.queued"))
        self.over += sum(len(firmware.seen(name)) for name in ("track.ended", "request.dropped"))


def run(options) -> int:
    return killed.run(Jukebox, options, report)


def report(boxes: list[Jukebox], took: float) -> None:
    sums = {name: sum(box.books.numbers[name] for box in boxes if box.books) for name in COUNTED}
    print(f"took {took:.0f} s; " + ", ".join(f"{name}: {number}" for name, number in sums.items())
          + f"; on the storage and not in the log when it was killed: {sum(box.unlogged for box in boxes)}")

"""Power cuts at random instants: of the first boot, of an exhibition that is taken, and of a package that is installed.

Each of these is recorded once (recording.py). For as many cuts as `--times` says, the start is then done natively by
`recover`, in half a dozen seconds; for `--boots` of them the board is started as a whole, until music is heard.
"""

import collections
import os
import pathlib
import random
import subprocess

from Card.recording import Recording
from Card.sticks import BOOTED


class Recovered:
    """What a card was after `recover`."""

    def __init__(self, words: list[str], root: str) -> None:
        _, self.package, _, self.exhibition, self.content, _, self.data, _, *heard = words
        self.heard = " ".join(heard)
        self.root = root


class CutTests:
    """Checks as those in test_card.py, which has what they use."""

    def test_power_cuts(self) -> None:
        """power cuts in the first boot and its growth: the next one ends in music"""
        card = self.card("first-cuts")
        recording = Recording(card.path)
        with self.board(card, log=recording.log) as board:
            board.wait(BOOTED)
            board.wait_report()
        self.cut_first_boot(card, recording, 0, recording.now())

    def test_exhibition_cuts(self) -> None:
        """power cuts while an exhibition is taken from a stick: the old or the new one, whole, plays"""
        card, power_on = self.offered("exhibition-cuts", "exhibition-1", "exhibition-4")
        recording = Recording(card.path)
        with power_on(log=recording.log) as board:
            board.wait(BOOTED)
            self.bring(board, "exhibition-1", "jackdaw-exhibition: exhibition_1 is installed")
            begin = recording.now()
            self.bring(board, "exhibition-4", "jackdaw-exhibition: exhibition_4 is installed")
        self.cut_exhibition(card, recording, begin, recording.now())

    def test_software_cuts(self) -> None:
        """power cuts while dpkg installs a package, and in its trial: the old or the new one, whole, plays"""
        card, power_on = self.offered("software-cuts", "software-good")
        recording = Recording(card.path)
        with power_on(log=recording.log) as board:
            board.wait(BOOTED)
            board.plug("software-good")
            board.wait(r"0\.8 is installed in the place of")
            begin = recording.now()
            board.wait(r"jackdaw-software: 0\.8 is installed\n")
            board.wait("the stick can be pulled out")
        self.cut_software(card, recording, begin, recording.now())

    # ---- After a recording --------------------------------------------------------------------------------------------

    def cut_first_boot(self, card, recording: Recording, begin: int, end: int) -> None:
        self.at(recording, end, card)
        grown = card.data()

        def has_recovered(found: Recovered) -> str:
            assert found.heard == self.music.name, f"heard {found.heard}"
            return "grown" if card.data() == grown else "not grown yet"

        def has_booted() -> None:
            assert card.data() == grown, "the data partition did not grow"
            assert card.data_filesystem() == grown[1], f"its file system has {card.data_filesystem()} of {grown[1]} bytes"

        self.cut(card, recording, begin, end, 100, has_recovered, has_booted)

    def cut_exhibition(self, card, recording: Recording, begin: int, end: int) -> None:
        whole = {}
        for instant in (begin, end):
            self.at(recording, instant, card)
            found = self.recover(card)
            whole[found.exhibition] = (found.content, found.heard)
        assert sorted(whole) == ["exhibition_1", "exhibition_4"], f"before and after: {' '.join(whole)}"

        def has_recovered(found: Recovered) -> str:
            assert whole.get(found.exhibition) == (found.content, found.heard), f"{found.exhibition} is not whole"
            return found.exhibition

        self.cut(card, recording, begin, end, 200, has_recovered)

    def cut_software(self, card, recording: Recording, begin: int, end: int) -> None:
        roots = {}
        for instant in (begin, end):
            self.at(recording, instant, card)
            found = self.recover(card)
            roots[found.package] = set(found.root.splitlines())
        assert len(roots) == 2 and "0.8" in roots, f"before and after: {' '.join(roots)}"

        def has_recovered(found: Recovered) -> str:
            difference = roots[found.package] ^ set(found.root.splitlines())
            assert not difference, f"root is not that of {found.package}: {sorted(difference)[:4]}"
            assert found.heard == self.music.name, f"heard {found.heard}"
            return found.package

        # In the middle of dpkg's work, and the data partition cannot be repaired: what the card came with is on root.
        self.at(recording, (begin + end) // 2, card)
        card.destroy_data()
        assert has_recovered(self.recover(card, data="lost")) != "0.8", "the package before is not back without data"
        self.cut(card, recording, begin, end, 100, has_recovered)

    # ---- What they share --------------------------------------------------------------------------------------------

    def cut(self, card, recording: Recording, begin: int, end: int, usual: int, has_recovered, has_booted=None) -> None:
        """Makes the cuts, checks each and notes how they ended.
        - usual: how many, without --times."""
        seed = random.randrange(1 << 32)
        times = self.times or usual
        ends = collections.Counter()
        for number, cut in enumerate(recording.cards(begin, end, times, seed, card.path)):
            try:
                ends[has_recovered(self.recover(card))] += 1
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, cut {number} {cut}: {error}") from error
        self.figure(f"{times} cuts: " + ", ".join(f"{count} times {end}" for end, count in sorted(ends.items())))
        for number, cut in enumerate(recording.cards(begin, end, self.boots, seed + 1, card.path)):
            try:
                with self.board(card) as board:
                    board.wait(BOOTED)
                    self.play(board)
                assert not (errors := card.filesystem_errors(root=True) + card.filesystem_errors()), errors
                if has_booted:
                    has_booted()
            except AssertionError as error:
                raise AssertionError(f"seed {seed + 1}, boot {number} {cut}: {error}") from error
        self.figure(f"{self.boots} of them booted")
        recording.remove()

    def at(self, recording: Recording, instant: int, card) -> None:
        """Makes the card as of this instant."""
        for _ in recording.cards(instant, instant, 1, 0, card.path):
            pass

    def recover(self, card, data: str = "kept") -> Recovered:
        """- data: whether its data partition can be expected to be repaired."""
        out = self.out / card.path.stem
        out.mkdir(exist_ok=True)
        tool = pathlib.Path(__file__).with_name("recover")
        command = [tool, card.path, self.user_emulator, out]
        done = subprocess.run(command if os.geteuid() == 0 else ["sudo", "-n", *command], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout.strip() or (out / "log").read_text()[-600:]
        found = Recovered(done.stdout.split(), (out / "root").read_text())
        assert found.data == data, f"the data partition is {found.data}"
        return found

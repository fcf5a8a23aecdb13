"""What the card takes from USB sticks and a server: exhibitions and software, good and bad, which `offers` beside this makes."""

import contextlib
import functools
import http.server
import pathlib
import threading

BOOTED = r"\d\.\d{6} info boot "


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_) -> None:
        pass


class StickTests:
    """Checks as those in test_card.py, which has what they use."""

    def offered(self, name: str, *sticks: str):
        """A card that knows the owner's key, and a board with it."""
        card = self.card(name)
        for kind in ("exhibition", "software"):
            card.copy(self.out / "offers/key.gpg", f"{kind}-key.gpg")
        images = tuple(self.out / "offers" / f"{stick}.stick" for stick in sticks)
        return card, lambda **options: self.board(card, sticks=images, **options)

    def bring(self, board, stick: str, *patterns: str, patience: float = 1800) -> None:
        """A stick is plugged in, the log has all of these, one after the other, and it is pulled out."""
        board.plug(stick)
        for pattern in patterns:
            board.wait(pattern, patience)
        board.wait("the stick can be pulled out", patience)
        board.unplug(stick)

    def test_exhibitions(self) -> None:
        """exhibitions on sticks: taken when nobody listens; a changed and a wrong one never; the power goes in a trial"""
        sticks = ("exhibition-1", "exhibition-tampered", "exhibition-wrong", "exhibition-4")
        card, power_on = self.offered("exhibitions", *sticks)
        with power_on() as board:
            board.wait(BOOTED)
            self.play(board)
            board.plug("exhibition-1")
            board.wait("jackdaw-exhibition: exhibition_1 is here and is checked")
            # It asks every 5 s whether somebody listens.
            board.wait(r"track\.ended")
            assert len(board.find(BOOTED)) == 1, "it is put in force while somebody listens"
            # It is read, so the stick is no longer needed.
            board.unplug("exhibition-1")
            board.press_until("BTN_PLAY", r"playback\.paused")
            board.wait(BOOTED, 1800)
            board.wait("jackdaw-exhibition: exhibition_1 is installed", 1800)
            board.wait("the stick can be pulled out")
            self.play(board)
            board.wait('file="1 first.au"')
            board.press_until("BTN_PLAY", r"playback\.paused")
            self.bring(board, "exhibition-tampered", "jackdaw-exhibition: REFUSED: it cannot be taken", r"content\.refused")
            self.bring(board, "exhibition-wrong", "REFUSED: exhibition_3: .*start_volme", r"content\.refused")
            boots = len(board.find(BOOTED))
            board.plug("exhibition-4")
            board.wait("jackdaw-exhibition: exhibition_4 is here and is checked")
            board.wait(BOOTED)
            assert boots == 2, f"the firmware started {boots} times before the last one"
        with power_on() as board:
            board.wait("back to exhibition exhibition_1")
            board.wait(BOOTED)
            board.wait_report()
            assert "exhibition_1 is installed" in card.read("report.txt")
            # The exhibition whose trial the power cut ended is tried once more.
            self.bring(board, "exhibition-4", "exhibition_4 is here and is checked",
                       "jackdaw-exhibition: exhibition_4 is installed")
            # Its cue says so: a second of sound, and nothing else has been played since power on.
            board.wait(r"cue\.ended cue=new-programme\n", 300)
            board.wait_sound("speaker", begin=0)
        assert not (errors := card.filesystem_errors()), errors

    def test_fetch(self) -> None:
        """an exhibition and software on a server, ten to forty minutes after power on"""
        card, power_on = self.offered("fetch")
        card.make_folder("network")
        card.write("network/wired.network", "[Match]\nName=en* eth*\n[Network]\nDHCP=yes\n")
        with self.serve(self.out / "offers/server") as port:
            card.write("exhibition-url.txt", f"http://10.0.2.2:{port}\r\n")
            card.write("software-url.txt", f"http://10.0.2.2:{port}/software\n")
            with power_on(is_paced=False) as board:
                board.wait(BOOTED)
                board.wait("jackdaw-exhibition: exhibition_1 is installed", 1800)
                self.figure(f"exhibition {board.clock:.0f} s after power on")
                board.wait(r"jackdaw-software: 0\.8 is installed\n", 1800)
                self.figure(f"software {board.clock:.0f} s after power on")
            # The report of 5 min after power on: a network is on, and only what asks for the board's address listens
            # there.
            self.check_ports(card, "udp 68")

    @contextlib.contextmanager
    def serve(self, folder: pathlib.Path):
        """The port of a server of this folder."""
        handler = functools.partial(QuietHandler, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield server.server_port
            finally:
                server.shutdown()
                thread.join()

    def test_software(self) -> None:
        """software on sticks: a good package is taken; one that ends, one that hangs and one with a wrong unit are taken back"""
        sticks = ("software-good", "software-tampered", "software-crash", "software-hang", "software-unit")
        card, power_on = self.offered("software", *sticks)
        with power_on() as board:
            board.wait(BOOTED)
            self.bring(board, "software-tampered", "jackdaw-software: REFUSED: the list cannot be taken")
            self.bring(board, "software-good", r"0\.8 is installed in the place of", BOOTED, r"jackdaw-software: 0\.8 is installed\n")
            for stick, version in (("crash", "0.91"), ("hang", "0.92"), ("unit", "0.93")):
                board.plug(f"software-{stick}")
                board.wait(f"{version} is installed in the place of 0.8", 1800)
                ill = board.wait_moment("jackdaw-software: the firmware (has ended|has not started|does not answer)", 1800)
                board.wait("back to package 0.8", 1800)
                back = board.wait_moment(BOOTED) - ill
                board.wait(f"REFUSED: {version}: the firmware was not well with it; 0.8 is back")
                board.wait("the stick can be pulled out", 1800)
                board.unplug(f"software-{stick}")
                self.figure(f"{stick}: back {back:.0f} s after the end of its health check")
                assert back <= 60, f"{stick}: the package before was back after {back:.0f} s"
            assert not board.find("root stays open"), "root stays open for writing"
        with power_on() as board:
            board.wait(BOOTED)
            board.wait_report()
            self.play(board)
        assert not (errors := card.filesystem_errors(root=True)), errors

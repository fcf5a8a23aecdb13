"""A board of a fleet, from the files of its card, and the spare card that takes its place."""

import json

import pytest

from Card.card import Card
from Card.clock import name_server
from Card.machine import unit
from Card.network import SPOKEN
from Fleet.brokers import Centre, Certificates, Clock, Listener

NAME, HOST = "lobby-3", "centre.museum.example"

GARBAGE = """[Unit]
After=jackdaw-data.service
Before=mosquitto.service
[Service]
Type=oneshot
ExecStart=sh -c 'echo garbage >/var/lib/mosquitto/mosquitto.db'
"""


class FleetTests:
    """Checks as those in test_card.py, which has what they use."""

    @pytest.mark.xdist_group("names")
    def test_fleet(self) -> None:
        """a board of a fleet: it tells and is commanded, fetches content and software when asked; a spare card takes its place"""
        card, power_on = self.offered("fleet")
        folder = self.out / "fleet-centre"
        certificates = Certificates(folder / "certificates", Clock(folder / "clock"))
        centre = Centre(folder / "centre", certificates, also=HOST)
        centre.start()
        listener = Listener(centre)
        try:
            card.write("network.txt", "dns = 10.0.2.2\n")
            card.write("fleet.toml", f'[fleet]\nbroker = "mqtts://{HOST}:{centre.tls}"\nid = "{NAME}"\n')
            card.make_folder("fleet")
            for file, place in zip((certificates.folder / "ca.pem", *certificates.make(NAME)), ("ca.pem", "board.pem", "board.key")):
                card.copy(file, f"fleet/{place}")
            with self.serve(self.out / "offers/server") as port, name_server():
                card.write("exhibition-url.txt", f"http://10.0.2.2:{port}\n")
                card.write("software-url.txt", f"http://10.0.2.2:{port}/software\n")
                with power_on() as board:
                    self._hear(listener, "status", lambda text: text == "online")
                    self.figure(f"online {board.seconds}")
                    centre.say(f"jackdaw/{NAME}/set/volume/headphones", "33")
                    self._hear(listener, "reply", lambda text: json.loads(text)["ok"])
                    assert any(message[2] == f"homeassistant/device/{NAME}/config" for message in listener.heard)
                    # A minute of music beside all of that.
                    self.play(board)
                    board.wait(r"track\.started")
                    assert not board.find(r"output\.underrun"), "the card runs dry where there is a network"
                    board.press_until("BTN_PLAY", r"playback\.paused")
                    centre.say(f"jackdaw/{NAME}/set/update", "")
                    self._hear(listener, "content", lambda text: json.loads(text).get("name") == "exhibition_1")
                    # jackdaw-fleet is of the new package, too, and is on trial with it.
                    for status in ("offline", "online"):
                        self._hear(listener, "status", lambda text: text == status)
                    self._hear(listener, "content", lambda text: json.loads(text).get("name") == "jackdaw 0.8")
                    assert not board.find("root stays open"), "root stays open for writing"
                self._hear(listener, "link", lambda text: text == "0")
                report = card.read("report.txt")
                assert f"This board is {NAME} of the fleet at {HOST}:{centre.tls}." in report, report
                assert "NOT ENCRYPTED" not in report, report
                # As deploy/dead-post.md says.
                spare = Card(self.image, self.out / "fleet-spare.img")
                spare.take_folder(card)
                with self.board(spare):
                    self._hear(listener, "status", lambda text: text == "online")
                    centre.say(f"jackdaw/{NAME}/set/content", "")
                    self._hear(listener, "content", lambda text: json.loads(text).get("name") == "exhibition_1")
        finally:
            listener.close()
            centre.close()

    def test_wrong_fleet(self) -> None:
        """a fleet without its certificates, and one inside the house: no encryption, no network, a queue that cannot be read"""
        card = self.card("wrong-fleet")
        card.write("fleet.toml", '[fleet]\nbroker = "mqtts://centre.example"\n')
        report = self.report(card, r"jackdaw-fleet: REFUSED: broker .*fleet/ca\.pem", r"content\.refused reason=.*fleet/ca\.pem")
        assert "This board belongs to no fleet." in report, report
        card.write("fleet.toml", '[fleet]\nbroker = "mqtt://centre.example"\nid = 7\n')
        self.report(card, r"jackdaw-fleet: REFUSED: fleet\.toml:3: .*id")
        card.write("fleet.toml", '[fleet]\nbroker = "mqtt://centre.example"\nid = "seven"\n')
        words = f"{unit('garbage', GARBAGE)} {unit('spoken', SPOKEN % 'mosquitto.service jackdaw-fleet.service')}"
        with self.board(card, words=words) as board:
            # It fails once.
            board.wait(r"awake: jackdaw-fleet\.service,mosquitto\.service\.\n")
        report = card.read("report.txt")
        for text in ("This board is seven of the fleet at centre.example:1883.", "NOT ENCRYPTED", "But the network is off"):
            assert text in report, report

    def _hear(self, listener: Listener, name: str, is_right) -> None:
        listener.wait(name, lambda topic, text: topic == f"jackdaw/{NAME}/{name}" and is_right(text), 1200)

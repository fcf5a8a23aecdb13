"""Which versions there are: the card's own script, with stand-ins for what it would do to a board."""

import json
import os
import pathlib
import subprocess


SCRIPTS = pathlib.Path("deploy/card/root/usr/lib/jackdaw-card")

SYSUPDATE = """#!/bin/sh
mkdir -p DATA/exhibitions/exhibition_11
ln -sfn DATA/exhibitions/exhibition_11 DATA/exhibitions/next
"""

SYSTEMCTL = """#!/bin/sh
case "$*" in
  *NRestarts*) echo 0 ;;
  *ActiveState*) echo active ;;
esac
"""


class Card:
    """A card's scripts in a folder of their own, beside a board that runs."""

    def __init__(self, board):
        self.board, self.folder = board, board.folder / "card"
        places = {
            "/usr/lib/systemd/systemd-sysupdate": f"{self.folder}/sysupdate", "/usr/lib/jackdaw-card": f"{self.folder}/lib",
            "/usr/share/jackdaw-card": str((SCRIPTS / "../../share/jackdaw-card").resolve()),
            "/boot/firmware": f"{self.folder}/boot", "/run/jackdaw-versions": str(board.versions),
            "/run/jackdaw-card": f"{self.folder}/run", "/data": f"{self.folder}/data",
        }
        for name in ("lib", "boot/jackdaw", "run", "data/exhibitions", "bin"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "boot/jackdaw/take-unsigned-exhibitions").touch()
        (self.folder / "run/trial-seconds").write_text("1\n")
        for script in SCRIPTS.iterdir():
            text = script.read_text()
            for place, here in places.items():
                text = text.replace(place, here)
            self._write(f"lib/{script.name}", text)
        self._write("sysupdate", SYSUPDATE.replace("DATA", f"{self.folder}/data"))
        self._write("bin/systemctl", SYSTEMCTL)
        self._write("bin/setpriv", "#!/bin/sh\nexit 0\n")

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def start(self, script: str, *words: str) -> subprocess.Popen:
        path = f"{self.folder}/bin:{self.board.programs}:{os.environ['PATH']}"
        with open(self.folder / "log", "ab") as log:
            return subprocess.Popen(
                [self.folder / "lib" / script, *words], stdout=log, stderr=log,
                env={**self.board.environment, "PATH": path})


def knows_versions(fleet) -> str:
    board = fleet.board
    board.ctl("stop")
    board.ctl("play")
    fleet.state(state="playing")
    script = Card(board).start("exhibition", "http://nowhere.example")
    try:
        _, told = fleet.wait("content", lambda text: json.loads(text)["latest"] == "exhibition_11", 40)
        assert json.loads(told)["exhibition"] == "none", told
        assert script.poll() is None
        board.ctl("stop")
        _, told = fleet.wait("content", lambda text: json.loads(text)["state"] == "installed", 40)
        assert json.loads(told)["exhibition"] == json.loads(told)["latest"] == "exhibition_11", told
        assert script.wait(10) == 0
    finally:
        script.kill()
    version = json.loads(fleet.last("info"))["version"]
    (board.versions / "software").write_text(f"{version} 99.0\n")
    fleet.wait("info", lambda text: json.loads(text).get("latest") == "99.0", 40)
    return ""

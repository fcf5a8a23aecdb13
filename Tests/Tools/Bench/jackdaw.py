"""Jackdaw on the simulated board, with a serial console: commands go there, the headphones are a key."""

import os
import pathlib
import re
import subprocess
import threading

from player import Player


class Jackdaw(Player):
    name = "Jackdaw"
    volume = 100
    settings = 'repeat = "queue"\n'

    def start(self) -> None:
        self.console, terminal = os.openpty()
        board = self._board(os.ttyname(terminal))
        settings = self.folder / "settings.toml"
        settings.write_text(f"start_volume = {self.volume}\nidle_reset = 0\n{self.settings}")
        self.log = self.folder / "events.log"
        self.launch(
            *self.prefix(), str(self.setting.jackdaw), "run", "--board", str(board), "--settings", str(settings),
            "--music", str(self.music), stdin=subprocess.PIPE, stdout=open(self.log, "wb"))
        os.close(terminal)
        threading.Thread(target=self._drain, daemon=True).start()
        self.wait_for(lambda: " boot " in self.log.read_text(), "boot")
        self.settle()

    def settle(self) -> None:
        self.key("h")
        self.wait_for(lambda: "to=headphones" in self.log.read_text(), "headphones")

    def prefix(self) -> list[str]:
        return []

    def _board(self, terminal: str) -> pathlib.Path:
        """The simulated board with a console, its headphones on one PCM and the rest on another."""
        text = (self.setting.top / "board/sim.toml").read_text()
        parts = re.split(r"(?m)^(?=\[)", text)
        for index, part in enumerate(parts):
            if part.startswith("[ports."):
                name = "main" if part.startswith("[ports.headphones]") else "other"
                parts[index] = re.sub(r'(?m)^pcm = .*$', f'pcm = "{name}"', part)
        path = self.folder / "board.toml"
        path.write_text("".join(parts) + f'\n[console]\ndevice = "{terminal}"\nspeed = 115200\n')
        return path

    def _drain(self) -> None:
        """A console that nobody reads would fill up."""
        try:
            while os.read(self.console, 4096):
                pass
        except OSError:
            pass

    def key(self, key: str) -> None:
        os.write(self.process.stdin.fileno(), key.encode())

    def say(self, command: str) -> None:
        os.write(self.console, f"{command}\n".encode())

    def play(self) -> None:
        self.say("play")

    def pause(self) -> None:
        self.say("pause")

    def resume(self) -> None:
        self.say("play")

    def stop(self) -> None:
        self.say("stop")

    def next(self) -> None:
        self.say("next")

    def seek(self) -> None:
        self.say("previous")

    def route(self) -> None:
        self.say("route speaker")

    def unplug(self) -> None:
        self.key("h")

    def plug(self) -> None:
        self.key("h")

    def close(self) -> None:
        super().close()
        os.close(self.console)

"""The players that Jackdaw is compared with, and how each takes commands."""

import json
import os
import socket
import subprocess
import threading

from player import Player


class Mpg123(Player):
    name = "mpg123"
    verbs = ("pause", "resume", "seek", "next", "stop")

    def start(self) -> None:
        self.fifo = self.folder / "fifo"
        self.launch("mpg123", "-R", "--fifo", str(self.fifo), "-a", "main", stdin=subprocess.DEVNULL)
        self.wait_for(self.fifo.exists, "FIFO")
        self.pipe = os.open(self.fifo, os.O_WRONLY)
        self.say("SILENCE")
        pause = f"echo PAUSE >'{self.fifo}'"
        self.watch(f"{pause};; *) {pause};")
        self.track = 0

    def say(self, command: str) -> None:
        os.write(self.pipe, f"{command}\n".encode())

    def play(self) -> None:
        self.say(f"LOAD {self.music / '1.mp3'}")

    def pause(self) -> None:
        self.say("PAUSE")

    resume = pause

    def stop(self) -> None:
        self.say("STOP")

    def next(self) -> None:
        self.track = (self.track + 1) % len(self.tracks)
        self.say(f"LOAD {self.music / str(self.track + 1)}.mp3")

    def seek(self) -> None:
        self.say("JUMP 0s")


class MPD(Player):
    name = "mpd"
    settings = ""  # further lines of its configuration

    def start(self) -> None:
        self._serve()
        for words in (["update", "--wait"], ["disable", "2"], ["add", "/"], ["repeat", "on"]):
            subprocess.run(["mpc", "-q", *words], env=self.environment, check=True, stdout=subprocess.DEVNULL)
        self.watch("mpc -q pause;; *) mpc -q play;")

    def restart(self) -> None:
        """Once it has ended, with what it saved."""
        (self.folder / "socket").unlink(missing_ok=True)
        self._serve()

    def _serve(self) -> None:
        path = self.folder / "socket"
        outputs = "".join(
            f'audio_output {{\ntype "alsa"\nname "{name}"\ndevice "{name}"\nmixer_type "none"\n}}\n'
            for name in ("main", "other"))
        configuration = self.folder / "mpd.conf"
        # Its default decoder, mad, takes 1.7 times as long.
        configuration.write_text(
            f'music_directory "{self.music}"\ndb_file "{self.folder}/db"\nbind_to_address "{path}"\n'
            f'log_file "{self.folder}/mpd.log"\n{self.settings}decoder {{\nplugin "mad"\nenabled "no"\n}}\n{outputs}')
        self.environment["MPD_HOST"] = str(path)
        self.launch("mpd", "--no-daemon", str(configuration), stdin=subprocess.DEVNULL)
        self.wait_for(path.exists, "socket")
        self.socket = socket.socket(socket.AF_UNIX)
        self.wait_for(lambda: self.socket.connect_ex(str(path)) == 0, "connection")
        self.socket.recv(100)

    def say(self, command: str) -> None:
        self.socket.sendall(f"{command}\n".encode())

    def play(self) -> None:
        self.say("play 0")

    def pause(self) -> None:
        self.say("pause 1")

    def resume(self) -> None:
        self.say("pause 0")

    def stop(self) -> None:
        self.say("stop")

    def next(self) -> None:
        self.say("next")

    def seek(self) -> None:
        self.say("seekcur 0")

    def route(self) -> None:
        self.say("command_list_begin\nenableoutput 1\ndisableoutput 0\ncommand_list_end")


class MPV(Player):
    name = "mpv"

    def start(self) -> None:
        path = self.folder / "socket"
        self.launch(
            "mpv", "--no-config", "--no-terminal", "--idle", "--no-video", "--ao=alsa", "--audio-device=alsa/main",
            "--audio-format=s16", "--audio-channels=stereo", "--loop-playlist", f"--input-ipc-server={path}",
            stdin=subprocess.DEVNULL)
        self.wait_for(path.exists, "socket")
        self.socket = socket.socket(socket.AF_UNIX)
        self.wait_for(lambda: self.socket.connect_ex(str(path)) == 0, "connection")
        threading.Thread(target=self._drain, daemon=True).start()

        def set_pause(value: str) -> str:
            return f"""echo '{{"command":["set_property","pause",{value}]}}' | socat - '{path}'"""

        self.watch(f"{set_pause('true')};; *) {set_pause('false')};")

    def _drain(self) -> None:
        try:
            while self.socket.recv(4096):
                pass
        except OSError:
            pass

    def say(self, *command) -> None:
        self.socket.sendall(json.dumps({"command": command}).encode() + b"\n")

    def play(self) -> None:
        self.say("loadfile", str(self.music / "1.mp3"))
        for track in sorted(self.music.iterdir())[1:]:
            self.say("loadfile", str(track), "append")

    def pause(self) -> None:
        self.say("set_property", "pause", True)

    def resume(self) -> None:
        self.say("set_property", "pause", False)

    def stop(self) -> None:
        self.say("stop")

    def next(self) -> None:
        self.say("playlist-next")

    def seek(self) -> None:
        self.say("seek", 0, "absolute")

    def route(self) -> None:
        self.say("set_property", "audio-device", "alsa/other")

"""What a player is to the benchmark: a program that plays to paced PCMs of its own and understands a few verbs.

Verbs go the shortest way into each program, so that what is timed is the program. `unplug` and `plug` are what happens
on a board today: Jackdaw has the sense line itself, the others have a shell loop behind `gpiomon`.
"""

import os
import pathlib
import subprocess
import time

import paced


class Setting:
    """Where a run takes place: the program under test, the plug-in, the music, and a folder for everything else."""

    def __init__(self, folder: pathlib.Path, top: pathlib.Path, jackdaw: pathlib.Path, plugin: pathlib.Path):
        self.folder, self.top, self.jackdaw, self.plugin = folder, top, jackdaw, plugin


class Player:
    name = ""
    traits = ""  # of the PCMs that it plays to
    behind = "%s"  # the plug-ins in front of them
    verbs = ("pause", "resume", "seek", "next", "stop", "route")

    def __init__(self, setting: Setting, tracks: list[pathlib.Path]):
        self.setting = setting
        self.tracks = tracks
        self.folder = setting.folder / f"{self.name}-{time.monotonic_ns()}"
        self.folder.mkdir()
        self.music = self.folder / "music"
        self.music.mkdir()
        for number, track in enumerate(tracks, 1):
            os.link(track, self.music / f"{number}{track.suffix}")
        self.main, self.other = (paced.PCM(self.folder, name, self.traits, self.behind) for name in ("main", "other"))
        # Several play at once, each with a state and a control socket of its own.
        self.environment = dict(
            os.environ, HOME=str(self.folder), XDG_STATE_HOME=str(self.folder), XDG_RUNTIME_DIR=str(self.folder))
        self.environment["ALSA_CONFIG_PATH"] = str(
            paced.configure(self.folder, setting.plugin, [self.main, self.other]))
        self.process: subprocess.Popen | None = None
        self.watcher: subprocess.Popen | None = None

    def __enter__(self) -> "Player":
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.close()

    @property
    def pid(self) -> int:
        return self.process.pid

    def launch(self, *command: str, **options) -> None:
        errors = open(self.folder / "errors.txt", "wb")
        options.setdefault("stdout", errors)
        self.process = subprocess.Popen(command, env=self.environment, stderr=errors, **options)

    def watch(self, loop: str) -> None:
        """What users wire behind gpiomon: it gets a line for every edge."""
        self.watcher = subprocess.Popen(
            ["bash", "-c", f"while read -r edge; do case $edge in falling) {loop}; esac; done"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)

    def unplug(self) -> None:
        os.write(self.watcher.stdin.fileno(), b"falling\n")

    def plug(self) -> None:
        os.write(self.watcher.stdin.fileno(), b"rising\n")

    def close(self) -> None:
        """Ends only the processes that were started here."""
        if self.watcher:
            self.watcher.stdin.close()
            self.watcher.wait(10)
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def timeline(self) -> paced.Timeline:
        return paced.Timeline(self.main)

    def wait_for(self, condition, what: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if self.process.poll() is not None or time.monotonic() > end:
                errors = (self.folder / "errors.txt").read_text(errors="replace")
                raise RuntimeError(f"{self.name}: no {what}: {errors[-500:]}")
            time.sleep(0.02)

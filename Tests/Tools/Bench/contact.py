"""Who is told of the contact of a jack: mpd by a script, and Jackdaw itself; with a card that can be pulled out.

The script is what people write for a contact on a pin: some lines of Python that call `mpc pause` when it opens and
`mpc play` when it closes. A pipe stands for the line, and the loops below do with its edges what the libraries do.
Jackdaw has the jack of a sound card (jack.c).
"""

import os
import pathlib
import subprocess
import sys

import headset
import players

CALLBACK = """
import os, select, subprocess, sys, time
bounce_time = float(sys.argv[1]) / 1000

def changed(edge):
    subprocess.run(["mpc", "-q", "play" if edge == b"rising" else "pause"])
"""
# RPi.GPIO calls back at an edge and passes over what comes within the bounce time (poll_thread in event_gpio.c).
IGNORES = CALLBACK + """
last = 0
while edges := os.read(0, 1000).split():
    for edge in edges:
        if time.monotonic() - last > bounce_time:
            last = time.monotonic()
            changed(edge)
"""
# gpiozero on lgpio has the kernel wait until the line has been steady for that time (gpio_set_debounce_micros).
WAITS = CALLBACK + """
last = b"rising"
while edges := os.read(0, 1000).split():
    while select.select([0], [], [], bounce_time)[0]:
        edges = os.read(0, 1000).split() or sys.exit()
    if edges[-1] != last:
        last = edges[-1]
        changed(last)
"""
SCRIPTS = {
    "RPi.GPIO, 200 ms": (IGNORES, "200"), "RPi.GPIO, 50 ms": (IGNORES, "50"), "gpiozero, 50 ms": (WAITS, "50"),
}


class Failing:
    """A player whose card can be pulled out."""

    @property
    def traits(self) -> str:
        return f'faults "{self.folder}/faults"'

    def start(self) -> None:
        os.mkfifo(self.folder / "faults")
        # It stays open, so that no line waits for a reader.
        self._faults = os.open(self.folder / "faults", os.O_RDWR)
        super().start()

    def befall(self, mishap: str) -> None:
        os.write(self._faults, f"{mishap}\n".encode())

    def close(self) -> None:
        super().close()
        os.close(self._faults)


class Scripted(Failing, players.MPD):
    def __init__(self, setting: players.Setting, tracks: list[pathlib.Path], script: str = "RPi.GPIO, 200 ms") -> None:
        super().__init__(setting, tracks)
        self._script = SCRIPTS[script]

    @property
    def settings(self) -> str:
        return f'state_file "{self.folder}/state"\n'

    def watch(self, loop: str) -> None:
        self.watcher = subprocess.Popen(
            [sys.executable, "-c", *self._script], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=self.environment)


class Wired(Failing, headset.WithJack):
    settings = players.Jackdaw.settings + "play_on_boot = true\n"

    def __init__(self, setting: players.Setting, tracks: list[pathlib.Path]) -> None:
        super().__init__(setting, tracks, is_there=False)

    def restart(self) -> None:
        os.close(self.console)
        players.Jackdaw.start(self)

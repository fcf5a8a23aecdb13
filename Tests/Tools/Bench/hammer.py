"""Everything at once, for minutes, on a card of a model: volumes, cues, pauses, skips, unplugs, and a card that stands still
for a moment. What was heard is then looked at as a whole."""

import contextlib
import pathlib
import random
import socket
import time

import heard
import paced
import players

CUE = "beep"
KEYS = 0.55  # s; those of the simulated board are half a second apart
STOPPED = 0.1  # s after an unplug in which the card may be cut


class HammeredJackdaw(players.Jackdaw):
    """On a model, whose mishaps come through a file, and with a cue."""

    model = ""
    cues: pathlib.Path
    faults: pathlib.Path

    @property
    def traits(self) -> str:
        return f'faults "{self.faults}"' + (f" model {self.model}" if self.model else "")

    @property
    def settings(self) -> str:
        return f'repeat = "queue"\ncue_folder = "{self.cues}"\nduck_level = {heard.DUCK}\nduck_fade_down = {heard.DUCK_FADE}\n'

    def start(self) -> None:
        super().start()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(self.folder / "jackdaw/control"))

    def say(self, command: str) -> None:
        """At the control socket: what a terminal gets passes through a thread of the kernel that waits its turn."""
        self.socket.sendall(f"{command}\n".encode())
        # The answers are of no interest, but nobody is to wait for their reader.
        with contextlib.suppress(BlockingIOError):
            while self.socket.recv(4096, socket.MSG_DONTWAIT):
                pass

    def close(self) -> None:
        super().close()
        self.socket.close()

    def stall(self, frames: int) -> None:
        with self.faults.open("a") as file:
            file.write(f"stall {frames}\n")


def hammer(player: HammeredJackdaw, seconds: float) -> list[tuple[str, float]]:
    """What was done, and when."""
    marks: list[tuple[str, float]] = []

    def do(verb: str, act, least: float = 0.003) -> None:
        marks.append((verb, time.monotonic()))
        act()
        time.sleep(max(least, random.choice((0.003, 0.04, 0.15, 0.7))))

    def turn() -> None:
        match random.randrange(12):
            case 0 | 1 | 2 | 3:
                level = random.randint(40, 100)
                do("volume", lambda: player.say(f"volume {level}"))
            # It comes by another way than the unplug, which it must not overtake.
            case 4: do("cue", lambda: player.say(f"cue {CUE}"), least=0.04)
            case 5: do("next", player.next)
            case 6: do("stall", lambda: player.stall(random.randint(1, 100)))
            case 7 | 8:
                do("pause", player.pause)
                do("resume", player.resume, least=0.04)
            case _:
                do("unplug", player.unplug, least=KEYS)
                do("plug", player.plug, least=KEYS)

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        turn()
    player.say("pause")
    time.sleep(0.5)
    return marks


def largest_step(timeline: paced.Timeline, marks: list[tuple[str, float]], gaps: list[float]) -> int:
    """Of all that was heard, but for the ends that unplugs cut (rows P12 and P14), and for those at `gaps`."""
    cuts = [at for verb, at in marks if verb == "unplug"]
    largest = 0
    for run in timeline.runs:
        samples = timeline.samples[2 * run.first : 2 * (run.first + run.frames)]
        if not samples:
            continue
        largest = max(largest, paced.largest_step(samples), *map(abs, samples[:2]))
        if run.stopped not in gaps and not any(at <= run.stopped <= at + STOPPED for at in cuts):
            largest = max(largest, *map(abs, samples[-2:]))
    return largest


def heard_elsewhere(player: players.Player) -> int:
    """How many samples that are not 0 the other port was sent."""
    return sum(1 for sample in paced.Timeline(player.other).samples if sample)

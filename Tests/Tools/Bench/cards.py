"""How fast and clean Jackdaw reacts on cards as their drivers are (Tests/Plugins/PacedPCM/models.c), one line a model."""

import array
import dataclasses
import math
import random
import time

import clicks
import music
import paced
import players
import steady
from figures import median, number

# All that take S16, behind the usual paced card, which gives back every frame that is not heard.
MODELS = ("", "i2s", "i2s-periods", "usb", "usb-queued", "virtio", "virtio-indirect", "bcm2835", "bluealsa")
PAUSE = 0.7  # s after each command, in which it is to be heard
GRAIN = 0.002  # s, to which the moment is known from which on a volume is heard
QUIET = 40  # volume: 30 dB below 100


@dataclasses.dataclass
class Column:
    """One figure of every model, with the goal for all of them."""

    key: str
    words: str
    goal: float


def columns(own_step: float, fade: float) -> list[Column]:
    return [
        Column("unplug", "unplug to silence, slowest, ms", 10),
        Column("pause", "pause to silence, slowest, ms", 30),
        Column("volume", "volume to heard, slowest, ms", 30),
        Column("click", "largest click, × the music", round(1 + fade / own_step, 2)),
        Column("wakes", "wake-ups playing, a second", 40),
        Column("underruns", "underruns", 0),
    ]


def measure(setting: players.Setting, progress, rounds: int, seconds: float) -> tuple[list, dict]:
    chord = music.chord(setting.folder / "cards.mp3", 60)
    decoded = array.array("h", music.decode(chord))[: 20 * music.RATE]
    own, fade = paced.largest_step(decoded), paced.fade_step(decoded, music.RATE)
    found = {}
    for model in MODELS:
        found[model or "usual"] = _one(setting, model, chord, own, rounds, seconds)
        progress(f"cards: {model or 'usual'} {found[model or 'usual']}")
    return [], {"models": found, "largest step of the music": own, "largest step of a fade": fade}


def _one(setting: players.Setting, model: str, chord, own: float, rounds: int, seconds: float) -> dict:
    kind = type("JackdawOnACard", (players.Jackdaw,), {"traits": f"model {model}" if model else ""})
    with kind(setting, [chord, chord]) as player:
        player.play()
        time.sleep(3)
        wakes, begin = steady.wakes(player.pid), time.monotonic()
        time.sleep(seconds)
        woken = (steady.wakes(player.pid) - wakes) / (time.monotonic() - begin)
        marks = _act(player, rounds)
    timeline = player.timeline()
    times = {verb: [] for verb in ("unplug", "pause", "volume")}
    steps = []
    for verb, at in marks:
        steps.append(paced.largest_step(timeline.window(at - clicks.BEFORE, at + PAUSE, music.RATE)) / own)
        late = _volume_heard(timeline, at) if verb == "volume" else _silent(timeline, at)
        if verb in times:
            times[verb].append(1000 * late)
    slowest = {verb: max(found) for verb, found in times.items()}
    return slowest | {"median unplug": median(times["unplug"]), "click": max(steps), "wakes": woken,
                      "underruns": timeline.underruns}


def _act(player: players.Jackdaw, rounds: int) -> list[tuple[str, float]]:
    """What was done, and when."""
    marks = []

    def do(verb: str, act) -> None:
        # At any phase of what the device does.
        time.sleep(PAUSE + random.uniform(0, 0.2))
        marks.append((verb, time.monotonic()))
        act()

    for _ in range(rounds):
        # The music that it is compared with is a second older.
        time.sleep(1)
        do("volume", lambda: player.say(f"volume {QUIET}"))
        do("louder", lambda: player.say("volume 100"))
        do("pause", player.pause)
        do("resume", player.resume)
        do("unplug", player.unplug)
        do("plug", player.plug)
    time.sleep(PAUSE)
    return marks


def _silent(timeline: paced.Timeline, at: float) -> float:
    """Seconds until the last sample was heard; 0 if nothing was."""
    last = timeline.last_sound(before=at + PAUSE)
    return max(0.0, last[0] - at) if last else 0.0


def _volume_heard(timeline: paced.Timeline, at: float) -> float:
    """Seconds until it is softer than a second before, which is when the chord was the same."""
    for step in range(round(PAUSE / GRAIN)):
        begin = at + step * GRAIN
        now, before = (_loudness(timeline, moment) for moment in (begin, begin - 1))
        if now < 0.9 * before:
            return begin + GRAIN - at
    return PAUSE


def _loudness(timeline: paced.Timeline, begin: float) -> float:
    samples = timeline.window(begin, begin + GRAIN, music.RATE)
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples))


def table(raw: dict, is_markdown: bool = False) -> str:
    wanted = columns(raw["largest step of the music"], raw["largest step of a fade"])
    rows = [["card", *(column.words for column in wanted)]]
    for model, found in raw["models"].items():
        cells = [number(found[column.key]) + (" MISSED" if found[column.key] > column.goal else "") for column in wanted]
        rows.append([model, *cells])
    rows.append(["goal", *(f"≤ {column.goal:g}" for column in wanted)])
    if is_markdown:
        rows.insert(1, ["---"] + ["---:"] * len(wanted))
        return "".join("| " + " | ".join(row) + " |\n" for row in rows)
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return "".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) + "\n" for row in rows)

"""How fast and clean Jackdaw reacts on cards as their drivers are (Tests/Plugins/PacedPCM/models.c), one line a model."""

import array
import dataclasses
import math
import random
import time

import clicks
import hammer
import music
import paced
import players
import standstill
import steady
from figures import median, number

@dataclasses.dataclass
class Card:
    """A model, and what it adds whatever the firmware does, in ms."""

    model: str
    keeps: float = 0  # on its way behind the buffer: `in_flight` or `latency`
    stops: float = 0  # from the command to stop it to silence: `stop_delay`


# All that take S16, behind the usual paced card, which gives back every frame that is not heard.
CARDS = (
    Card(""), Card("i2s"), Card("i2s-periods"), Card("usb", keeps=18), Card("usb-queued", keeps=18), Card("virtio"),
    Card("virtio-indirect"), Card("bcm2835", stops=10), Card("bluealsa", keeps=38.2),
)
PAUSE = 0.7  # s after each command, in which it is to be heard
GRAIN = 0.002  # s, to which the moment is known from which on a volume is heard
QUIET = 40  # volume: 30 dB below 100


@dataclasses.dataclass
class Column:
    """One figure of every model, with the goal for all of them."""

    key: str
    words: str
    goal: float | None = None
    own: str = ""  # what the card adds to the goal

    def limit(self, card: dict) -> float | None:
        """The goal for a card; None: the figure is only shown."""
        if self.goal is None:
            return None
        own = card[self.own] if self.own else 0
        # A card that takes longer to stop is silent as soon as it has stopped, and the firmware has 1 ms to order it.
        return max(self.goal, own + 1) if self.own == "stops" else self.goal + own


def columns(own_step: float, fade: float) -> list[Column]:
    return [
        Column("keeps", "kept behind the buffer, ms"),
        Column("stops", "stops within, ms"),
        Column("unplug", "unplug to silence, slowest, ms", 10, "stops"),
        # 30 ms to the first frame that it changes, and its fade.
        Column("pause", "pause to silence, slowest, ms", 30 + 1000 * paced.FADE, "keeps"),
        Column("volume", "volume to heard, slowest, ms", 30, "keeps"),
        Column("click", "largest click but at unplugs, × the music", round(1 + fade / own_step, 2)),
        Column("cut", "step at the unplug, × the music"),
        Column("wakes", "wake-ups playing, a second", 40),
        Column("actions", "done to it meanwhile"),
        Column("deepened", "queue deepened, times"),
        Column("still", "the machine stood still, longest, ms"),
        Column("late", "underruns just then"),
        Column("underruns", "other underruns", 0),
        Column("elsewhere", "samples on another port", 0),
    ]


def measure(setting: players.Setting, progress, rounds: int, seconds: float, minutes: float) -> tuple[list, dict]:
    """`minutes` for each card, in which everything is done to it at once."""
    # No track ends by itself, as those of the chord do that are skipped.
    chord = music.chord(setting.folder / "cards.mp3", round(60 * minutes + 60 * rounds))
    (setting.folder / "cues").mkdir()
    # So soft that nothing is louder with it, as the music is lowered for it.
    music.tone(setting.folder / f"cues/{hammer.CUE}.wav", 440, 1, peak=3_000)
    decoded = array.array("h", music.decode(chord))[: 20 * music.RATE]
    own, fade = paced.largest_step(decoded), paced.fade_step(decoded, music.RATE)
    found = {}
    for card in CARDS:
        name = card.model or "usual"
        figures = _one(setting, card.model, chord, own, rounds, seconds, minutes)
        found[name] = {"keeps": card.keeps, "stops": card.stops} | figures
        progress(f"cards: {name} {found[name]}")
    return [], {"models": found, "largest step of the music": own, "largest step of a fade": fade}


def _one(setting: players.Setting, model: str, chord, own: float, rounds: int, seconds: float, minutes: float) -> dict:
    faults = setting.folder / f"{model}.faults"
    faults.touch()
    kind = type("JackdawOnACard", (hammer.HammeredJackdaw,), {
        "model": model, "cues": setting.folder / "cues", "faults": faults})
    with standstill.Standstills() as standstills, kind(setting, [chord, chord]) as player:
        player.play()
        time.sleep(3)
        wakes, begin = steady.wakes(player.pid), time.monotonic()
        time.sleep(seconds)
        woken = (steady.wakes(player.pid) - wakes) / (time.monotonic() - begin)
        marks = _act(player, rounds)
        hammered = hammer.hammer(player, 60 * minutes)
    timeline = player.timeline()
    times = {verb: [] for verb in ("unplug", "pause", "volume")}
    # At an unplug a card may be cut, which nobody hears: its step is no click (rows P12 and P14).
    steps, cuts = [], []
    for verb, at in marks:
        step = paced.largest_step(timeline.window(at - clicks.BEFORE, at + PAUSE, music.RATE)) / own
        (cuts if verb == "unplug" else steps).append(step)
        late = _volume_heard(timeline, at) if verb == "volume" else _silent(timeline, at)
        if verb in times:
            times[verb].append(1000 * late)
    slowest = {verb: max(found) for verb, found in times.items()}
    late = sum(map(standstills.explains, timeline.underruns))
    click = max(*steps, hammer.largest_step(timeline, marks + hammered) / own)
    return slowest | {"median unplug": median(times["unplug"]), "click": click, "cut": max(cuts), "wakes": woken,
                      "actions": len(hammered), "deepened": player.log.read_text().count(" output.deepened "),
                      "still": 1000 * standstills.longest, "late": late, "underruns": len(timeline.underruns) - late,
                      "elsewhere": hammer.heard_elsewhere(player)}


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


def _cell(column: Column, found: dict) -> str:
    limit = column.limit(found)
    return number(found[column.key]) + (" MISSED" if limit is not None and found[column.key] > limit else "")


def _goal(column: Column) -> str:
    if column.goal is None:
        return ""
    return f"≤ {column.goal:g}" + {"": "", "keeps": " + kept", "stops": ", or 1 + stop"}[column.own]


def table(raw: dict, is_markdown: bool = False) -> str:
    wanted = columns(raw["largest step of the music"], raw["largest step of a fade"])
    rows = [["card", *(column.words for column in wanted)]]
    for model, found in raw["models"].items():
        rows.append([model, *(_cell(column, found) for column in wanted)])
    rows.append(["goal", *(_goal(column) for column in wanted)])
    if is_markdown:
        rows.insert(1, ["---"] + ["---:"] * len(wanted))
        return "".join("| " + " | ".join(row) + " |\n" for row in rows)
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return "".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) + "\n" for row in rows)

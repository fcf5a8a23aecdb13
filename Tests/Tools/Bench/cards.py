"""How fast and clean Jackdaw reacts on cards as their drivers are (Tests/Plugins/PacedPCM/models.c), one line a model."""

import array
import dataclasses
import math
import pathlib
import random
import re
import shutil
import tempfile
import time

import clicks
import hammer
import heard
import music
import paced
import players
import standstill
import steady
from figures import number

@dataclasses.dataclass
class Card:
    """A model, and what it adds whatever the firmware does, in ms."""

    model: str
    keeps: float = 0  # on its way behind the buffer: `in_flight` or `latency`
    stops: float = 0  # from the command to stop it to silence: `stop_delay`
    behind: str = "%s"  # the plug-ins in front of it

    @property
    def name(self) -> str:
        return self.model or "usual"


# As `hdmi:` of libasound does for the card vc4-hdmi.
SCREEN = "type iec958 slave { format IEC958_SUBFRAME_LE pcm { %s } } hdmi_mode true"
# All that can be opened, behind the usual paced card, which gives back every frame that is not heard.
CARDS = (
    Card(""), Card("i2s"), Card("i2s-periods"), Card("hdmi", behind=SCREEN), Card("usb", keeps=18),
    Card("usb-queued", keeps=18), Card("virtio"), Card("virtio-indirect"), Card("bcm2835", stops=10),
    Card("bluealsa", keeps=38.2),
)
# What a card records must not wait for a disk, as the thread that plays would.
MEMORY = pathlib.Path("/dev/shm")
QUEUE = 29.9  # ms of a card that cannot be rewound, on a machine that is never late (row P14)
CUE_OVER = 2.5  # s from a cue until the music has been as loud as before for a second
# What is measured at a command, if it is not called like it: a cue ducks the music.
AT = {"unplug": ("unplug", "told"), "cue": ("duck", "cue")}
TIMED = {
    "unplug": heard.silent, "told": heard.told, "pause": heard.silent, "volume": heard.quieter, "duck": heard.ducked,
    "cue": heard.cue,
}


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
        if self.own == "keeps":
            own += card["deeper"]
        # A card that takes longer to stop is silent as soon as it has stopped, and the firmware has 1 ms to order it.
        return max(self.goal, own + 1) if self.own == "stops" else self.goal + own


def columns(own_step: float, fade: float) -> list[Column]:
    return [
        Column("keeps", "kept behind the buffer, ms"),
        Column("stops", "stops within, ms"),
        Column("told", "unplug to silence or its stop, slowest, ms", 10),
        Column("unplug", "unplug to silence, slowest, ms", 10, "stops"),
        # 30 ms to the first frame that it changes, and its fade.
        Column("pause", "pause to silence, slowest, ms", 30 + 1000 * paced.FADE, "keeps"),
        Column("volume", "volume to heard, slowest, ms", 30, "keeps"),
        Column("duck", "cue to ducked, slowest, ms", 30, "keeps"),
        Column("cue", "cue to heard, slowest, ms", 30, "keeps"),
        Column("click", "largest click but at unplugs, × the music", round(1 + fade / own_step, 2)),
        Column("cut", "step at the unplug, × the music"),
        Column("wakes", "wake-ups playing, a second", 40),
        Column("actions", "done to it meanwhile"),
        Column("deeper", "queue deepened by, ms"),
        Column("still", "the machine stood still, longest, ms"),
        Column("late", "underruns just then"),
        Column("underruns", "other underruns", 0),
        Column("elsewhere", "samples on another port", 0),
    ]


def measure(
        setting: players.Setting, progress, rounds: int, seconds: float, minutes: float, names: list[str]) -> tuple[list, dict]:
    """`minutes` for each card of these names, or for all, in which everything is done to it at once."""
    if unknown := set(names) - {card.name for card in CARDS}:
        raise SystemExit(f"--card {', '.join(unknown)}: expected one of {', '.join(card.name for card in CARDS)}")
    with tempfile.TemporaryDirectory(prefix="jackdaw-cards-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        setting = players.Setting(pathlib.Path(folder), setting.top, setting.jackdaw, setting.plugin)
        return [], _measure(setting, progress, rounds, seconds, minutes, names)


def _measure(
        setting: players.Setting, progress, rounds: int, seconds: float, minutes: float, names: list[str]) -> dict:
    # No track ends by itself, as those of the chord do that are skipped.
    chord = music.chord(setting.folder / "cards.mp3", round(60 * minutes + 60 * rounds))
    (setting.folder / "cues").mkdir()
    music.tone(setting.folder / f"cues/{hammer.CUE}.wav", heard.CUE, 1, peak=heard.CUE_PEAK)
    decoded = array.array("h", music.decode(chord))[: 20 * music.RATE]
    own, fade = paced.largest_step(decoded), paced.fade_step(decoded, music.RATE)
    found = {}
    for card in CARDS:
        if names and card.name not in names:
            continue
        figures = _one(setting, card, chord, own, rounds, seconds, minutes)
        found[card.name] = {"keeps": card.keeps, "stops": card.stops} | figures
        progress(f"cards: {card.name} {found[card.name]}")
    return {"models": found, "largest step of the music": own, "largest step of a fade": fade}


def _one(setting: players.Setting, card: Card, chord, own: float, rounds: int, seconds: float, minutes: float) -> dict:
    faults = setting.folder / f"{card.name}.faults"
    faults.touch()
    kind = type("JackdawOnACard", (hammer.HammeredJackdaw,), {
        "model": card.model, "behind": card.behind, "cues": setting.folder / "cues", "faults": faults})
    with standstill.Standstills() as standstills, kind(setting, [chord, chord]) as player:
        player.play()
        time.sleep(3)
        wakes, begin = steady.wakes(player.pid), time.monotonic()
        time.sleep(seconds)
        woken = (steady.wakes(player.pid) - wakes) / (time.monotonic() - begin)
        with standstill.promptly():
            marks = _act(player, rounds)
            hammered = hammer.hammer(player, 60 * minutes)
    timeline = player.timeline()
    dry = list(filter(timeline.is_cut, timeline.underruns))
    gaps = list(filter(standstills.explains, dry))
    queues = [float(found) for found in re.findall(r" output\.deepened queued=(\S+)", player.log.read_text())]
    found = _reactions(timeline, standstills, marks, hammered) | _steps(timeline, marks, hammered, gaps, own) | {
        "wakes": woken, "actions": len(hammered), "deeper": max([0.0, *(1000 * queue - QUEUE for queue in queues)]),
        "still": 1000 * standstills.longest, "late": len(gaps), "underruns": len(dry) - len(gaps),
        "elsewhere": hammer.heard_elsewhere(player)}
    shutil.rmtree(player.folder)
    return found


def _reactions(timeline: paced.Timeline, standstills: standstill.Standstills, marks: list, hammered: list) -> dict:
    """The slowest, in ms."""
    times: dict[str, list[float]] = {name: [] for name in TIMED}

    def note(name: str, at: float, **more) -> None:
        late = TIMED[name](timeline, at, **more)
        # Unless nobody could have done anything meanwhile, or the music that it is compared with has a gap.
        if not standstills.delay(at, at + late) and not any(abs(gap - at) < 1.2 for gap in timeline.underruns):
            times[name].append(1000 * late)

    for verb, at in marks:
        for name in TIMED.keys() & AT.get(verb, (verb,)):
            note(name, at)
    for verb, at in hammered:
        # Before a start is heard, the model alone decides what is.
        if verb == "unplug" and not any(run.started <= at < run.begin for run in timeline.runs):
            for name in AT[verb]:
                note(name, at, within=hammer.KEYS)
    return {name: max(found, default=math.nan) for name, found in times.items()}


def _steps(timeline: paced.Timeline, marks: list, hammered: list, gaps: list[float], own: float) -> dict:
    """The largest, against the music's own; not those at `gaps`, where the machine stood still and the card ran dry."""
    # At an unplug a card may be cut, which nobody hears: its step is not a click (rows P12 and P14).
    steps, cuts = [], []
    for verb, at in marks:
        if not any(-clicks.BEFORE <= gap - at <= heard.PAUSE for gap in gaps):
            step = paced.largest_step(timeline.window(at - clicks.BEFORE, at + heard.PAUSE, music.RATE)) / own
            (cuts if verb == "unplug" else steps).append(step)
    click = max([*steps, hammer.largest_step(timeline, marks + hammered, gaps) / own])
    return {"click": click, "cut": max(cuts, default=math.nan)}


def _act(player: players.Jackdaw, rounds: int) -> list[tuple[str, float]]:
    """What was done, and when."""
    marks = []

    def do(verb: str, act) -> None:
        # At any phase of what the device does.
        time.sleep(heard.PAUSE + random.uniform(0, 0.2))
        marks.append((verb, time.monotonic()))
        act()

    for _ in range(rounds):
        # The music that it is compared with is a second older.
        time.sleep(1)
        do("cue", lambda: player.say(f"cue {hammer.CUE}"))
        time.sleep(CUE_OVER)
        do("volume", lambda: player.say(f"volume {heard.QUIET}"))
        do("louder", lambda: player.say("volume 100"))
        do("pause", player.pause)
        do("resume", player.resume)
        do("unplug", player.unplug)
        do("plug", player.plug)
    time.sleep(heard.PAUSE)
    return marks


def _cell(column: Column, found: dict) -> str:
    limit = column.limit(found)
    return number(found[column.key]) + (" MISSED" if limit is not None and found[column.key] > limit else "")


def _goal(column: Column) -> str:
    if column.goal is None:
        return ""
    return f"≤ {column.goal:g}" + {"": "", "keeps": " + kept + deeper", "stops": ", or 1 + stop"}[column.own]


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

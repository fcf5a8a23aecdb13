"""Scenarios of the simulator (board/sim/README.md has their language), as far as hands at a real board can do their steps.

A step takes place within tens of milliseconds of its time. So what has to happen within milliseconds of something else is
left to the simulator, and so is the place of every frame: of the golden log, the events are compared, in their order and
with all fields that are no times and no places.
"""

import dataclasses
import pathlib
import re
import shlex

from event_log import Event, parse

SENSES = {"headphones": "JACK_SENSE", "dock": "DOCK_SENSE", "line-out": "DOCK_SENSE"}
PORTS = {"dock": "line-out"}  # as the console calls it
BUTTONS = {"play": "BTN_PLAY", "stop": "BTN_STOP", "next": "BTN_NEXT", "previous": "BTN_PREVIOUS", "volume-up": "BTN_VOL_UP"}
# What the status says; sound and what makes it audible are measured by the other checks.
STATUS = ("state", "hold", "route", "prompt", "volume", "track")
LEFT_OUT = ("sound", "silence", "lamp", "amplifier", "duck")
# s
QUICK = 0.2  # hands and a console are not quicker
DECIDED = 0.049  # by then, contacts have been debounced
PRESS = 0.1
LONGEST = 45
# What only a real card gives cause for.
OF_THE_CARD = ("output.deepened",)
TIMES_AND_PLACES = {"edge", "frame", "uptime", "played", "writes", "took"}


class Impossible(Exception):
    """What a board cannot do."""


@dataclasses.dataclass
class Step:
    at: float  # s from the start
    verb: str
    words: list[str]


def read(path: pathlib.Path) -> list[Step]:
    """Raises Impossible where a board cannot do it, and says what."""
    for ending, what in ((".board.toml", "board"), (".toml", "settings")):
        if path.with_name(path.stem + ending).exists():
            raise Impossible(f"it has {what} of its own")
    steps, now = [], 0.0
    for line in path.read_text().splitlines():
        words = shlex.split(line, comments=True)
        if words:
            now = seconds(words[1]) + (now if words[0] == "after" else 0)
            steps.append(Step(now, words[2], words[3:]))
    for step in steps:
        _examine(step)
    # What happens while a button is held down happens then.
    for press in [step for step in steps if step.verb == "press"]:
        held = seconds(press.words[2]) if len(press.words) > 1 else PRESS
        steps.append(Step(press.at + held, "release", press.words[:1]))
    steps.sort(key=lambda step: step.at)
    if steps[-1].at > LONGEST:
        raise Impossible(f"it takes {steps[-1].at:.0f} s")
    done = [step for step in steps if step.verb != "release"]
    for one, next_one in zip(done, done[1:]):
        apart = next_one.at - one.at
        # What is looked for is still there a little later.
        quick = DECIDED if next_one.verb == "expect" else QUICK
        if one.verb not in ("expect", "end") and 0 < apart < quick:
            raise Impossible(f"two steps are {1000 * apart:.0f} ms apart")
    return steps


def _examine(step: Step) -> None:
    words = step.words
    if step.verb in ("plug", "unplug"):
        if words[0] not in SENSES or len(words) > 1:
            raise Impossible(f"`{step.verb} {' '.join(words)}` takes place within milliseconds" if len(words) > 1
                             else f"it has no {words[0]}")
    elif step.verb == "press":
        if words[0] not in BUTTONS:
            raise Impossible(f"it has no button {words[0]}")
    elif step.verb == "expect":
        for name, _ in conditions(words):
            if name not in (*STATUS, *LEFT_OUT, "event"):
                raise Impossible(f"it cannot look for `{name}`")
    elif step.verb not in ("route", "console", "end"):
        raise Impossible(f"`{step.verb}` is done to the simulator only")


def seconds(text: str) -> float:
    found = re.fullmatch(r"([\d.]+)(ms|s|m|min|h)", text)
    if not found:
        raise Impossible(f"{text} is a time of day")
    return float(found[1]) * {"ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600}[found[2]]


def conditions(words: list[str]) -> list[tuple[str, list[str]]]:
    """What an `expect` has: names, and what each expects; an event has fields after its name."""
    found: list[tuple[str, list[str]]] = []
    place = 0
    while place < len(words):
        name, values = words[place], words[place + 1:place + 2]
        place += 2
        while place < len(words) and "=" in words[place]:
            values.append(words[place])
            place += 1
        found.append((name, values))
    return found


def comparable(lines: list[str]) -> list[str]:
    """Of a log from its first route on, what a board and the simulator have in common."""
    events = [event for event in map(parse, lines) if event]
    begin = next((place for place, event in enumerate(events) if event.name == "route.initial"), 0)
    return [_text(event) for event in events[begin:]
            if event.level != "debug" and event["command"] != "status" and event.name not in OF_THE_CARD]


def _text(event: Event) -> str:
    return " ".join([event.level, event.name, *(
        f"{key}={value}" for key, value in event.fields.items() if key not in TIMES_AND_PLACES)])

"""The largest step between two samples around every cut, against the largest step of the music itself.

No cut is to step further than the music and a fade of 4 ms together: music that goes on while it fades moves by both.
"""

import array
import random
import time

import music
import paced
import players
from figures import Figure

BEFORE, AFTER = 0.02, 0.6  # s around a command in which its cuts are heard


def measure(setting: players.Setting, progress, rounds: int) -> tuple[list[Figure], dict]:
    chord = music.chord(setting.folder / "clicks.mp3", 20)
    decoded = array.array("h", music.decode(chord))
    own = paced.largest_step(decoded)
    goal = round(1 + paced.fade_step(decoded, music.RATE) / own, 2)
    verbs = players.Player.verbs
    worst: dict[str, dict[str, float]] = {verb: {} for verb in verbs}
    for turn in range(rounds):
        for kind in players.ALL:
            with kind(setting, [chord, chord]) as player:
                marks = _do(player)
            for verb, at in marks:
                steps = []
                for pcm in (player.main, player.other):
                    timeline = paced.Timeline(pcm)
                    steps.append(paced.largest_step(timeline.window(at - BEFORE, at + AFTER, music.RATE)))
                worst[verb][kind.name] = max(worst[verb].get(kind.name, 0), max(steps) / own)
        progress(f"clicks {turn + 1}/{rounds}: {worst}")
    figures = [Figure(f"click at {_words(verb)}", "× the music", worst[verb], goal=goal) for verb in verbs]
    return figures, {"largest step of the music": own, "ratios": worst}


def _words(verb: str) -> str:
    return {"seek": "seek", "next": "next track", "route": "route switch"}.get(verb, verb)


def _do(player: players.Player) -> list[tuple[str, float]]:
    player.play()
    time.sleep(1.2)
    marks = []
    for verb in player.verbs:
        time.sleep(0.7 + random.uniform(0, 0.3))
        marks.append((verb, time.monotonic()))
        getattr(player, verb)()
        time.sleep(AFTER)
        if verb == "stop":
            player.play()
    time.sleep(0.3)
    return marks

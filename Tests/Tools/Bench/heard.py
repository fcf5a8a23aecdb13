"""When a change is heard, in the recording of a card: seconds after it was ordered."""

import array
import math

import music
import paced

PAUSE = 0.7  # s after each command, in which it is to be heard
GRAIN = 0.001  # s, to which the moment is known from which on something is heard
LEAST = 0.9  # what it has to fall to, to be softer
QUIET, RAMP = 40, 0.02  # a volume 30 dB below 100, and s in which the firmware goes there, in a straight line
DUCK, DUCK_FADE = -12, 0.2  # dB and s, as the settings have them, too
CUE = 5_000  # Hz, far above the music
CUE_PEAK = 1_000  # so soft that nothing is louder with it, as the music is lowered for it


def silent(timeline: paced.Timeline, at: float, within: float = PAUSE) -> float:
    """Until the last sample was heard; 0 if nothing was."""
    last = timeline.last_sound(before=at + within)
    return max(0.0, last[0] - at) if last else 0.0


def told(timeline: paced.Timeline, at: float, within: float = PAUSE) -> float:
    """Until it is silent, or the card is told to stop, whichever comes first."""
    stops = [run.stopped - at for run in timeline.runs if run.started <= at < run.stopped]
    return min([silent(timeline, at, within), *stops])


def quieter(timeline: paced.Timeline, at: float) -> float:
    """Until it begins to fall to a volume of QUIET."""
    return _falling(timeline, at, (QUIET - 100) / 2, RAMP)


def ducked(timeline: paced.Timeline, at: float) -> float:
    """Until it begins to fall for a cue."""
    return _falling(timeline, at, DUCK, DUCK_FADE)


def _falling(timeline: paced.Timeline, at: float, decibels: float, ramp: float) -> float:
    """Until it is softer than a second before, which is when the chord was the same, less what a straight ramp takes to that."""

    def is_softer(begin: float) -> bool:
        return _loudness(_samples(timeline, begin)) < LEAST * _loudness(_samples(timeline, begin - 1))

    return _first(at, is_softer) - ramp * (1 - LEAST) / (1 - 10 ** (decibels / 20))


def cue(timeline: paced.Timeline, at: float) -> float:
    """Until the tone of the cue is heard, less what the music takes to fall before it."""
    # A sample less the mean of its neighbours: half of the cue's size is left of it, and a hundredth of the music's.
    least = 0.5 * CUE_PEAK / math.sqrt(2) * (1 - math.cos(2 * math.pi * CUE / music.RATE))

    def sounds(begin: float) -> bool:
        side = _samples(timeline, begin)[0::2]
        return _loudness([own - (before + after) / 2 for before, own, after in zip(side, side[1:], side[2:])]) > least

    return _first(at, sounds) - DUCK_FADE


def _first(at: float, is_heard) -> float:
    for step in range(round(PAUSE / GRAIN)):
        begin = at + step * GRAIN
        if is_heard(begin):
            return begin + GRAIN - at
    return PAUSE


def _samples(timeline: paced.Timeline, begin: float) -> array.array:
    return timeline.window(begin, begin + GRAIN, music.RATE)


def _loudness(samples) -> float:
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples))

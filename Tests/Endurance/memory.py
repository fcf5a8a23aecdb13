"""What a life leaves on the disk, as far as its log and its answers tell: what the next one may find there."""

import dataclasses
from typing import Any

from event_log import Event

RATE = 44_100
# Seconds. A state is written at the latest so long after a change, and then takes the storage no longer than the other.
SAVE = 2.0
WRITE = 1.0
# Between two answers it plays on.
BETWEEN = 0.5


@dataclasses.dataclass
class Sample:
    """The answer to one `status`."""

    at: float
    state: str
    track: int
    frame: int


@dataclasses.dataclass
class Restored:
    track: int
    frame: int
    volume: int


class Memory:
    def __init__(self, start: Restored) -> None:
        self.samples = [Sample(0, "stopped", start.track, start.frame)]
        # Of the loudspeaker, which is there after every start; and since when.
        self.volumes = [(0.0, start.volume)]
        self.saved = 0.0  # when the log said so last
        self.underway = ""  # a command that was not answered

    def note(self, at: float, status: dict[str, str]) -> None:
        track = int(status["track"].split("/")[0])
        self.samples.append(Sample(at, status["state"], track, int(status["frame"])))

    def note_log(self, events: list[Event]) -> None:
        """The whole log of the life, which tells what no answer does: a route changes between a command and a `status`."""
        saves = [event for event in events if event.name == "state.saved" and "error" not in event.fields]
        self.saved = saves[-1].at if saves else 0
        self.volumes += [(event.at, int(event["volume"])) for event in events
                         if event.name == "volume.changed" and event["port"] == "speaker"]

    def oldest(self, killed: float) -> float:
        """When the newest state on the disk may have been taken: after the last that is known to be there, and no earlier
        than `SAVE` before the end."""
        return max(self.saved - WRITE, killed - SAVE - WRITE, 0)

    def objection(self, found: Restored, killed: float) -> str | None:
        oldest = self.oldest(killed)
        verb, _, word = self.underway.partition(" ")
        volumes = set(since(oldest, self.volumes)) | ({int(word)} if verb == "volume" else set())
        if found.volume not in volumes:
            return f"volume {found.volume}, expected one of {sorted(volumes)}"
        places = [(sample.track, sample.frame) for sample in since(oldest, [(one.at, one) for one in self.samples])]
        if any(found.track == track and abs(found.frame - frame) <= BETWEEN * RATE for track, frame in places):
            return None
        # It plays on after the last answer, and a track may have ended or been left meanwhile.
        if found.frame <= BETWEEN * RATE and (verb in ("next", "previous", "stop") or len({one[0] for one in places}) > 1):
            return None
        return f"track {found.track} frame {found.frame}, expected one of {places}"

    def age(self, found: Restored, killed: float) -> float | None:
        """Seconds of music that were lost, where it played on to the end; negative where the answers are older."""
        last = self.samples[-1]
        if last.state != "playing" or last.track != found.track:
            return None
        return (last.frame - found.frame) / RATE + killed - last.at


def since(oldest: float, history: list[tuple[float, Any]]) -> list[Any]:
    """What was true then or later."""
    before = [value for at, value in history if at <= oldest]
    return before[-1:] + [value for at, value in history if at > oldest]

"""What a run leaves on the disk as far as its log and its replies show, and so what the next run may restore."""

import dataclasses
from typing import Any

from event_log import Event

RATE = 44_100
# Seconds: from a change until its save begins, at most, and for the save itself, at most.
SAVE = 2.0
WRITE = 1.0
# Seconds between two replies, in which it plays on.
BETWEEN = 0.5


@dataclasses.dataclass
class Sample:
    """The reply to one `status`."""

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
        # Since when, and the volume of the loudspeaker, which is the route after every start.
        self.volumes = [(0.0, start.volume)]
        self.saved = 0.0  # when the log last reported a save
        self.underway = ""  # a command without a reply so far

    def note(self, at: float, status: dict[str, str]) -> None:
        track = int(status["track"].split("/")[0])
        self.samples.append(Sample(at, status["state"], track, int(status["frame"])))

    def note_log(self, events: list[Event]) -> None:
        """Takes the whole log of the run, as replies miss volumes that change between a command and a `status`."""
        saves = [event for event in events if event.name == "state.saved" and "error" not in event.fields]
        self.saved = saves[-1].at if saves else 0
        self.volumes += [(event.at, int(event["volume"])) for event in events
                         if event.name == "volume.changed" and event["port"] == "speaker"]

    def oldest(self, killed: float) -> float:
        """The earliest instant that the newest state on the disk can be of: no earlier than the last save that is known,
        and no earlier than `SAVE` and `WRITE` before the kill."""
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
        # It plays on after the last reply; a track may have ended or been skipped meanwhile.
        if found.frame <= BETWEEN * RATE and (verb in ("next", "previous", "stop") or len({one[0] for one in places}) > 1):
            return None
        return f"track {found.track} frame {found.frame}, expected one of {places}"

    def age(self, found: Restored, killed: float) -> float | None:
        """Seconds of music that were lost, where it played until the kill; negative where the last reply is older."""
        last = self.samples[-1]
        if last.state != "playing" or last.track != found.track:
            return None
        return (last.frame - found.frame) / RATE + killed - last.at


def since(oldest: float, history: list[tuple[float, Any]]) -> list[Any]:
    """The values of the history that held at this instant or later."""
    before = [value for at, value in history if at <= oldest]
    return before[-1:] + [value for at, value in history if at > oldest]

"""What a firmware has counted when it was killed, against its log (N2)."""

import json
import pathlib
import subprocess

from event_log import Event

# Seconds for which a save may have been on its way before the log reports it.
SLACK = 1.0
# Seconds by which what is heard in a run may exceed what its log says: the fades sound beside the events.
FADES = 0.05
# Seconds that may pass from a start in the log to its first sound on a machine that is very busy: none of it is heard.
START = 0.5


class Counters:
    """Of one state folder, over the runs that follow one another."""

    def __init__(self, program: pathlib.Path, state: pathlib.Path) -> None:
        self.program = program
        self.state = state
        self.known = (0, 0)
        self.seconds = 0.0
        self.lost = 0  # starts that were not saved, of all runs
        self.heard = 0.0  # seconds, of all runs
        self.lost_seconds = 0.0  # of the run that lost most

    def check(self, events: list[Event], killed: float, interval: float) -> None:
        """After a kill: nothing is counted twice, and what was counted before the last save is there. Of what was heard at
        most one save interval is lost.

        - killed: when, by the firmware's clock.
        - interval: seconds, of the settings.
        """
        *found, seconds = self._read()
        saves = [event.at for event in events if event.name == "state.saved"]
        least = counted([event for event in events if saves and event.at < saves[-1] - SLACK])
        most = counted(events)
        for what, base, low, now, high in zip(("starts", "ends"), self.known, least, found, most):
            assert base + low <= now <= base + high, \
                f"{now} {what} are counted, expected {base + low} to {base + high}"
        self.lost += self.known[0] + most[0] - found[0]
        self.known = tuple(found)
        self._check_seconds(seconds, events, killed, interval)

    def _check_seconds(self, now: float, events: list[Event], killed: float, interval: float) -> None:
        least, most = heard(events, killed - interval - SLACK), heard(events, killed)
        starts = len([event for event in events if event.name in ("track.started", "playback.resumed")])
        low, high = self.seconds + least - FADES - START * starts, self.seconds + most + FADES
        assert low <= now <= high, f"{now:.3f} s are counted, expected {low:.3f} to {high:.3f}; killed at {killed:.3f} s"
        self.heard += most
        self.lost_seconds = max(self.lost_seconds, self.seconds + most - now)
        self.seconds = now

    def _read(self) -> tuple[int, int, float]:
        run = subprocess.run([self.program, "report", "--state", self.state, "--json"], capture_output=True, text=True)
        if run.returncode == 1 and "expected the state folder" in run.stderr:
            return (0, 0, 0.0)
        assert run.returncode == 0 and run.stderr == "", f"report ended with {run.returncode}: {run.stderr}"
        found = json.loads(run.stdout)["sum"]
        return (found["starts"], found["left"]["ended"], found["milliseconds"] / 1_000)


def counted(events: list[Event]) -> tuple[int, int]:
    """Starts and ends. What goes on in the middle of a track after a restart is no new start."""
    starts = [event for event in events if event.name == "track.started" and event.fields["frame"] == "0"]
    return (len(starts), len([event for event in events if event.name == "track.ended"]))


def heard(events: list[Event], until: float) -> float:
    """Seconds for which music sounded, by the firmware's clock."""
    total, since = 0.0, None
    for event in events:
        if event.at >= until:
            break
        if event.name in ("playback.started", "playback.resumed"):
            since = event.at if since is None else since
        elif event.name in ("playback.paused", "playback.stopped") and since is not None:
            total, since = total + event.at - since, None
    return total if since is None else total + max(0.0, until - since)

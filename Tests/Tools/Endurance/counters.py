"""What a firmware has counted when it was killed, against its log (N2)."""

import json
import pathlib
import subprocess

from event_log import Event

# Seconds for which a save may have been on its way before the log reports it.
SLACK = 1.0


class Counters:
    """Of one state folder, over the runs that follow one another."""

    def __init__(self, program: pathlib.Path, state: pathlib.Path) -> None:
        self.program = program
        self.state = state
        self.known = (0, 0)
        self.lost = 0  # starts that were not saved, of all runs

    def check(self, events: list[Event]) -> None:
        """After a kill: nothing is counted twice, and what was counted before the last save is there."""
        found = self._read()
        saves = [event.at for event in events if event.name == "state.saved"]
        least = counted([event for event in events if saves and event.at < saves[-1] - SLACK])
        most = counted(events)
        for what, base, low, now, high in zip(("starts", "ends"), self.known, least, found, most):
            assert base + low <= now <= base + high, \
                f"{now} {what} are counted, expected {base + low} to {base + high}"
        self.lost += self.known[0] + most[0] - found[0]
        self.known = found

    def _read(self) -> tuple[int, int]:
        run = subprocess.run([self.program, "report", "--state", self.state, "--json"], capture_output=True, text=True)
        if run.returncode == 1 and "nothing was counted yet" in run.stderr:
            return (0, 0)
        assert run.returncode == 0 and run.stderr == "", f"report ended with {run.returncode}: {run.stderr}"
        found = json.loads(run.stdout)["sum"]
        return (found["starts"], found["left"]["ended"])


def counted(events: list[Event]) -> tuple[int, int]:
    """Starts and ends. What goes on in the middle of a track after a restart is no new start."""
    starts = [event for event in events if event.name == "track.started" and event.fields["frame"] == "0"]
    return (len(starts), len([event for event in events if event.name == "track.ended"]))

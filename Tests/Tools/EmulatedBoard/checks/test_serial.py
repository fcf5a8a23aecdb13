"""K5 and K7: the serial console."""

import re

from checks import check
from event_log import parse


@check("K7", "commands are typed, and bad ones get one clear line")
def test_commands(bench):
    bench.type("volume 40")
    assert bench.status()["volume"] == "40"
    bench.type("play")
    bench.console.wait("playback.started", cause="user")
    bench.type("next")
    bench.console.wait("track.started", track="2")
    bench.ask("help", r"^volume N +")
    for command, expected in (("volume 400", "from 0 to 100"), ("rout speaker", "unknown command"),
                              ("route moon", "headphones")):
        bench.console.type(command)
        assert bench.console.wait("console.command", command=command)["error"]
        answer = bench.console.wait_text("^error: ")
        assert expected in answer, f"{command}: {answer}"
    bench.type("stop")
    bench.console.wait("playback.stopped")


@check("K7.1 K7.2 K7.4", "start plays and pauses nothing; the volume of a port that is out; what a page holds is said")
def test_verbs(bench):
    bench.type("start")
    bench.console.wait("playback.started", cause="user", route="speaker")
    bench.type("start")
    bench.type("volume headphones 35")
    bench.console.wait("volume.changed", port="headphones", volume="35")
    assert bench.status()["state"] == "playing"
    bench.plug("headphones")
    assert bench.status()["volume"] == "35"
    bench.board.lines.set("PAGE", 1)
    bench.console.wait("interruption.began", reason="page")
    bench.type("start")
    assert bench.console.wait_text("^error: ") == "error: start: held by page"
    bench.board.lines.set("PAGE", 0)
    bench.console.wait("playback.resumed", cause="interruption-ended")
    bench.type("stop")
    bench.unplug("headphones")


@check("K5", "every line of the log has a time that does not go back, a level and a name")
def test_log(bench):
    bench.play_on("headphones")
    bench.unplug("headphones")
    change = bench.console.wait("route.changed")
    for field in ("reason", "from", "to", "line", "edge", "frame"):
        assert change[field], f"no {field} in {change.text}"
    # The line that is just coming in has no end yet.
    lines = (bench.board.folder / "console.log").read_text(errors="replace").rpartition("\n")[0].splitlines()
    events = [event for event in map(parse, lines) if event]
    torn = [line for line in lines if re.match(r"\d+\.\d{6} ", line) and not parse(line)]
    assert not torn, torn[:3]
    back = [b.text for a, b in zip(events, events[1:]) if b.at < a.at and b.name != "boot"]
    assert not back, back[:3]
    return f"{len(events)} lines"

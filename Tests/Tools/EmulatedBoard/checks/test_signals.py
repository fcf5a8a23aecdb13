"""E: an output that follows what is heard, on a line of the GPIO chip."""

from checks import check


def levels(bench, seconds: float) -> list[int | None]:
    """The level of BUSY, as often as it can be read."""
    end, found = bench.now() + seconds, []
    while bench.now() < end:
        found.append(bench.board.lines.read("BUSY"))
    return found


@check("E1 E4", "the relay is on while music is heard: not before, not in a pause, and not after an unplug")
def test_heard(bench):
    busy = lambda: bench.board.lines.read("BUSY")
    assert busy() == 0, "on, and nothing has played yet"
    bench.play_on("headphones")
    assert busy() == 1, "off while music plays"
    bench.board.press("BTN_PLAY")
    bench.console.wait("playback.paused", cause="user")
    bench.board.wait(0.3)
    assert busy() == 0, "on in a pause"
    bench.board.press("BTN_PLAY")
    bench.console.wait("playback.resumed", cause="user")
    bench.board.wait(0.3)
    assert busy() == 1, "off after the pause"
    bench.unplug("headphones")
    bench.console.wait("prompt.shown")
    bench.board.wait(0.3)
    assert busy() == 0, "on, though the headphones are out"
    assert bench.status()["signals"] == "none"
    bench.plug("headphones")
    bench.console.wait("playback.resumed", cause="route-connected")
    bench.board.wait(0.3)
    assert busy() == 1, "off after the plug"
    assert bench.status()["signals"] == "BUSY"


@check("E2", "skips and seeks: the relay does not click")
def test_skips(bench):
    bench.play_on("headphones")
    found = []
    for command in ("next", "previous", "seek 20", "track 1", "seek +5"):
        bench.type(command)
        found += levels(bench, 0.4)
    assert set(found) == {1}, f"the relay was {found}"
    return f"read {len(found)} times"


@check("E5", "the firmware is killed: the next one begins with the relay off")
def test_killed(bench):
    bench.play_on("headphones")
    assert bench.board.lines.read("BUSY") == 1, "off while music plays"
    bench.board.run("kill -9 $(cat /run/service.pid)")
    bench.console.wait("boot")
    bench.board.wait(0.5)
    assert bench.board.lines.read("BUSY") == 0, "on after the start"

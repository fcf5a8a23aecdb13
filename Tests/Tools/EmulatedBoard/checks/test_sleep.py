"""R11: the system sleeps, and wakes up. After all else: its clock has then stood still, and that of `now()` has not."""

from Board import sound
from checks import check
from EmulatedBoard.bench import milliseconds

# s: a card that is stopped does not report how much of its last period it has played, so that is heard once more.
PERIOD = 0.050


def heard_again(bench):
    """How many frames of what was heard on the headphones before it slept were heard again afterwards."""
    parts = bench.headphones.stretches()
    assert len(parts) == 2, f"heard {parts}"
    again = -sound.gaps(parts)[0]
    assert -0.015 <= again / sound.RATE <= PERIOD + 0.030, f"{again} frames were heard again: {parts}"
    return f"{milliseconds(again):.1f} ms were heard again"


def woken(bench):
    """The log says that it slept, before any other change."""
    change = bench.console.wait("route.changed")
    assert change["reason"] == "wake-from-sleep" and change["from"] == change["to"], change.text
    return change


@check("R11", "it sleeps while it plays, and nothing moves meanwhile: logged, and it plays on where it was")
def test_undisturbed(bench):
    bench.play_on("headphones", 1)
    bench.board.sleep()
    change = woken(bench)
    assert change["to"] == "headphones", change.text
    bench.board.wait(1)
    bench.expect_nothing("route.changed", "playback.paused", "output.lost")
    assert bench.status()["state"] == "playing"
    return heard_again(bench)


@check("R11 R4 P1 P3", "headphones are pulled out while it sleeps: paused as by any unplug, and not a frame elsewhere")
def test_pulled(bench):
    bench.play_on("headphones", 1)
    bench.board.sleep(lambda: bench.board.lines.set("JACK_SENSE", 0))
    woken(bench)
    bench.console.wait("port.disconnected", port="headphones")
    change = bench.console.wait("route.changed", reason="old-device-unavailable")
    assert (change["from"], change["to"]) == ("headphones", "speaker"), change.text
    bench.console.wait("playback.paused", cause="route-lost")
    bench.board.wait(0.5)
    assert not bench.speaker.loudest(), "the speaker was heard"
    bench.plug("headphones")
    bench.console.wait("playback.resumed", cause="route-connected")
    bench.board.wait(0.8)
    return heard_again(bench)


@check("R11 R2 P6", "headphones are plugged in while it sleeps: a route change as by any plug, and it starts nothing")
def test_plugged(bench):
    bench.board.sleep(lambda: bench.board.lines.set("JACK_SENSE", 1))
    woke = woken(bench)
    assert woke["to"] == "speaker", woke.text
    change = bench.console.wait("route.changed", reason="new-device-available")
    assert (change["from"], change["to"]) == ("speaker", "headphones"), change.text
    # The kernel may know that it has been steady since before the firmware ran again.
    assert change.at - woke.at < 0.045, f"{woke.text}; {change.text}"
    bench.board.wait(0.5)
    bench.expect_nothing("playback.started", "playback.resumed")
    return f"{1000 * (change.at - woke.at):.1f} ms after it woke"

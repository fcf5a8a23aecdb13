"""K1 to K4: buttons."""

import time

from checks import check


@check("K1", "a press is one action, whatever the contact does")
def test_bouncing(bench):
    bench.plug("headphones")
    lines = bench.board.lines
    for level in (1, 0, 1, 0, 1):
        lines.set("BTN_PLAY", level)
        time.sleep(0.002)
    bench.board.wait(0.2)
    for level in (0, 1, 0, 1, 0):
        lines.set("BTN_PLAY", level)
        time.sleep(0.002)
    bench.board.wait(0.6)
    presses = bench.console.since_mark("button.pressed")
    started = bench.console.since_mark("playback.started")
    assert len(presses) == len(started) == 1, f"{[one.text for one in presses + started]}"
    bench.expect_nothing("playback.paused")


@check("K2", "volume held repeats faster and faster, and stops at the ceiling")
def test_held_volume(bench):
    bench.type("volume 30")
    bench.board.press("BTN_VOL_UP", 2.4)
    changes = bench.console.since_mark("volume.changed")
    assert changes[-1]["volume"] == "80", f"it ended at {changes[-1].text}"
    gaps = [after.at - before.at for before, after in zip(changes[1:], changes[2:])]
    assert len(gaps) > 5 and gaps[0] > 0.15 and gaps[-1] < 0.09, [f"{gap:.3f}" for gap in gaps]
    assert bench.status()["volume"] == "80"
    return f"{len(changes)} steps, from {1000 * gaps[0]:.0f} to {1000 * gaps[-1]:.0f} ms apart"


@check("K3 P9", "Play held is Next, pressed twice it is Previous")
def test_long_and_double(bench):
    bench.play_on("headphones", 0.3)
    bench.board.press("BTN_PLAY", 1.3)
    bench.console.wait("track.started", track="2")
    bench.board.wait(0.3)
    bench.board.press("BTN_PLAY", 0.08)
    bench.board.wait(0.08)
    bench.board.press("BTN_PLAY", 0.08)
    bench.console.wait("track.started", track="1")


@check("K4", "a button that is stuck is reported once, and ignored until it is released")
def test_stuck(bench):
    bench.board.lines.set("BTN_STOP", 1)
    stuck = bench.console.wait("line.stuck", line="BTN_STOP")
    bench.board.wait(4)
    bench.expect_nothing("line.stuck", "button.pressed")
    bench.board.lines.set("BTN_STOP", 0)
    bench.board.wait(0.3)
    bench.play_on("speaker", 0.2)
    bench.board.press("BTN_STOP")
    bench.console.wait("playback.stopped", cause="user")
    return stuck.text.split(" ", 1)[1]

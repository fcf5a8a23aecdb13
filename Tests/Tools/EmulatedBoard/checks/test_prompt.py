"""Q: what becomes of a question that nobody answers; K8."""

from checks import check
from EmulatedBoard.checks.test_playback import lose_headphones


@check("P4 Q4", "nobody answers within the window: ready for the next visitor, and a plug starts nothing")
def test_expired(bench):
    paused = lose_headphones(bench)
    expired = bench.console.wait("prompt.expired")
    bench.console.wait("playback.stopped")
    waited = expired.at - paused.at
    assert 5.9 <= waited <= 6.5, f"expired after {waited:.2f} s, expected 6 s"
    status = bench.status()
    assert status["prompt"] == "off" and status["track"].startswith("1/") and status["frame"] == "0", status
    bench.plug("headphones")
    bench.board.wait(1)
    bench.expect_nothing("playback.started", "playback.resumed")
    assert bench.status()["volume"] == "60", "the volume is not the start volume"
    return f"after {waited:.2f} s"


@check("K8", "nobody comes for a while: volume and track go back to the start")
def test_idle(bench):
    bench.type("volume 70")
    bench.type("next")
    begin = bench.now()
    bench.console.wait("volume.changed", patience=120, volume="60")
    passed = bench.now() - begin
    assert 11 <= passed <= 14, f"after {passed:.1f} s, expected 12 s"
    assert bench.status()["track"].startswith("1/")
    return f"after {passed:.1f} s"

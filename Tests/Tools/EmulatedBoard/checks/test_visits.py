"""V: one visitor after the other, through the contacts of dock and buttons, and how loud the next one hears the music."""

from Board import sound
from checks import check

GAP = 3  # s
DEBOUNCE = 0.03  # s


@check("V1 V2 V2.1 V3", "a visitor turns it up, stops and unplugs: back within the gap it is as loud, later as it was at the start")
def test_hung_up(bench):
    bench.restart_service(
        "cp /etc/jackdaw/jackdaw.toml /tmp/settings",
        f"sed -i 's/^visit_gap = .*/visit_gap = \"{GAP}s\"/' /etc/jackdaw/jackdaw.toml")
    try:
        return _visits(bench)
    finally:
        bench.restart_service("cp /tmp/settings /etc/jackdaw/jackdaw.toml")


def _visits(bench):
    bench.board.lines.set("DOCK_SENSE", 1)
    bench.console.wait("visit.began", by="plug")
    bench.console.wait("port.connected", port="line-out")
    start = _heard(bench)
    for volume in (65, 70, 75):
        bench.board.press("BTN_VOL_UP")
        bench.console.wait("volume.changed", port="line-out", volume=volume)
        bench.board.wait(0.1)  # A press sooner than the contact rests is none.
    turned = _heard(bench)
    assert turned > 1.2 * start, f"turned up it is as loud as {turned}, before {start}"
    with bench.without("visit.began", "visit.ended", "volume.changed"):
        _unplug(bench)
        bench.board.wait(GAP / 2)
        bench.plug("line-out")
        bench.board.wait(GAP + 1)
    assert _heard(bench) == turned, "whoever was back within the gap does not hear it as loud as before"
    left = _unplug(bench)
    ended = bench.console.wait("visit.ended", reason="hung-up")
    bench.console.wait("volume.changed", port="line-out", volume=60, cause="hung-up")
    waited = ended.at - left.at + DEBOUNCE
    assert GAP - 0.01 <= waited <= GAP + 0.3, f"the visit ended {waited:.3f} s after the edge, expected {GAP}"
    bench.board.lines.set("DOCK_SENSE", 1)
    bench.console.wait("visit.began", by="plug")
    bench.console.wait("port.connected", port="line-out")
    following = _heard(bench)
    assert following == start, f"the next visitor hears it as loud as {following}, the first one heard {start}"
    _unplug(bench)
    bench.console.wait("visit.ended", reason="hung-up")
    return f"the visit ended {waited:.3f} s after the edge; samples up to {start}, turned up {turned}, the next one {following}"


def _heard(bench):
    """Plays for a moment and stops; returns the largest sample that was heard at the dock meanwhile."""
    bench.loop_back.begin()
    bench.play(0.8)
    bench.board.press("BTN_STOP")
    bench.console.wait("playback.stopped", cause="user")
    return sound.loudest(bench.loop_back.end().frames)


def _unplug(bench):
    bench.board.lines.set("DOCK_SENSE", 0)
    return bench.console.wait("port.disconnected", port="line-out")

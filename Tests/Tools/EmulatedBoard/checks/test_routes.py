"""R: plugs, and where sound goes."""

import time

from Board import sound
from checks import check
from EmulatedBoard.bench import milliseconds
from EmulatedBoard.probe import TICK

FADE = 0.005  # s: what R3 allows
SILENT = 0.010  # s: from the edge, by the kernel's clock, to the last sound


@check("R2", "a plug counts once it has been steady for 30 ms")
def test_plug(bench):
    bench.plug("headphones")
    change = bench.console.wait("route.changed", reason="new-device-available")
    assert (change["from"], change["to"]) == ("speaker", "headphones"), change.text
    steady = change.at - change.number("edge")
    assert 0.030 <= steady < 0.045, f"decided {1000 * steady:.1f} ms after the edge: {change.text}"
    return f"decided {1000 * steady:.1f} ms after the edge"


@check("R3 R4 P1", "the dock is pulled out: silent within 10 ms of the edge, by the kernel's clock")
def test_silence(bench):
    bench.loop_back.begin()
    bench.play_on("line-out")
    marks = []
    for turn in range(4):
        # Not always at the same place of the device's buffer.
        bench.board.wait(0.5 + 0.07 * turn)
        bench.unplug("line-out")
        change = bench.console.wait("route.changed", reason="old-device-unavailable", to="speaker")
        paused = bench.console.wait("playback.paused", cause="route-lost")
        bench.board.wait(0.5)
        marks.append((change.number("edge"), paused))
        bench.plug("line-out")
        bench.console.wait("playback.resumed", cause="route-connected")
    bench.board.wait(0.5)
    heard = bench.loop_back.end()
    delays = [heard.last_sound(before=edge + 0.45) - edge for edge, _ in marks]
    assert all(delay <= SILENT + TICK for delay in delays), f"silent {_list(delays)} ms after the edges"
    held = [_held_wrongly(bench, heard, edge, paused) for edge, paused in marks]
    assert all(abs(error) <= 2 * TICK for error in held), f"held {_list(held)} ms beside what was heard at the edges"
    return f"last sound {_list(delays)} ms after the edge; held {_list(held)} ms beside the frame heard there"


def _held_wrongly(bench, heard, edge, paused):
    """By how many seconds the frame that the log says was held differs from the one heard at the edge."""
    place = heard.frame_at(edge) - sound.RATE // 10
    part = sound.stretches(heard.frames[2 * place:2 * (place + sound.RATE // 20)], bench.tracks)
    assert part, "nothing was heard before the edge"
    at_edge = part[0].begin + sound.RATE // 10 - part[0].place
    return (paused.number("frame") - at_edge) / sound.RATE


def _list(seconds):
    return " ".join(f"{1000 * one:.1f}" for one in seconds)


@check("R3", "headphones are pulled out: nothing of what they played comes out of the speaker")
def test_leak(bench):
    bench.play_on("headphones")
    bench.unplug("headphones")
    bench.console.wait("playback.paused", cause="route-lost")
    bench.board.wait(2)
    # Play goes on there: what was heard before that must be nothing.
    bench.board.press("BTN_PLAY")
    resumed = bench.console.wait("playback.resumed", route="speaker")
    bench.board.wait(1)
    parts = bench.speaker.stretches()
    assert parts, "the speaker did not go on"
    early, begin = bench.speaker.loudest(before=parts[0]), parts[0].begin
    # The fade-in may begin with a few frames of silence.
    assert 0 <= begin - resumed.number("frame") <= FADE * sound.RATE and not early, (
        f"the speaker began at frame {begin}, went on from {resumed['frame']}; before: {early}")
    return f"its first frame is {begin}, held was {resumed['frame']}"


@check("R5", "a contact bounces: sound goes on from the held frame")
def test_bounce(bench):
    bench.play_on("headphones")
    # The host may be too slow for a gap below 30 ms; then it was not a bounce, and is tried again.
    for _ in range(8):
        bench.console.mark()
        bench.board.lines.set("JACK_SENSE", 0)
        time.sleep(0.008)
        bench.board.lines.set("JACK_SENSE", 1)
        bench.board.wait(0.3)
        if bounced := bench.console.since_mark("line.bounced"):
            bench.expect_nothing("route.changed", "playback.paused")
            bench.board.wait(0.5)
            parts = bench.headphones.stretches()
            missing = sound.largest_gap(parts)
            assert missing <= 0.015 * sound.RATE, f"{missing} frames are missing: {parts}"
            return f"{bounced[0]['edges']} edges, {milliseconds(missing):.1f} ms between what was heard before and after"
    raise AssertionError("no contact was seen to bounce")


@check("R6", "the dock comes and goes while headphones play: no route change, not a frame lost")
def test_lower(bench):
    bench.play_on("headphones")
    with bench.without("route.changed", "playback.paused"):
        bench.plug("line-out")
        bench.board.wait(0.5)
        bench.unplug("line-out")
        bench.board.wait(0.5)
    parts = bench.headphones.stretches()
    assert len(parts) == 1, f"what was heard is in pieces: {parts}"
    return f"{parts[0].length} frames in one piece"


@check("R7", "headphones leave while the dock is there: the route falls to it, and playback pauses")
def test_fall(bench):
    bench.plug("line-out")
    bench.play_on("headphones")
    bench.unplug("headphones")
    bench.console.wait("route.changed", reason="old-device-unavailable", to="line-out")
    bench.console.wait("playback.paused", cause="route-lost")
    assert bench.status()["hold"] == "route-lost"


@check("R8 R13", "a route is forced: no pause, and the volume that port has")
def test_force(bench):
    bench.play_on("headphones")
    bench.console.type("route speaker")
    bench.console.wait("route.changed", reason="override", to="speaker")
    bench.board.wait(0.8)
    bench.expect_nothing("playback.paused")
    status = bench.status()
    assert status["state"] == "playing" and int(status["volume"]) <= 80, status
    parts = bench.speaker.stretches()
    assert parts, "nothing came out of the speaker"
    loud = bench.speaker.loudest() / sound.AMPLITUDE
    wanted = 10 ** ((int(status["volume"]) - 100) / 40)
    assert loud <= wanted * 1.02, f"the speaker was at {loud:.3f}, volume {status['volume']} is {wanted:.3f}"
    return f"volume {status['volume']}, loudest {loud:.3f} of full"


@check("P2", "a better port comes while the dock plays: it goes on there without a gap")
def test_better(bench):
    bench.loop_back.begin()
    bench.play_on("line-out")
    bench.plug("headphones")
    bench.console.wait("route.changed", reason="new-device-available", to="headphones")
    bench.board.wait(1)
    bench.expect_nothing("playback.paused")
    before = sound.stretches(bench.loop_back.end().frames, bench.tracks)
    after = bench.headphones.stretches()
    assert before and after, "one of the two was silent"
    gap = after[0].begin - before[-1].end
    assert abs(gap) <= 0.030 * sound.RATE, f"{gap} frames between the ports"
    return f"{milliseconds(gap):.1f} ms between the last frame here and the first one there"


@check("R10", "the category changes: formally a change of the route, and not a frame is lost")
def test_category(bench):
    bench.play_on("headphones")
    bench.type("category ambient")
    bench.console.wait("route.changed", reason="category-change", to="headphones")
    bench.board.wait(0.5)
    bench.type("category playback")
    bench.board.wait(0.5)
    bench.expect_nothing("playback.paused")
    parts = bench.headphones.stretches()
    assert len(parts) == 1, f"what was heard is in pieces: {parts}"
    return f"{parts[0].length} frames in one piece"


@check("R9", "no connected port suits the category: held until one does, at the same frame")
def test_unsuited(bench):
    bench.play_on("headphones")
    try:
        bench.type("category record")
        bench.console.wait("route.changed", reason="no-suitable-route", to="none")
        paused = bench.console.wait("playback.paused")
        held = bench.status()["hold"]
        assert held == "no-suitable-route", held
        bench.board.wait(0.5)
        bench.expect_nothing("playback.resumed")
    finally:
        bench.type("category playback")
    resumed = bench.console.wait("playback.resumed")
    bench.board.wait(0.8)
    parts = bench.headphones.stretches()
    missing = sound.largest_gap(parts)
    assert len(parts) <= 2 and missing <= 0.015 * sound.RATE, f"held {paused['frame']}, heard {parts}"
    return f"held {resumed['frame']}, {milliseconds(missing):.1f} ms between what was heard before and after"

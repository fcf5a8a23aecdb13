"""O: a seat that plays while somebody sits on it, and a motion sensor that chatters."""

from Board import sound
from checks import check


@check("O3 O3.1", "somebody sits down and gets up: the track from its start, and silence; again, and from its start again")
def test_seat(bench):
    bench.loop_back.begin()
    for _ in range(2):
        bench.board.lines.set("SEAT", 1)
        bench.console.wait("track.started", track="2", frame="0")
        bench.board.wait(0.7)
        bench.board.lines.set("SEAT", 0)
        bench.console.wait("playback.stopped", cause="contact")
        bench.board.wait(0.3)
    heard = sound.stretches(bench.loop_back.end().frames, bench.tracks)
    assert [part.track for part in heard] == [2, 2], f"heard {heard}"
    assert all(part.begin <= sound.RATE // 1000 for part in heard), f"not from the start: {heard}"
    assert bench.status()["state"] == "stopped"


@check("O8 P1", "the headphones of whoever sits there are pulled out: not a frame on the speaker; got up, nothing comes back")
def test_unplugged(bench):
    bench.plug("headphones")
    bench.board.lines.set("SEAT", 1)
    bench.console.wait("playback.started", route="headphones")
    bench.board.wait(0.5)
    bench.loop_back.begin()
    bench.unplug("headphones")
    bench.console.wait("prompt.shown")
    bench.board.wait(0.5)
    bench.plug("headphones")
    bench.console.wait("playback.resumed", cause="route-connected")
    bench.unplug("headphones")
    bench.console.wait("prompt.shown")
    bench.board.lines.set("SEAT", 0)
    bench.console.wait("playback.stopped", cause="contact")
    bench.plug("headphones")
    bench.board.wait(0.5)
    bench.expect_nothing("playback.resumed", "playback.started")
    assert not sound.loudest(bench.loop_back.end().frames), "the speaker was heard"
    bench.unplug("headphones")


@check("O2 O5 O5.1", "a motion sensor that bounces and trips again and again: the track once, and no more for three seconds")
def test_motion(bench):
    def trip():
        for level in (1, 0, 1, 0, 1):
            bench.board.lines.set("MOTION", level)
        bench.board.wait(0.1)
        bench.board.lines.set("MOTION", 0)

    trip()
    bench.console.wait("track.started", track="3", frame="0")
    bench.board.wait(0.4)
    trip()
    assert bench.console.wait("button.pressed", line="MOTION")["ignored"] == "busy"
    bench.type("stop")
    bench.board.wait(0.4)
    trip()
    assert bench.console.wait("button.pressed", line="MOTION")["ignored"] == "inhibited"
    bench.board.wait(3)
    trip()
    bench.console.wait("track.started", track="3", frame="0")
    bench.type("stop")

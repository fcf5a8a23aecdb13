"""P: what plays when."""

from Board import sound
from checks import check
from EmulatedBoard.bench import milliseconds
from EmulatedBoard.boards import FORMATS


def lose_headphones(bench):
    """Plays on the headphones and pulls them out; returns the logged pause."""
    bench.play_on("headphones")
    bench.unplug("headphones")
    return bench.console.wait("playback.paused", cause="route-lost")


@check("P1 P3", "headphones come back within the window: it resumes at the held frame")
def test_resume(bench):
    paused = lose_headphones(bench)
    bench.board.wait(1)
    bench.plug("headphones")
    resumed = bench.console.wait("playback.resumed", cause="route-connected")
    bench.board.wait(0.8)
    parts = bench.headphones.stretches()
    assert resumed["frame"] == paused["frame"], resumed.text
    missing = sound.largest_gap(parts)
    assert len(parts) <= 2 and missing <= 0.015 * sound.RATE, f"held {paused['frame']}, heard {parts}"
    return f"held {paused['frame']}, {milliseconds(missing):.1f} ms between what was heard before and after"


@check("P5 Q3", "a person pressed Stop meanwhile: no plug resumes")
def test_overruled(bench):
    lose_headphones(bench)
    bench.board.press("BTN_STOP")
    bench.console.wait("prompt.answered", answer="stop")
    bench.plug("headphones")
    bench.board.wait(1)
    bench.expect_nothing("playback.resumed", "playback.started")


@check("P1 Q2 K3", "Play is held while the headphones are pulled out: not a frame of it on the speaker")
def test_held_across(bench):
    bench.plug("headphones")
    bench.board.lines.set("BTN_PLAY", 1)
    bench.console.wait("playback.started")
    bench.board.wait(0.3)
    bench.unplug("headphones")
    bench.console.wait("prompt.shown")
    held = bench.console.wait("button.pressed", gesture="held")
    bench.board.wait(0.5)
    bench.board.lines.set("BTN_PLAY", 0)
    assert held["ignored"] == "unplugged", held.text
    assert not bench.speaker.loudest(), "the speaker was heard"
    assert bench.status()["prompt"] == "on"


@check("P6", "stopped or paused by a person: plugs are logged, and start nothing")
def test_only_logged(bench):
    bench.plug("headphones")
    bench.unplug("headphones")
    bench.play_on("headphones")
    bench.board.press("BTN_PLAY")
    bench.console.wait("playback.paused", cause="user")
    with bench.without("playback.resumed", "playback.started", "prompt.shown"):
        bench.unplug("headphones")
        bench.plug("headphones")
        bench.board.wait(1)
    assert bench.status()["state"] == "paused"


@check("P7", "it plays on the speaker: whatever is pulled out, it plays on")
def test_speaker(bench):
    bench.plug("headphones")
    bench.type("route speaker")
    bench.play_on("speaker")
    bench.unplug("headphones")
    bench.board.wait(0.8)
    bench.expect_nothing("playback.paused")
    parts = bench.speaker.stretches()
    assert len(parts) == 1, f"what was heard is in pieces: {parts}"
    return f"{parts[0].end} frames in one piece"


@check("P8 Q1 Q2", "pulled out: the lamp blinks; Play goes on here")
def test_go_on(bench):
    lose_headphones(bench)
    shown = bench.console.wait("prompt.shown")
    assert "Play" in shown["text"] and "Stop" in shown["text"], shown.text
    levels = bench.watch_lamp(2.5)
    changes = sum(1 for a, b in zip(levels, levels[1:]) if a != b)
    assert changes >= 3, f"the lamp was {levels}"
    bench.board.press("BTN_PLAY")
    bench.console.wait("prompt.answered", answer="resume")
    bench.console.wait("playback.resumed", route="speaker")
    bench.board.wait(0.5)
    assert bench.speaker.stretches(), "nothing came out of the speaker"
    assert set(bench.watch_lamp(0.5)) == {1}, "the lamp is not on"
    return f"the lamp changed {changes} times in 2.5 s"


@check("P9", "Play pauses and goes on; Stop goes back to the start; the lamp says so")
def test_transport(bench):
    bench.play_on("headphones", 1)
    assert bench.board.lines.read("LED_STATUS") == 1, "the lamp is off while it plays"
    bench.board.press("BTN_PLAY")
    paused = bench.console.wait("playback.paused", cause="user")
    bench.board.wait(0.5)
    assert bench.board.lines.read("LED_STATUS") == 0, "the lamp is on while it is paused"
    moment = bench.bus.now()
    bench.board.press("BTN_PLAY")
    resumed = bench.console.wait("playback.resumed", cause="user")
    _sent_since(bench, moment)
    bench.board.press("BTN_STOP")
    bench.console.wait("playback.stopped", cause="user")
    bench.board.wait(0.5)
    moment = bench.bus.now()
    bench.board.press("BTN_PLAY")
    bench.console.wait("playback.started")
    *first, last = _sent_since(bench, moment)
    assert last.begin == 0, f"after Stop it began at {last.begin}"
    missing = sound.largest_gap(first)
    # The pause takes effect when the card can: what the card has taken until then is heard, and is not repeated.
    assert len(first) <= 2 and missing <= 0.015 * sound.RATE, f"pressed at {paused['frame']}, heard {first}"
    # The pause is logged at the press, with the frame that should be heard then by the clock.
    beside = milliseconds(paused.number("frame") - resumed.number("frame"))
    assert abs(beside) <= 100, f"{paused.text} / {resumed.text}"
    return f"{milliseconds(missing):.1f} ms between what was heard before and after; logged {beside:.0f} ms beside it"


def _sent_since(bench, moment):
    """What was sent to the USB card, once a tenth of a second of music has been since a moment. QEMU's controller lets a card
    that was stopped and is started again wait for up to 2 s, and its recording may lack the first frames after that."""
    def has_begun():
        sent = bench.bus.sent()
        begin = sent.frame_at(moment)
        return any(part.place_end - max(part.place, begin) >= sound.RATE // 10 for part in sent.stretches(bench.tracks))

    bench.wait_until(has_begun)
    return bench.bus.sent().stretches(bench.tracks)


@check("P9", "volume: what is heard is as loud as the number says")
def test_volume(bench):
    bench.loop_back.begin()
    bench.play_on("line-out")
    marks = []
    for level in (100, 80, 60, 40):
        bench.type(f"volume {level}")
        bench.board.wait(0.8)
        marks.append((level, bench.now()))
    heard = bench.loop_back.end()
    found = []
    for level, end in marks:
        frame = heard.frame_at(end)
        loud = sound.loudest(heard.frames, frame - sound.RATE // 4, frame)
        wanted = sound.AMPLITUDE * 10 ** ((level - 100) / 40)
        assert abs(loud - wanted) <= 0.02 * wanted + 1, f"volume {level}: {loud}, expected {wanted:.0f}"
        found.append(f"{level}: {loud}")
    return ", ".join(found)


@check("P10 P11", "the next track follows without a gap; a damaged one is named and passed over; the end stops")
def test_gapless(bench):
    bench.play_on("headphones", 0.3)
    bench.type("next")
    bench.console.wait("track.started", track="3")
    failed = bench.console.wait("track.failed", track="4")
    bench.console.wait("queue.ended")
    bench.console.wait("playback.stopped", cause="queue-ended")
    bench.board.wait(0.3)
    second, third = (next(one for one in bench.headphones.stretches() if one.track == number) for number in (2, 3))
    assert second.end == bench.tracks[1].length and third.begin == 0, (second, third)
    gap = third.place - second.place_end
    assert gap == 0, f"{gap} frames between the tracks"
    bench.type("previous")
    assert failed["reason"] == "no audio in it", failed.text
    return f"0 frames between tracks 2 and 3; {failed['reason']}"


@check("P11 P13", "a decoder in its jail plays each format with the libraries of the board")
def test_formats(bench):
    found = bench.board.run("jackdaw scan --thorough /etc/jackdaw/formats")
    assert f"{len(FORMATS)} tracks to play" in found and "0 skipped" in found, found
    assert "died" not in found and "ended" not in found, found
    return found.strip().splitlines()[-1]


@check("P12", "no click at pause, resume, stop and route switch")
def test_clicks(bench):
    bench.loop_back.begin()
    bench.play_on("line-out", 0.7)
    for _ in range(2):
        bench.board.press("BTN_PLAY")
        bench.board.wait(0.6)
    bench.type("route speaker")
    bench.board.wait(0.5)
    bench.type("route auto")
    bench.board.wait(0.5)
    bench.board.press("BTN_STOP")
    bench.console.wait("playback.stopped")
    heard = bench.loop_back.end()
    step = sound.largest_step(heard.frames, 0, len(heard.frames) // 2)
    # A fade of the tone has steps that are larger by a hundredth.
    assert step <= 1.01 * sound.OWN_STEP, f"a step of {step}, the tone's own is {sound.OWN_STEP}"
    assert sound.loudest(heard.frames) == sound.AMPLITUDE, "it was not heard at full volume"
    return f"largest step {step}, the tone's own {sound.OWN_STEP}, in {milliseconds(len(heard.frames) // 2) / 1000:.0f} s"

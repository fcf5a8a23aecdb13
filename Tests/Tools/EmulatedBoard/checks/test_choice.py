"""T: one track, one playlist or another place of a track is chosen, at the console."""

from Board import sound
from checks import check
from EmulatedBoard.bench import milliseconds

# Frames at the start of a fade that are too soft to be told.
SOFT = sound.RATE // 1000


@check("T1 T2 T3", "a track is chosen while another plays: from its start; chosen again, it begins anew; the next one follows")
def test_track(bench):
    bench.loop_back.begin()
    bench.play_on("speaker", 0.5)
    bench.type("track 2")
    bench.console.wait("track.started", track="2", frame="0")
    bench.board.wait(0.5)
    bench.type("track 2.wav")
    bench.console.wait("track.started", track="2", frame="0")
    bench.console.wait("track.ended", file="2.wav")
    bench.console.wait("track.started", track="3", frame="0")
    bench.board.wait(0.5)
    parts, step = _heard(bench)
    assert [part.track for part in parts] == [1, 2, 2, 3], f"heard {parts}"
    _, first, again, following = parts
    assert first.begin <= SOFT and again.begin <= SOFT, f"not from the start: {parts}"
    assert again.end == bench.tracks[1].length and following.begin == 0, f"heard {parts}"
    assert following.place == again.place_end, f"{following.place - again.place_end} frames between the tracks"
    return f"{milliseconds(first.length):.0f} ms of it, then all of it; largest step {step}"


@check("T8 T3", "a chosen track cannot be played: it is named, and what follows is what follows it: here the end")
def test_damaged(bench):
    bench.play_on("speaker", 0.3)
    bench.type("track 4")
    failed = bench.console.wait("track.failed", track="4")
    bench.console.wait("queue.ended")
    bench.console.wait("playback.stopped", cause="queue-ended")
    return failed["reason"]


@check("T7", "a track is chosen while the lamp asks: it waits, not a frame of it on the speaker, until somebody presses Play")
def test_prompted(bench):
    bench.play_on("headphones", 0.5)
    bench.loop_back.begin()
    bench.unplug("headphones")
    bench.console.wait("prompt.shown")
    bench.type("track 2")
    bench.console.wait("prompt.answered", answer="track")
    bench.board.wait(1)
    bench.expect_nothing("playback.started", "playback.resumed", "track.started")
    silent = bench.loop_back.end()
    assert not sound.loudest(silent.frames), "the speaker was heard"
    bench.loop_back.begin()
    bench.board.press("BTN_PLAY")
    bench.console.wait("track.started", track="2", frame="0", route="speaker")
    bench.board.wait(0.5)
    parts, _ = _heard(bench)
    assert [part.track for part in parts] == [2] and parts[0].begin <= SOFT, f"heard {parts}"
    return f"{milliseconds(len(silent.frames) // 2) / 1000:.1f} s of silence"


@check("T6", "seek: to a place, back from there, and beyond the end, behind which the next track follows, without a click")
def test_seek(bench):
    bench.loop_back.begin()
    bench.play_on("speaker", 0.5)
    bench.type("seek 0:30")
    to = bench.console.wait("playback.moved")
    bench.board.wait(0.5)
    bench.type("seek -10s")
    back = bench.console.wait("playback.moved")
    bench.board.wait(0.5)
    bench.type("seek 5:00")
    bench.console.wait("playback.moved", frame=bench.tracks[0].length - 1)
    bench.console.wait("track.started", track="2", frame="0")
    bench.board.wait(0.3)
    parts, step = _heard(bench)
    assert to.number("frame") == 30 * sound.RATE, to.text
    wanted = [0, 30 * sound.RATE, back.number("frame"), 0]
    found = [part.begin for part in parts]
    assert [part.track for part in parts] == [1, 1, 1, 2], f"heard {parts}"
    assert all(abs(begin - frame) <= SOFT for begin, frame in zip(found, wanted)), f"heard {found}, expected {wanted}"
    # Ten seconds back from where it was heard.
    assert abs(parts[1].end - 10 * sound.RATE - back.number("frame")) <= 0.05 * sound.RATE, f"{back.text}; heard {parts}"
    return f"largest step {step}, the tone's own {sound.OWN_STEP}"


@check("T4", "a playlist is chosen: its tracks are the queue, numbered from 1, and nothing else follows them")
def test_playlist(bench):
    bench.plug_stick()
    bench.loop_back.begin()
    bench.type("playlist guide")
    bench.console.wait("playlist.changed", playlist="guide", tracks="2", frame="0")
    bench.console.wait("track.started", file="guide/11.wav")
    bench.board.wait(0.3)
    bench.type("track 2")
    bench.console.wait("track.started", track="2", file="guide/12.wav")
    bench.board.wait(0.3)
    bench.type("seek 5:00")
    bench.console.wait("queue.ended")
    bench.console.wait("playback.stopped", cause="queue-ended")
    bench.type("playlist German")
    refused = bench.console.wait_text("^error: ")
    parts, _ = _heard(bench)
    assert [part.track for part in parts] == [11, 12], f"heard {parts}"
    bench.type("playlist")
    bench.console.wait("playlist.changed", tracks="6")
    return refused


def _heard(bench):
    """What was heard of the tracks, and the largest step in it."""
    heard = bench.loop_back.end()
    step = sound.largest_step(heard.frames, 0, len(heard.frames) // 2)
    # A fade of the tone has steps that are larger by a hundredth.
    assert step <= 1.01 * sound.OWN_STEP, f"a step of {step}, the tone's own is {sound.OWN_STEP}"
    return sound.stretches(heard.frames, bench.tracks), step

"""I: a page, a fire alarm, a card that is pulled out; and the amplifier, which is silent whenever the music is."""

from Board import sound
from checks import check
from EmulatedBoard.bench import milliseconds


@check("I1 I2", "the page contact closes and opens: silence meanwhile, then the very next frame")
def test_page(bench):
    bench.play_on("headphones", 1)
    bench.board.lines.set("PAGE", 1)
    began = bench.console.wait("interruption.began", reason="page", line="PAGE")
    bench.board.wait(1.5)
    before = bench.headphones.stretches()[-1].end
    bench.board.lines.set("PAGE", 0)
    bench.console.wait("interruption.ended", reason="page")
    resumed = bench.console.wait("playback.resumed", cause="interruption-ended")
    bench.board.wait(1)
    parts = bench.headphones.stretches()
    missing = sound.largest_gap(parts)
    # QEMU keeps back the end of what was heard before.
    assert before - began.number("frame") <= 0.03 * sound.RATE, f"paged at {began['frame']}, heard up to {before}"
    assert len(parts) <= 2 and missing <= 0.015 * sound.RATE, f"saved {resumed['frame']}, heard {parts}"
    return f"saved {resumed['frame']}, {milliseconds(missing):.1f} ms between what was heard before and after"


@check("I6", "Play during a page is refused, and said so")
def test_refused(bench):
    def play():
        bench.board.press("BTN_PLAY")
        refusal = bench.console.wait("session.refused", client="music")
        assert refusal["by"] == "page", refusal.text

    bench.play_on("headphones")
    _page(bench, play)


@check("I3 I12", "a fire alarm over a page: nothing goes on until both have ended, and then only on Play")
def test_alarm(bench):
    bench.play_on("headphones")
    bench.board.lines.set("PAGE", 1)
    bench.console.wait("interruption.began", reason="page")
    bench.board.lines.set("FIRE", 1)
    bench.console.wait("interruption.began", reason="fire-alarm")
    bench.board.lines.set("PAGE", 0)
    bench.board.wait(0.5)
    bench.expect_nothing("playback.resumed")
    bench.board.lines.set("FIRE", 0)
    bench.console.wait("interruption.ended", reason="fire-alarm")
    bench.board.wait(0.5)
    bench.expect_nothing("playback.resumed")
    assert bench.status()["state"] == "paused"


@check("I4", "a page while it is paused: its end starts nothing")
def test_paged_in_pause(bench):
    bench.play_on("headphones")
    bench.board.press("BTN_PLAY")
    bench.console.wait("playback.paused", cause="user")
    _page(bench)
    bench.board.wait(0.5)
    bench.expect_nothing("playback.resumed")
    assert bench.status()["state"] == "paused"


@check("I5", "a person presses Stop during a page: its end starts nothing")
def test_stopped(bench):
    bench.play_on("headphones")
    _page(bench, lambda: bench.board.press("BTN_STOP"))
    bench.board.wait(0.5)
    bench.expect_nothing("playback.resumed", "playback.started")
    assert bench.status()["state"] == "stopped"


@check("I8", "pulled out before a page, plugged in during it: its end resumes")
def test_replugged(bench):
    bench.play_on("headphones")
    bench.unplug("headphones")
    paused = bench.console.wait("playback.paused", cause="route-lost")
    _page(bench, lambda: bench.plug("headphones"))
    resumed = bench.console.wait("playback.resumed")
    assert resumed["frame"] == paused["frame"], f"{paused.text}; {resumed.text}"
    return f"frame {resumed['frame']}"


def _page(bench, meanwhile=lambda: None):
    """Somebody speaks over the loudspeakers for a moment."""
    bench.board.lines.set("PAGE", 1)
    bench.console.wait("interruption.began", reason="page")
    bench.board.wait(0.2)
    meanwhile()
    bench.board.wait(0.2)
    bench.board.lines.set("PAGE", 0)
    bench.console.wait("interruption.ended", reason="page")


@check("I7", "headphones are pulled out during a page: its end starts nothing")
def test_unplugged(bench):
    bench.play_on("headphones")
    _page(bench, lambda: bench.unplug("headphones"))
    bench.board.wait(1)
    bench.expect_nothing("playback.resumed")
    assert "route-lost" in bench.status()["hold"]


@check("P3 R13", "the amplifier is muted from power on, and whenever nothing sounds")
def test_amplifier(bench):
    mute = lambda: bench.board.lines.read("AMP_MUTE")
    assert mute() == 1, "not muted while it is stopped"
    bench.play_on("headphones")
    assert mute() == 0, "muted while it plays"
    bench.unplug("headphones")
    bench.console.wait("playback.paused")
    bench.board.wait(0.5)
    assert mute() == 1, "not muted while it is paused"
    bench.plug("headphones")
    bench.console.wait("playback.resumed")
    bench.board.wait(0.5)
    assert mute() == 0, "muted although it plays again"


@check("I14", "the USB card is pulled out while it plays, and put back: it goes on at the frame")
def test_card(bench):
    bench.play_on("headphones", 1.5)
    bench.board.unplug_card()
    lost = bench.console.wait("output.lost")
    bench.console.wait("interruption.began", reason="output-unavailable")
    bench.board.wait(2)
    assert bench.status()["state"] == "paused"
    before = bench.headphones.stretches()
    bench.board.plug_card()
    bench.begin_anew()
    back = bench.console.wait("output.restored")
    resumed = bench.console.wait("playback.resumed")
    bench.board.wait(1)
    missing = sound.gaps(before + bench.headphones.stretches())
    # What the card had taken went with it; the clock tells how much of that was heard.
    assert len(missing) == 1 and abs(missing[0]) <= 0.1 * sound.RATE, f"missing {missing}; {resumed.text}"
    return (f"\"{lost['reason']}\"; restored after {back.at - lost.at:.1f} s, "
            f"{milliseconds(missing[0]):.1f} ms between what was heard before and after")


@check("R12 I14", "a card is pulled out and comes back at another rate, twice: it goes on at the frame, at that rate")
def test_rate(bench):
    probe = bench.loop_back
    probe.begin()
    bench.play_on("speaker", 1.5)
    lost = _lose_card(bench)
    first = probe.end()
    resumed = _return_card(bench, OTHER_RATE)
    bench.board.wait(1.5)
    lost_again = _lose_card(bench)
    second = probe.end()
    resumed_again = _return_card(bench, sound.RATE)
    bench.board.wait(1)
    third = probe.end()

    part = sound.stretches(first.frames, bench.tracks)[-1]
    # The recorder loses what it had not read yet.
    _expect_lost_at(part.begin + first.frame_at(lost.at) - part.place, lost)
    found = expect_places(bench, second, resumed)
    heard = (second.frame_at(lost_again.at) - second.first_sound()) / OTHER_RATE
    _expect_lost_at(resumed.number("frame") + heard * sound.RATE, lost_again)
    part = sound.stretches(third.frames, bench.tracks)[0]
    beside = part.begin - resumed_again.number("frame")
    # The fade-in may begin with a few frames of silence.
    assert 0 <= beside <= 0.005 * sound.RATE, f"went on from {resumed_again['frame']}, heard {part}"
    return f"at {OTHER_RATE} Hz {' '.join(found)} frames beside the log's after 0.02 and 1 s; then {beside:.0f}"


OTHER_RATE = 44_100


def expect_places(bench, heard, resumed):
    """What was heard at the other rate is the track from the logged frame on; returns by how many frames it is beside."""
    begin, found = heard.first_sound(), []
    for later in (0.02, 1):
        frame = begin + round(later * OTHER_RATE)
        window = heard.frames[2 * frame:2 * (frame + 512)]
        wanted = resumed.number("frame") + later * sound.RATE
        place, likeness = sound.place(window, OTHER_RATE, bench.tracks[0], wanted, 1_000)
        assert likeness > 0.6 and abs(place - wanted) <= 0.002 * sound.RATE, (
            f"{later} s after {resumed['frame']} it was at {place} (alike by {likeness:.2f}), expected {wanted:.0f}")
        found.append(f"{place - wanted:.0f}")
    return found


def _lose_card(bench):
    bench.board.unplug_loop_back()
    return bench.console.wait("output.lost")


def _return_card(bench, rate):
    """The firmware stands still for a moment, so that a recorder, which settles the rate, is there first."""
    bench.board.run("kill -STOP $(cat /run/service.pid)")
    bench.board.plug_loop_back()
    bench.loop_back.begin(rate)
    bench.board.run("kill -CONT $(cat /run/service.pid)")
    return expect_rate(bench, rate, "speaker")


def expect_rate(bench, rate, port):
    """It goes on at the frame where it was lost, at this rate; returns the line that says so."""
    change = bench.console.wait("route.changed", reason="route-configuration-change")
    assert change["rate"] == str(rate) and change["from"] == change["to"] == port, change.text
    resumed = bench.console.wait("playback.resumed", cause="output-restored")
    # A frame at the board's rate may lie between two at the card's.
    assert abs(resumed.number("frame") - change.number("frame")) <= 1, f"{change.text}; {resumed.text}"
    return resumed


def _expect_lost_at(frame, lost):
    """The log says where the music was when the card was lost; its time is that at which the firmware has found out, which a
    busy host may delay."""
    beside = lost.number("frame") - frame
    assert -0.1 * sound.RATE <= beside <= 0.02 * sound.RATE, f"lost at {frame:.0f} by what was heard: {lost.text}"

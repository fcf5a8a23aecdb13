"""The kernel's own driver of USB cards, by what leaves the board on the bus. It hands 18 ms to the bus at a time, which
nobody can take back from it other than by stopping the card."""

import re
import statistics

from Board import sound
from checks import check
from EmulatedBoard.bench import milliseconds
from EmulatedBoard.probe import TICK

PACKET = 0.001  # s: places on the bus are as exact as that
QUEUE = 0.018  # s: what the driver has handed to the bus
MARGIN = 0.002  # s: what the firmware leaves in front of that when it rewinds
SILENT = 0.010  # s: from the edge to the last sound
# s. QEMU sends packets late when its host stands still, for milliseconds that the board's clock counts.
HOST = 0.015


@check("R3 R4 P1", "USB headphones are pulled out: nothing leaves the board any more; held is what had left it at the edge")
def test_silence(bench):
    bench.play_on("headphones", 0.3)
    late, beside = [], []
    for turn in range(6):
        # Not always at the same place of the device's buffer.
        bench.board.wait(0.3 + 0.07 * turn)
        moment = bench.bus.now()
        bench.unplug("headphones")
        paused = bench.console.wait("playback.paused", cause="route-lost")
        bench.board.wait(0.5)
        sent = bench.bus.sent()
        edge = sent.frame_at(moment)
        late.append((sent.last_sound() - edge) / sound.RATE)
        last = sent.stretches(bench.tracks)[-1]
        beside.append((paused.number("frame") - last.begin - (edge - last.place)) / sound.RATE)
        bench.plug("headphones")
        bench.console.wait("playback.resumed", cause="route-connected", frame=paused["frame"])
    assert max(late) <= SILENT, f"the last sound left the board {_list(late)} ms after the edges"
    # The moment of the edge is known to a packet, and so is the driver's delay, which the firmware believes (P15).
    usual = statistics.median(beside)
    assert -PACKET / 2 <= usual <= 1.5 * PACKET and max(map(abs, beside)) <= HOST, f"held {_list(beside)} ms beside the bus"
    bench.expect_steady()
    return f"last sound {_list(late)} ms after the edge; held {_list(beside)} ms beside the frame sent there"


@check("P2", "USB headphones are plugged in while the dock plays: how long there is silence between the two")
def test_better(bench):
    found = []
    for _ in range(3):
        bench.settle()
        bench.loop_back.begin()
        bench.play_on("line-out")
        bench.plug("headphones")
        bench.console.wait("route.changed", reason="new-device-available", to="headphones")
        bench.board.wait(0.5)
        # The driver replaces the time of the start by that of its first packet.
        status = bench.board.run("cat /proc/asound/Audio/pcm0p/sub0/status")
        began = float(re.search(r"trigger_time: (\S+)", status).group(1))
        heard = bench.loop_back.end()
        before = sound.stretches(heard.frames, bench.tracks)[-1]
        after = bench.bus.sent().stretches(bench.tracks)
        assert after and abs(after[0].begin - before.end) <= 0.005 * sound.RATE, f"{before} there, {after} here"
        found.append(began - heard.time_of(before.place_end))
    assert max(found) <= 0.020 + TICK, f"silence for {_list(found)} ms"
    bench.expect_steady()
    return f"silence for {_list(found)} ms"


@check("P9 P12", "on the USB card, volume and pause are heard at once although much is queued, and without a click")
def test_reaction(bench):
    softer, paused, steps, missing = [], [], [], []
    for _ in range(3):
        # Opened again each time. When a card was stopped and is started again, QEMU's controller holds the transfers
        # that the driver has cancelled for ones of frame 0 of the bus, and waits for that frame: for up to 2 s.
        bench.settle()
        bench.play_on("headphones", 0.3)
        softer.append(_after_press(bench, "BTN_VOL_DOWN", _first_change))
        paused.append(_after_press(bench, "BTN_PLAY", lambda sent, _: sent.last_sound()))
        sent = bench.bus.sent()
        steps.append(sound.largest_step(sent.frames, 0, len(sent.frames) // 2))
        missing.append(sound.largest_gap(sent.stretches(bench.tracks)))
    # A press counts once its line has been steady for 30 ms.
    assert all(0.030 <= one <= 0.030 + QUEUE + MARGIN + HOST for one in softer + paused), (
        f"softer {_list(softer)}, paused {_list(paused)} ms after the press")
    assert max(steps) <= 1.01 * sound.OWN_STEP, f"a step of {max(steps)}, the tone's own is {sound.OWN_STEP}"
    assert max(missing) <= 0.001 * sound.RATE, f"{max(missing)} frames are missing, or were sent twice"
    bench.expect_steady()
    return f"softer {_list(softer)}, silent {_list(paused)} ms after the press; largest step {max(steps)}"


def _after_press(bench, button, find):
    """How many seconds after the press of a button the bus has what `find` returns."""
    moment = bench.bus.now()
    bench.board.press(button)
    bench.board.wait(0.5)
    sent = bench.bus.sent()
    press = sent.frame_at(moment)
    return (find(sent, press) - press) / sound.RATE


def _first_change(sent, begin):
    end = len(sent.frames) // 2
    level = abs(sent.frames[2 * begin])
    return next((frame for frame in range(begin, end) if abs(sent.frames[2 * frame]) != level), end)


@check("D1 D2", "a cue on the USB card: the music falls by 12 dB in 200 ms, then the cue, then it rises in 500 ms")
def test_duck(bench):
    bench.play_on("headphones", 0.5)
    bench.type("cue chime")
    bench.console.wait("duck.began")
    bench.console.wait("duck.ended")
    bench.board.wait(1)
    sent = bench.bus.sent()
    parts = sent.stretches(bench.tracks)
    assert len(parts) == 1, f"what was sent is in pieces: {parts}"
    music = bench.tracks[0].frames[2 * parts[0].begin:]
    heard = sent.frames[2 * parts[0].place:]
    # The cue is on the right channel only.
    level = [abs(sample) / sound.AMPLITUDE for sample in heard[0::2]]
    cue = [abs(sample - own * now) > sound.CUE / 2 for sample, own, now in zip(heard[1::2], music[1::2], level)]
    down = next(frame for frame in range(sound.RATE // 4, len(level)) if level[frame] < 1)
    low = level.index(min(level[down:]), down)
    up = next(frame for frame in range(low, len(level)) if level[frame] > level[low])
    full = next(frame for frame in range(up, len(level)) if level[frame] == 1)
    first, end = cue.index(True), len(cue) - cue[::-1].index(True)
    assert abs(level[low] - 10 ** (-12 / 20)) < 0.001, f"down to {level[low]:.4f}"
    assert abs(low - down - 0.2 * sound.RATE) <= 0.005 * sound.RATE, f"down in {milliseconds(low - down):.1f} ms"
    assert -PACKET <= (first - low) / sound.RATE <= 0.05, f"the cue began {milliseconds(first - low):.1f} ms after that"
    assert 0 <= (up - end) / sound.RATE <= 0.05, f"up {milliseconds(up - end):.1f} ms after the cue"
    assert abs(full - up - 0.5 * sound.RATE) <= 0.005 * sound.RATE, f"up in {milliseconds(full - up):.1f} ms"
    bench.expect_steady()
    return (f"to {level[low]:.4f} in {milliseconds(low - down):.1f} ms, the cue {milliseconds(first - low):.1f} ms later, up "
            f"{milliseconds(up - end):.1f} ms after it in {milliseconds(full - up):.1f} ms")


@check("I14", "the USB card is pulled out right after Play, while it plays and while it is paused, and put back at once")
def test_gone(bench):
    found = []
    for seconds in (0.02, 0.7):
        bench.settle()
        bench.play_on("headphones", seconds)
        end, lost = _pull(bench)
        _put_back(bench)
        resumed = bench.console.wait("playback.resumed", cause="output-restored", frame=lost["frame"])
        bench.board.wait(1)
        parts = bench.bus.sent().stretches(bench.tracks)
        assert len(parts) == 1 and 0 <= parts[0].begin - resumed.number("frame") <= 0.005 * sound.RATE, (
            f"{resumed.text}: {parts}")
        found.append((lost.number("frame") - end) / sound.RATE)
    assert max(map(abs, found)) <= QUEUE + HOST, f"lost {_list(found)} ms beside what had been sent"
    bench.board.press("BTN_PLAY")
    bench.console.wait("playback.paused", cause="user")
    bench.board.wait(0.5)
    end = bench.bus.sent().stretches(bench.tracks)[-1].end
    bench.board.unplug_card()
    bench.board.wait(1)
    _put_back(bench)
    bench.board.wait(3)
    bench.expect_nothing("playback.resumed")
    assert not bench.bus.sent().last_sound(), "it was heard although it is paused"
    bench.board.press("BTN_PLAY")
    bench.console.wait("playback.resumed", cause="user")
    bench.board.wait(1)
    beside = (bench.bus.sent().stretches(bench.tracks)[0].begin - end) / sound.RATE
    assert abs(beside) <= HOST, f"paused, it went on {_list([beside])} ms beside what had been sent"
    return f"lost {_list(found)} ms beside what had been sent, and went on there; paused, it went on {_list([beside])} ms beside"


def _pull(bench):
    """Pulls the USB card out; returns the frame of the track up to which it was sent sound, and what the log says."""
    bench.board.unplug_card()
    lost = bench.console.wait("output.lost")
    bench.board.wait(0.3)
    parts = bench.bus.sent().stretches(bench.tracks)
    return (parts[-1].end if parts else 0), lost


def _put_back(bench):
    bench.board.plug_card()
    bench.begin_anew()


def _list(seconds):
    return " ".join(f"{1000 * one:.1f}" for one in seconds)


"""B: a Bluetooth headset, with the kernel's own stack, BlueZ and bluez-alsa. The headset is a program outside the board,
and what it hears is decoded. It hears whatever is sent to it: its own delay shows only in what the board makes of it.

The loudspeaker is the loop-back card, which the board records. All here is about order and content: on a busy host the
board is slow, and the radio is not."""

from Board import sound
from checks import check
from EmulatedBoard.bench import milliseconds
from EmulatedBoard.radio import DELAY, Refused

# Frames: the parts of what a headset heard are placed to this, beside what the codec delays.
EXACT = 1_024
CEILING = 90  # of the board file
START = 60  # the volume of a port that nobody has turned
# The volume of a headset that stands for 100 at the board.
FULL = 127
# s: what may be heard twice after a loss: the board's buffer, what bluez-alsa and the controller keep, and the headset's delay.
TWICE = 0.9
# The ports of the known headset, and of the other one, whose keys are not buttons.
PORT = "bluetooth"
OTHER_PORT = "headphones"


@check("B1 P2 P9 R2", "the headset connects while the loudspeaker plays: the music goes on there, as loud as it is")
def test_connects(bench):
    headset = bench.radio.known
    bench.loop_back.begin()
    bench.type("volume 100")
    bench.play(0.5)
    bench.connect(headset)
    change = bench.console.wait("route.changed", reason="new-device-available", to=PORT)
    assert change["from"] == "speaker", change.text
    bench.type("volume 100")
    bench.board.wait(3)
    bench.board.press("BTN_PLAY")
    held = bench.console.wait("playback.paused", cause="user").number("frame")
    bench.board.wait(1)
    before = sound.stretches(bench.loop_back.end().frames, bench.tracks)
    after = headset.heard()
    assert _stands_for(headset, CEILING), f"the headset is at {headset.volume}"
    assert len(before) == 1 and before[0].begin == 0, f"on the loudspeaker: {before}"
    assert len(after) == 1 and after[0].track == 1, f"in the headset: {after}"
    missing = after[0].begin - before[0].end
    assert abs(missing) <= 0.1 * sound.RATE, f"{milliseconds(missing):.0f} ms are missing between the two"
    assert abs(after[0].loudness - 1) <= 0.03, f"{after[0].loudness:.3f} times as loud as the track"
    beside = held - (after[0].end - DELAY * sound.RATE // 1_000)
    assert abs(beside) <= 0.1 * sound.RATE, f"held {milliseconds(beside):.0f} ms beside what the headset plays"
    return (f"{milliseconds(missing):.0f} ms between the two, {after[0].loudness:.3f} times as loud as the track; paused "
            f"{milliseconds(beside):.0f} ms beside what the headset plays")


@check("B2 B4 P1 P3", "the headset is switched off in mid-word and on again: nothing on the loudspeaker, nothing skipped")
def test_switched_off(bench):
    def act(headset):
        headset.ask("off")
        return _lost(bench)

    return _goes_on(bench, act, lambda headset: bench.connect(headset))


@check("B3 B4", "the headset is out of range for a while: held while the link is silent, and it goes on when it is back")
def test_out_of_range(bench):
    def act(_):
        bench.radio.range("lost")
        held = _lost(bench)
        # It is offered still, so that it is tried again, which shows that it takes nothing.
        assert bench.console.wait("output.lost", route="bluetooth")["frame"] == held["frame"]
        return held

    return _goes_on(bench, act, lambda _: bench.radio.range("back"))


@check("B3 B4", "the headset is out of range until the link is given up, and comes back: nothing skipped")
def test_given_up(bench):
    def act(_):
        bench.radio.range("lost")
        held = _lost(bench)
        bench.radio.range("give-up")
        bench.wait_for_pcms(0)
        return held

    def back(headset):
        bench.radio.range("back")
        bench.call(headset)

    return _goes_on(bench, act, back)


@check("B8", "bluez-alsa is killed, then bluetoothd, then the radio is pulled out: as a plug, and all recovers")
def test_killed(bench):
    found = []
    for name in ("bluealsa", "bluetooth", "btattach"):
        def act(_):
            bench.board.run(f"touch /run/hold-{name}; kill -9 $(cat /run/{name}.pid)")
            held = _lost(bench)
            if name == "btattach":
                bench.radio.range("reset")
            bench.board.run(f"rm /run/hold-{name}")
            return held

        bench.settle()
        found.append(f"{name}: {_goes_on(bench, act, lambda headset: bench.connect(headset))}")
    return "; ".join(found)


@check("B8 P7", "the loudspeaker plays, and a headset comes and goes and its daemons die: not a frame is missing there")
def test_beside(bench):
    headset = bench.radio.known
    bench.connect(headset)
    bench.type("route speaker")
    bench.loop_back.begin()
    bench.play(0.5)
    for name in ("bluealsa", "bluetooth"):
        bench.board.run(f"kill -9 $(cat /run/{name}.pid)")
        bench.console.wait("port.disconnected", port=PORT)
        bench.connect(headset)
    headset.ask("off")
    bench.console.wait("port.disconnected", port=PORT)
    bench.board.wait(0.5)
    bench.expect_nothing("playback.paused", "output.lost")
    parts = sound.stretches(bench.loop_back.end().frames, bench.tracks)
    assert len(parts) == 1 and parts[0].begin == 0, f"on the loudspeaker: {parts}"
    assert not headset.heard(), "the headset heard something"
    return f"{parts[0].end} frames in one piece"


@check("B1 P10", "the last track ends in the headset: it is heard to its end, and it ends once")
def test_ends(bench):
    headset = bench.radio.known
    bench.connect(headset)
    bench.type("volume 100")
    bench.type("track 3")
    bench.console.wait("track.started", file="3.wav")
    bench.console.wait("playback.stopped", cause="queue-ended")
    bench.board.wait(1)
    bench.expect_nothing("output.lost", "playback.resumed")
    bench.expect_steady()
    parts = headset.heard()
    length = bench.tracks[2].length
    assert len(parts) == 1 and parts[0].begin <= EXACT and parts[0].end >= length - 2 * EXACT, f"heard {parts} of {length}"
    return f"{parts[0].end} of {length} frames"


@check("B5", "keys of the port's own headset, known by its name, are hammered: each press counts exactly once")
def test_keys(bench):
    headset = bench.radio.known
    bench.connect(headset)
    bench.console.wait_text("Headset .AVRCP. is there|route.changed")
    bench.board.wait(1)
    pressed = 8
    for turn in range(pressed):
        headset.ask("key " + ("forward" if turn % 2 == 0 else "backward"))
    bench.board.wait(2)
    found = [event["button"] for event in bench.console.since_mark("button.pressed")]
    assert found == ["next", "previous"] * (pressed // 2), f"{pressed} presses made {found}"
    for key, event in (("play", "playback.started"), ("pause", "playback.paused"), ("play", "playback.resumed")):
        headset.ask(f"key {key}")
        bench.console.wait(event, cause="user")
        # Twice within less would be another gesture (K3).
        bench.board.wait(1)
    headset.ask("key stop")
    bench.console.wait("playback.stopped", cause="user")
    return f"{pressed} of {pressed} hammered, then Play, Pause, Play and Stop"


@check("B6", "the volume is set at the board, and turned at the headset: each follows the other, never above the ceiling")
def test_volume(bench):
    headset = bench.radio.known
    bench.connect(headset)
    bench.type("volume 40")
    bench.wait_until(lambda: _stands_for(headset, 40))
    bench.board.wait(2)
    bench.console.mark()
    headset.ask("volume 70")
    changed = bench.console.wait("volume.changed", cause="headset", port=PORT)
    assert abs(changed.number("volume") - 100 * 70 / FULL) <= 1, changed.text
    bench.board.wait(3)
    assert headset.volume == 70, f"it was sent back as {headset.volume}"
    bench.expect_nothing("volume.changed")
    headset.ask(f"volume {FULL}")
    bench.wait_until(lambda: _stands_for(headset, CEILING))
    bench.console.wait("volume.changed", cause="headset", port=PORT, volume=CEILING)
    headset.ask("off")
    bench.console.wait("port.disconnected", port=PORT)
    headset.ask("volume 20")
    bench.connect(headset)
    bench.wait_until(lambda: _stands_for(headset, CEILING))
    return f"{changed.text.split(' ', 1)[1]}; remembered at the next connection"


def _stands_for(headset, volume):
    return abs(headset.volume - FULL * volume / 100) < 1


@check("B7", "a stranger calls the box outside the window: it gets no answer, or a refusal that is logged; nothing is kept")
def test_stranger(bench):
    strange = bench.radio.strange
    strange.ask("on")
    try:
        strange.ask(f"call {bench.radio.board_address}")
        refusal = "hung up"
    except Refused as error:
        refusal = str(error).split("failed: ")[-1]
    bench.board.wait(2)
    # The kernel does not answer a call from a device that it has never paired with.
    assert bench.console.since_mark("pairing.refused") or "Timeout" in refusal, f"not logged; it was told {refusal}"
    bench.expect_nothing("port.connected", "pairing.paired")
    assert not _is_bonded(bench, strange), "it is paired"
    assert bench.board.run("bluealsa-cli list-pcms") == "", "it can be played to"
    return f"it was told {refusal[:60]}"


@check("B7 B1 B5 B6", "`pair` is typed beside a new headset: paired, connected and heard at the port's volume, its keys no buttons; "
       "`unpair` forgets it and falls silent")
def test_pairs(bench):
    strange = bench.radio.strange
    if _is_bonded(bench, strange):
        bench.type(f"unpair {strange.address}")
        bench.console.wait("pairing.removed", address=strange.address)
    strange.ask("on")
    bench.type("pair")
    opened = bench.console.wait("pairing.opened").at
    bench.console.wait("port.connected", patience=200, port=OTHER_PORT)
    # BlueZ answers when it has connected to all services, which is before that or after it.
    known = [event for event in bench.since_boot("pairing.paired") if event.at >= opened]
    paired = known[0] if known else bench.console.wait("pairing.paired", patience=200, address=strange.address)
    assert _is_bonded(bench, strange), "it is not paired"
    bench.play(2)
    parts = strange.heard()
    assert parts, "it heard nothing"
    assert _stands_for(strange, START), f"the headset is at {strange.volume}"
    assert abs(parts[-1].loudness - 1) <= 0.03, f"{parts[-1].loudness:.3f} times as loud as the track"
    for key in ("pause", "forward", "stop"):
        strange.ask(f"key {key}")
    bench.board.wait(1)
    bench.expect_nothing("button.pressed", "playback.paused")
    bench.type(f"unpair {strange.address}")
    # BlueZ replies when it has hung up.
    bench.console.wait("playback.paused", cause="route-lost")
    bench.console.wait("pairing.removed", address=strange.address)
    assert not _is_bonded(bench, strange), "it is still paired"
    return paired.text.split(" ", 1)[1]


def _is_bonded(bench, headset):
    place = f"/var/lib/bluetooth/{bench.radio.board_address}/{headset.address}/info"
    return bool(bench.board.run(f"grep -s LinkKey {place} || true"))


@check("B9 R1", "the power comes back beside a headset that is known: it is called, plugged in and plays")
def test_at_power_on(bench):
    headset = bench.radio.known
    headset.ask("on")
    bench.radio.range("reset")
    bench.restart_at_rest()
    bench.console.wait("route.initial")
    begin = bench.now()
    plugged = bench.console.wait("port.connected", patience=300, port=PORT)
    bench.play(2)
    assert headset.heard(), "it heard nothing"
    return f"plugged in {plugged.at - begin:.1f} s after the start"


# ---- Losing it and finding it again -------------------------------------------------------------------------------


def _lost(bench):
    """The music is held as if it was unplugged; returns the logged pause."""
    bench.console.wait("port.disconnected", port=PORT)
    return bench.console.wait("playback.paused", cause="route-lost")


def _goes_on(bench, lose, find):
    """Plays in the headset, loses it and finds it again. The loudspeaker is silent all the time, and nothing is skipped."""
    headset = bench.radio.known
    bench.connect(headset)
    bench.type("volume 100")
    bench.play(2)
    bench.loop_back.begin()
    held = lose(headset)
    bench.board.wait(1)
    before = headset.packets
    find(headset)
    bench.wait_until(lambda: headset.packets > before)
    resumed = bench.console.wait("playback.resumed", cause="route-connected")
    bench.board.wait(4)
    for one in [resumed, *bench.console.since_mark("playback.resumed")]:
        # What was logged at the edge is an estimate.
        assert 0 <= held.number("frame") - one.number("frame") <= 0.05 * sound.RATE, f"{held.text}; {one.text}"
    leaked = sound.loudest(bench.loop_back.end().frames)
    assert not leaked, f"the loudspeaker was heard: {leaked}"
    parts = headset.heard()
    assert len(parts) == 2 and parts[0].begin <= EXACT, f"held {held['frame']}, heard {parts}"
    twice = -sound.gaps(parts)[0]
    assert -EXACT <= twice <= TWICE * sound.RATE, f"{milliseconds(twice):.0f} ms were heard twice; {resumed.text}, heard {parts}"
    return f"held {held['frame']}, {milliseconds(twice):.0f} ms heard twice, back after {resumed.at - held.at:.1f} s"

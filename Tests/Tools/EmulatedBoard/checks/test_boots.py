"""What holds from power on."""

from checks import check


@check("R1", "power on with headphones in: their route from the first frame, and no route change")
def test_jack_in(bench):
    bench.restart_at_rest(JACK_SENSE=1)
    initial = bench.console.wait("route.initial")
    assert initial["to"] == "headphones", initial.text
    bench.board.wait(0.5)
    bench.expect_nothing("route.changed")
    with bench.without("route.changed"):
        bench.board.press("BTN_PLAY")
        bench.console.wait("playback.started", route="headphones")
        bench.board.wait(1)
    parts = bench.headphones.stretches()
    assert parts and parts[0].begin == 0, f"what was heard first is {parts[:1]}"
    return f"first frame heard is 0, {initial.at:.1f} s after power on"


@check("R1 W2", "power on with nothing in: the speaker, and silence")
def test_jack_out(bench):
    bench.restart_at_rest(JACK_SENSE=0)
    initial = bench.console.wait("route.initial")
    assert initial["to"] == "speaker", initial.text
    bench.board.wait(1)
    bench.expect_nothing("route.changed", "playback.started", "playback.resumed")
    assert not bench.speaker.loudest(), "something was heard"

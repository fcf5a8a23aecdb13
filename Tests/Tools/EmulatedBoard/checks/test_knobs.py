"""G and K1.1: a knob on two lines of the chip, and keys of a keyboard on USB as buttons."""

from checks import check

A, B = "VOLUME.a", "VOLUME.b"
# Turned up: which contact moves to which level.
CYCLE = ((A, 1), (B, 1), (A, 0), (B, 0))
STORM = 4  # s


@check("G1 G5 G8.1", "a knob that bounces is turned up by twelve and down by seven: as many steps, and a line a turn")
def test_turned(bench):
    bench.type("volume 30")
    _turn(bench, 12, bounces=3)
    bench.board.wait(0.5)
    assert bench.status()["volume"] == "42", bench.status()["volume"]
    _turn(bench, -7, bounces=3)
    bench.board.wait(0.5)
    assert bench.status()["volume"] == "35", bench.status()["volume"]
    turns = bench.console.since_mark("knob.turned")
    assert sum(int(turn["steps"]) for turn in turns) == 5, [turn.text for turn in turns]
    bench.expect_nothing("line.stuck")
    return f"{len(turns)} lines"


@check("G1.1", "half a turn and back, again and again: nothing")
def test_half_turns(bench):
    bench.type("volume 30")
    for _ in range(10):
        for name, level in CYCLE[:3]:
            bench.board.lines.set(name, level)
        for name, level in reversed(CYCLE[:3]):
            bench.board.lines.set(name, 1 - level)
    bench.board.wait(0.5)
    bench.expect_nothing("knob.turned")
    assert bench.status()["volume"] == "30"


@check("G8", "one of its lines chatters for seconds: reported once, nothing turned, and then it counts again")
def test_storm(bench):
    bench.type("volume 30")
    with bench.board.lines.storm([A]):
        bench.board.wait(STORM)
    bench.board.wait(0.5)
    stuck = bench.console.since_mark("line.stuck")
    assert [one["line"] for one in stuck] == ["VOLUME"], [one.text for one in stuck]
    bench.expect_nothing("knob.turned")
    _turn(bench, 3)
    bench.board.wait(0.5)
    assert bench.status()["volume"] == "33", bench.status()["volume"]
    return f"{stuck[0]['edges']} edges"


@check("K1.1", "a key of a keyboard that is a button: one action for each press")
def test_key(bench):
    bench.board.plug_keyboard()
    bench.console.wait_text("input device QEMU QEMU USB Keyboard is there")
    for _ in range(2):
        bench.board.strike("f5")
        bench.console.wait("button.pressed", button="next", line="KEY_NEXT")
    bench.board.wait(0.5)
    assert len(bench.console.since_mark("button.pressed")) == 2


def _turn(bench, detents, bounces=0):
    steps = CYCLE if detents > 0 else tuple((name, 1 - level) for name, level in reversed(CYCLE))
    for _ in range(abs(detents)):
        for name, level in steps:
            for bounce in range(bounces):
                bench.board.lines.set(name, level)
                bench.board.lines.set(name, 1 - level)
            bench.board.lines.set(name, level)

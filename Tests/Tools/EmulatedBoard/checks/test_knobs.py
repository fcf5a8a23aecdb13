"""G and K1.1: a knob on two lines of the chip, and keys of a keyboard on USB as buttons."""

from checks import check

A, B = "VOLUME.a", "VOLUME.b"
# Turned up: which contact moves to which level.
CYCLE = ((A, 1), (B, 1), (A, 0), (B, 0))
STORM = 4  # s
# The board has to look between two edges: those that come while it does something else are one.
EDGE = 0.01  # s


@check("G1 G5", "a knob is turned up by twelve and down by seven: as many steps, and a line a turn")
def test_turned(bench):
    bench.type("volume 30")
    for detents, volume in ((12, "42"), (-7, "35")):
        _turn(bench, detents)
        turned = bench.console.wait("knob.turned")
        assert turned["steps"] == str(detents), turned.text
        assert bench.status()["volume"] == volume, bench.status()["volume"]
    bench.board.wait(0.5)
    bench.expect_nothing("knob.turned", "line.stuck")


@check("G1.1 G8.1", "a knob that bounces is turned up by twelve: no step that it was not turned by, and few are missed")
def test_bouncing(bench):
    bench.type("volume 30")
    _turn(bench, 12, bounces=1)
    bench.board.wait(0.6)
    bench.expect_nothing("line.stuck")
    # Edges that come while the board is busy are merged into one, which may cost a step.
    steps = int(bench.status()["volume"]) - 30
    assert 4 <= steps <= 12, steps
    return f"{steps} of 12"


@check("G1.1", "half a turn and back, again and again: nothing")
def test_half_turns(bench):
    bench.type("volume 30")
    for _ in range(10):
        for name, level in CYCLE[:3] + tuple((name, 1 - level) for name, level in reversed(CYCLE[:3])):
            bench.board.lines.set(name, level)
            bench.board.wait(EDGE)
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
    bench.expect_nothing("button.pressed")


def _turn(bench, detents, bounces=0):
    steps = CYCLE if detents > 0 else tuple((name, 1 - level) for name, level in reversed(CYCLE))
    for _ in range(abs(detents)):
        for name, level in steps:
            for bounce in [level, 1 - level] * bounces:
                bench.board.lines.set(name, bounce)
                bench.board.wait(EDGE / 4)
            bench.board.lines.set(name, level)
            bench.board.wait(EDGE)

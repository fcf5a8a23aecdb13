"""G7 and G8.2 on the kernel's own input devices: a dial and a wheel, which the board makes up (uinput)."""

from checks import check
from EmulatedBoard.made import made

DIAL, WHEEL = 7, 8  # REL_DIAL, REL_WHEEL
NAME = "Test dial"
STORM = 5  # s; `stuck_after` is 3 s


@check("G7 G5", "a dial is turned up by nine and down by four, in events of one or of several counts; a wheel skips tracks")
def test_turned(bench):
    with made(bench.board, NAME, f"rel:{DIAL}", f"rel:{WHEEL}") as dial:
        bench.console.wait_text("axis of input device Test dial is there")
        bench.type("volume 30")
        for counts, volume in (((1, 1, 5, 2), "39"), ((-1, -3), "35")):
            dial.turn(DIAL, *counts)
            turned = bench.console.wait("knob.turned", knob="DIAL")
            assert turned["steps"] == str(sum(counts)), turned.text
            assert bench.status()["volume"] == volume, bench.status()["volume"]
        dial.turn(WHEEL, 1)
        turned = bench.console.wait("knob.turned", knob="WHEEL")
        assert (turned["from"], turned["to"]) == ("1", "2"), turned.text
        bench.board.wait(0.5)
        bench.expect_nothing("knob.turned", "line.stuck")
    bench.console.wait_text("axis of input device Test dial is gone")


@check("G8.2", "a dial counts a thousand at once: 64; it counts to and fro without end: reported once, and then it counts again")
def test_storm(bench):
    with made(bench.board, NAME, f"rel:{DIAL}", f"rel:{WHEEL}") as dial:
        bench.console.wait_text("axis of input device Test dial is there")
        bench.type("volume 10")
        dial.turn(DIAL, 1000)
        assert bench.console.wait("knob.turned")["steps"] == "64"
        assert bench.status()["volume"] == "74", bench.status()["volume"]
        dial.storm(DIAL, STORM)
        bench.board.wait(0.5)
        stuck = bench.console.since_mark("line.stuck")
        assert [one["line"] for one in stuck] == ["DIAL"], [one.text for one in stuck]
        bench.type("volume 30")
        dial.turn(DIAL, 3)
        bench.console.wait("knob.turned", steps="3")
        assert bench.status()["volume"] == "33", bench.status()["volume"]
        return f"{stuck[0]['edges']} counts"

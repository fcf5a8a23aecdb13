"""E5, E9: lights of the kernel's LED class, on GPIO lines; their patterns are made by the kernel. And what it costs to wait
on a board with knobs, signals, a contact and a keypad: nothing."""

import contextlib

from checks import check
from EmulatedBoard.made import made
from EmulatedBoard.wakes import counted

DEVICES = (("Test dial", "axis of input device Test dial", ("rel:7", "rel:8")), ("Test pad", "reader pad", ("key:2",)),
           ("Test door", "reader door", ("key:2",)))
SECONDS = 6  # of waiting, before `idle_reset`


def levels(bench, light: str, seconds: float) -> list[int | None]:
    """As often as it can be read."""
    end, found = bench.now() + seconds, []
    while bench.now() < end:
        found.append(bench.board.lines.read(light))
    return found


def changes(found: list[int | None]) -> int:
    return sum(one != other for one, other in zip(found, found[1:]))


def trigger(bench, light: str) -> str:
    return bench.board.run(f"sed 's/.*\\[\\(.*\\)\\].*/\\1/' /sys/class/leds/{light}/trigger")


@check("E9 E4 G8.1", "a light blinks by the kernel's trigger, also in a pause, in which nothing of the firmware wakes up")
def test_blinks(bench):
    with contextlib.ExitStack() as devices:
        for name, text, codes in DEVICES:
            devices.enter_context(made(bench.board, name, *codes))
            bench.console.wait_text(f"{text} is there")
        # One that is not there is looked for each second.
        bench.board.plug_keyboard()
        bench.console.wait_text("input device QEMU QEMU USB Keyboard is there")
        assert (trigger(bench, "light"), bench.board.lines.read("light")) == ("none", 0)
        bench.play_on("headphones")
        assert trigger(bench, "light") == "timer"
        bench.board.press("BTN_PLAY")
        bench.console.wait("playback.paused")
        # Until all is saved.
        bench.board.wait(3)
        with counted(bench) as woken:
            found = levels(bench, "light", SECONDS)
        assert changes(found) >= SECONDS, f"{changes(found)} changes in {SECONDS} s"
        assert woken.all == 0, f"{woken} in {SECONDS} s"
        bench.type("stop")
        bench.board.wait(0.2)
        assert (trigger(bench, "light"), bench.board.lines.read("light")) == ("none", 0)
        return f"{changes(found)} changes and {woken.all} wake-ups in {SECONDS} s, but for {woken.heartbeats} signs of life"


@check("E9", "a pattern of more than two steps is played by the kernel's trigger `pattern`")
def test_pattern(bench):
    bench.play_on("headphones")
    bench.unplug("headphones")
    bench.console.wait("prompt.shown")
    bench.board.wait(0.3)
    assert trigger(bench, "beacon") == "pattern"
    found = levels(bench, "beacon", 4)
    assert changes(found) >= 8, f"{changes(found)} changes in 4 s"
    bench.plug("headphones")
    bench.console.wait("playback.resumed")
    bench.board.wait(0.3)
    assert (trigger(bench, "beacon"), bench.board.lines.read("beacon")) == ("none", 0)
    return bench.board.run("cat /sys/class/leds/beacon/max_brightness")


@check("E5", "the firmware ends: dark. It is killed: the light blinks on until the next one begins, with all of them dark")
def test_ends(bench):
    bench.play_on("headphones")
    assert trigger(bench, "light") == "timer"
    bench.stop_service()
    try:
        assert trigger(bench, "light") == "none" and set(levels(bench, "light", 1)) == {0}
    finally:
        bench.start_service()
    bench.board.press("BTN_PLAY")
    bench.console.wait("playback.resumed")
    bench.board.wait(0.3)
    assert trigger(bench, "light") == "timer"
    bench.board.run("touch /run/hold; kill -9 $(cat /run/service.pid)")
    try:
        bench.board.wait(1)
        assert trigger(bench, "light") == "timer" and changes(levels(bench, "light", 3)) >= 3
    finally:
        bench.board.run("rm /run/hold")
    bench.console.wait("route.initial")
    bench.board.wait(0.5)
    assert (trigger(bench, "light"), bench.board.lines.read("light")) == ("none", 0)

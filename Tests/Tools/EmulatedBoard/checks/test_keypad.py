"""T5 on the kernel's own input devices: a keyboard on USB, which the firmware takes for itself (EVIOCGRAB)."""

import contextlib

from checks import check

READER = "keypad"


@check("T5", "digits and Enter of a keyboard play that track, and nobody else on the board gets a key of it")
def test_taken(bench):
    bench.board.run("touch /run/hold; kill $(cat /run/service.pid)")
    try:
        _plug(bench)
        # Nobody has taken it yet, so that others get what is typed.
        with _others(bench) as heard_free:
            bench.board.strike("2", "ret")
    finally:
        bench.board.run("rm /run/hold")
    bench.console.wait("route.initial")
    bench.board.wait(0.5)
    with _others(bench) as heard_taken:
        bench.board.strike("2", "ret")
        bench.console.wait("token.read", reader=READER, token="2", track="2")
        bench.console.wait("track.started", track="2")
    assert all(heard_free.values()), f"not taken, but: {heard_free}"
    assert not any(heard_taken.values()), f"somebody else got it: {heard_taken}"
    return f"others got {heard_free} bytes before it was taken, {heard_taken} then"


@check("T5", "the keyboard is pulled out half typed and plugged in again: it is a reader again, and nothing is left of it")
def test_replugged(bench):
    _plug(bench)
    bench.console.wait_text("reader keypad is there")
    bench.board.strike("2")
    bench.board.wait(0.3)
    bench.board.unplug_keyboard()
    bench.console.wait_text("reader keypad is gone")
    _plug(bench)
    bench.console.wait_text("reader keypad is there")
    bench.board.strike("3", "ret")
    bench.console.wait("token.read", reader=READER, token="3", track="3")
    bench.console.wait("track.started", track="3")


def _plug(bench):
    """Plugs it in, and waits for the kernel."""
    bench.board.plug_keyboard()
    bench.board.run("until grep -q Keyboard /proc/bus/input/devices; do sleep 0.1; done")


@contextlib.contextmanager
def _others(bench):
    """How many bytes others get meanwhile: one that reads the device, and one at the kernel's terminal."""
    heard = {}
    device = bench.board.run("sed -n '/Keyboard/,/^$/s/.*\\(event[0-9]*\\).*/\\1/p' /proc/bus/input/devices")
    places = {"device": f"/dev/input/{device}", "terminal": "/dev/tty1"}
    for name, place in places.items():
        bench.board.run(f"cat {place} >/tmp/{name} 2>/dev/null & echo $! >/tmp/{name}.pid")
    bench.board.wait(0.2)
    yield heard
    bench.board.wait(0.5)
    for name in places:
        bench.board.run(f"kill $(cat /tmp/{name}.pid)")
        heard[name] = int(bench.board.run(f"wc -c </tmp/{name}"))

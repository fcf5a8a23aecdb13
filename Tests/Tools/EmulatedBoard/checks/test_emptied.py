"""X3 and X5: all music goes and comes back, and the firmware is asked to look."""

from checks import check

TRACKS = 4
FOLDER = "/srv/music"
# s: without being asked it looks when nothing has changed for two seconds.
AT_ONCE = 1.5


@check("X3 X5 D1", "all music goes: said once, flashed and spoken; reload and SIGHUP have it look at once")
def test_emptied(bench):
    # What is mounted over it hides it.
    bench.board.run(f"mount -t tmpfs none {FOLDER}")
    try:
        asked = bench.type("reload")
        gone = bench.console.wait("library.changed", removed=TRACKS, tracks="0")
        bench.console.wait("library.empty")
        with bench.without("library.empty", "playback.started"):
            bench.console.wait("cue.started", cue="chime")
            bench.console.wait("cue.ended", cue="chime")
            levels = bench.watch_lamp(6)
            assert 1 in levels and levels.count(1) < len(levels) / 4, f"the lamp was {levels}"
            bench.board.press("BTN_PLAY")
            bench.console.wait("queue.ended", reason="no tracks")
            bench.board.wait(0.5)
    finally:
        bench.board.run(f"umount {FOLDER}")
        hung = bench.now()
        bench.board.run("kill -HUP $(cat /run/service.pid)")
        came = bench.console.wait("library.changed", added=TRACKS, tracks=TRACKS)
    bench.board.wait(0.5)
    assert set(bench.watch_lamp(1)) == {0}, "the lamp still flashes"
    bench.play_on("speaker", 0.3)
    found = gone.at - asked.at, came.at - hung
    assert max(found) < AT_ONCE, f"looked {found} s after it was asked"
    return f"let go {1000 * found[0]:.0f} ms after reload, taken in {1000 * found[1]:.0f} ms after SIGHUP"

"""H1 and H2: opening hours by the board's own clock, which is set by hand to seconds before a boundary."""

import contextlib

from checks import check

FADE = 1  # s, as `closing_fade` says
LATE = 0.25  # s: what a busy host may add


@contextlib.contextmanager
def shop(bench, clock: str):
    """It plays from nine to six, also after a power cut, and its firmware begins at this time of a Tuesday. Nothing on the
    board vouches for the clock but the settings."""
    today = bench.board.run("date '+%Y-%m-%d %H:%M:%S'")
    settings = "/etc/jackdaw/jackdaw.toml"
    try:
        bench.restart_service(
            f"cp {settings} /tmp/settings; sed -i '1i clock = \"trusted\"\\nplay_on_boot = true' {settings}",
            f"printf '[hours]\\ndaily = [\"09:00-18:00\"]\\nclosing_fade = \"{FADE}s\"\\n' >>{settings}",
            f"date -s '2026-06-09 {clock}' >/dev/null")
        yield
    finally:
        bench.restart_service(f"date -s '{today}' >/dev/null; cp /tmp/settings {settings}")


def boundary(bench, second: str) -> float:
    """When the board's clock shows this time of that Tuesday, as the log counts."""
    # The board's `date` knows no fractions: as its second changes.
    tick = "old=$(date +%s); while now=$(date +%s); [ $now = $old ]; do :; done; echo $now $(cut -d' ' -f1 /proc/uptime)"
    wall, up = bench.board.run(tick).split()
    return float(bench.board.run(f"date -d '2026-06-09 {second}' +%s")) - float(wall) + float(up)


@check("H1 H1.1 H1.3 H1.7", "the shop closes: the music fades at the second, a press is refused, and its staff opens again")
def test_closes(bench):
    with shop(bench, "17:59:30"):
        bench.type("stop")
        bench.play_on("headphones")
        due = boundary(bench, "18:00:00")
        closed = bench.console.wait("hours.closed", patience=300, by="clock")
        stopped = bench.console.wait("playback.stopped", cause="closed")
        assert abs(closed.at - due) < LATE, f"closed {closed.at - due:+.3f} s from six"
        assert abs(stopped.at - closed.at - FADE) < LATE, f"silent after {stopped.at - closed.at:.3f} s"
        bench.board.wait(0.5)
        bench.forget_sound()
        bench.board.press("BTN_PLAY")
        refused = bench.console.wait("session.refused", by="closed")
        bench.board.wait(1)
        assert not bench.headphones.loudest(), "it is closed, and the headphones were heard"
        bench.type("hours open")
        bench.console.wait("hours.opened", by="staff")
        bench.board.press("BTN_PLAY")
        bench.console.wait("playback.started")
        assert bench.status()["state"] == "playing"
        # A busy host records late.
        bench.board.wait(3)
        assert bench.headphones.loudest(), "its staff has opened it, and the headphones were not heard"
        bench.type("hours auto")
        bench.console.wait("playback.stopped", cause="closed")
        return f"{1000 * (closed.at - due):+.0f} ms from six, silent {stopped.at - closed.at:.3f} s later; {refused.text}"


@check("H2 H2.2", "it played when it was switched off, and boots while it is closed: silent from the first frame")
def test_boots_closed(bench):
    with shop(bench, "12:00:00"):
        bench.type("stop")
        bench.play_on("headphones")
        bench.stop_service()
        bench.forget_sound()
        bench.board.run("date -s '2026-06-09 18:30:00' >/dev/null")
        bench.start_service()
        closed = bench.console.wait("hours.closed", by="clock")
        bench.board.wait(2)
        bench.expect_nothing("playback.started", "playback.resumed")
        assert not bench.headphones.loudest(), "it is closed, and the headphones were heard"
        assert bench.status()["hold"] == "closed"
        # By hand: it is morning, and it opens without a sound of its own.
        bench.board.run("date -s '2026-06-10 09:00:00' >/dev/null")
        bench.console.wait("hours.opened", by="clock")
        return closed.text

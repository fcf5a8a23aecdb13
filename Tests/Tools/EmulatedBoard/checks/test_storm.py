"""Edge storms: broken wires, and a motor beside them."""

from Board import sound
from checks import check

CALM = ("JACK_SENSE",)
STORM = 4  # s


class Load:
    """What lines and firmware have cost since it was made."""

    def __init__(self, board):
        self._board = board
        self._begin = self._read()

    def since(self):
        """Edges a second that the kernel has seen, and the part of the time that the firmware has had a processor. Interrupts
        that come while it runs count as its own, and how long one takes is the emulator's matter: a figure, no limit. A
        firmware that never slept would be ended by the kernel (LimitRTTIME)."""
        (at, edges, busy), (before, edges_before, busy_before) = self._read(), self._begin
        return (edges - edges_before) / (at - before), (busy - busy_before) / (at - before)

    def _read(self):
        """The time in s, interrupts of the lines' chip, and s for which the firmware has run."""
        at = float(self._board.run("cut -d' ' -f1 /proc/uptime"))
        edges = self._board.run("sed -n 's/.*: *\\([0-9]*\\) .*pl061.*/\\1/p' /proc/interrupts").split()
        busy = self._board.run("cut -d' ' -f1 /proc/$(cat /run/service.pid)/task/*/schedstat").split()
        return at, sum(map(int, edges)), sum(map(int, busy)) / 1e9


@check("R3 R6 K1 K4", "all lines but one chatter for seconds: nothing pressed, none reported twice, not a frame lost")
def test_storm(bench):
    lines = bench.board.lines
    stormy = [name for name in bench.board.wiring.inputs if name not in CALM]
    bench.play_on("headphones", 0.5)
    load = Load(bench.board)
    with lines.storm(stormy):
        bench.board.wait(STORM)
    edges, busy = load.since()
    # A pulse that is over before the kernel looks leaves two edges to one level; a line with only such edges is not
    # reported.
    reported = bench.console.since_mark("line.stuck")
    reported_lines = {stuck["line"] for stuck in reported}
    assert len(reported_lines) == len(reported) and reported_lines <= set(stormy), [stuck.text for stuck in reported]
    assert all(stuck.number("edges") > 16 for stuck in reported), [stuck.text for stuck in reported]
    assert edges > 1_000, f"only {edges:.0f} edges a second"
    bench.expect_nothing("button.pressed", "route.changed")
    # They come to rest, one of them asserted.
    bench.plug("line-out")
    bench.board.wait(0.5)
    bench.expect_nothing("button.pressed", "route.changed", "output.underrun")
    status = bench.status()
    assert (status["state"], status["route"], status["volume"]) == ("playing", "headphones", "100"), status
    parts = bench.headphones.stretches()
    assert len(parts) == 1, f"what was heard is in pieces: {parts}"
    return (f"{edges / 1000:.1f} kHz, {len(reported)} of {len(stormy)} lines reported, {100 * busy:.0f} % of the processor, "
            f"{status['lost-edges']} edges lost")


@check("R5 K1", "the plug that plays chatters, too: then it goes on from the held frame, none lost")
def test_storm_on_the_route(bench):
    lines = bench.board.lines
    bench.play_on("headphones", 0.5)
    with lines.storm(bench.board.wiring.inputs):
        bench.board.wait(0.3)
    lines.set("JACK_SENSE", 1)
    bounced = bench.console.wait("line.bounced", line="JACK_SENSE")
    # A storm keeps QEMU so busy that its card needs up to a second to be itself again.
    for _ in range(8):
        bench.board.wait(0.5)
        parts = bench.headphones.stretches()
        if len(parts) >= 2:
            break
    bench.expect_nothing("route.changed", "playback.paused", "button.pressed")
    missing = sound.largest_gap(parts)
    assert len(parts) >= 2 and missing <= 0.015 * sound.RATE, f"{missing} frames are missing: {parts}"
    assert bench.status()["state"] == "playing"
    return f"{bounced['edges']} edges, {len(parts)} pieces"

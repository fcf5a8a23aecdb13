"""R12 on the USB card. QEMU's knows one rate only, so another card takes its place."""

import contextlib

from Board import sound
from checks import check
from EmulatedBoard.checks.test_contacts import OTHER_RATE, expect_places, expect_rate


@check("R12 I14", "the USB card is exchanged for a card of another rate, and back: it goes on at the frame, at that rate")
def test_exchanged(bench):
    # After 10 s of sound the pauses between two tries begin again (I14), whatever was pulled out before.
    bench.play_on("headphones", 10.5)
    with _loop_back_instead(bench):
        resumed = expect_rate(bench, OTHER_RATE, "headphones")
        bench.board.wait(1.5)
        bench.board.unplug_loop_back()
        lost = bench.console.wait("output.lost")
        beside = expect_places(bench, bench.loop_back.end(), resumed)
        bench.board.plug_card()
        bench.begin_anew()
        resumed = expect_rate(bench, sound.RATE, "headphones")
        assert abs(resumed.number("frame") - lost.number("frame")) <= 1, f"{lost.text}; {resumed.text}"
    bench.board.wait(1)
    part = bench.bus.sent().stretches(bench.tracks)[0]
    again = part.begin - resumed.number("frame")
    # The fade-in may begin with a few frames of silence.
    assert 0 <= again <= 0.005 * sound.RATE, f"went on from {resumed['frame']}, sent {part}"
    return f"at {OTHER_RATE} Hz {' '.join(beside)} frames beside the log's after 0.02 and 1 s; then {again:.0f}"


@contextlib.contextmanager
def _loop_back_instead(bench):
    """The loop-back card under the name of the USB card, at another rate, which a recorder settles before."""
    try:
        bench.loop_back.begin(OTHER_RATE)
        bench.board.unplug_card()
        bench.console.wait("output.lost")
        bench.board.run("printf Audio >$(dirname $(grep -lx Loopback /sys/class/sound/card*/id))/id")
        yield
    finally:
        bench.board.unplug_loop_back()
        bench.board.plug_loop_back()

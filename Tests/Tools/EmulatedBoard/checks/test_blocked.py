"""K6: a console that takes nothing."""

from checks import check


@check("K6", "nobody takes what the console sends: sound goes on, lines are dropped and counted")
def test_blocked(bench):
    bench.play_on("headphones")
    bench.console.block()
    # The socket takes 200 kB before the line stops; then the firmware keeps 64 kB.
    for _ in range(110):
        bench.console.type("help\rhelp\rhelp")
        bench.board.wait(0.05)
    begin = len(bench.headphones.stretches())
    bench.board.wait(1)
    parts = bench.headphones.stretches()
    bench.console.free()
    dropped = bench.console.wait("log.dropped")
    bench.board.wait(0.5)
    assert begin == len(parts) == 1, f"what was heard is in pieces: {parts}"
    assert bench.status()["state"] == "playing"
    return f"{dropped['n']} lines dropped, {parts[0].length} frames in one piece"

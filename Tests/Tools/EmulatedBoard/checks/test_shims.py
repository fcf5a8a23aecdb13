"""The C shims, on the kernel's own devices."""

from checks import check

# No line of board/emulated.toml.
FREE = 3


@check("shims", "the C shims write no byte beside what they are given")
def test_fences(bench):
    with bench.board.lines.storm([f"PIN_{FREE}"]):
        return bench.board.run(f"/usr/lib/board/fences /dev/gpiochip0 {FREE} 2>&1")

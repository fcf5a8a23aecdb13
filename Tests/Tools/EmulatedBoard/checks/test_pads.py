"""T5.3 on the kernel's own input devices: keypads without Enter, which the board makes up (uinput)."""

from checks import check
from EmulatedBoard.made import made

KEYS = {"0": 11, "3": 4, "A": 30, "B": 48, "X": 45}


def strike(pad, text: str) -> None:
    pad.strike(*(KEYS[character] for character in text))


def codes(text: str) -> list[str]:
    return [f"key:{KEYS[character]}" for character in text]


@check("T5.3", "a keypad without Enter: a token of the settings ends itself, and so do N characters where `length` says so")
def test_self_ending(bench):
    with made(bench.board, "Test pad", *codes("ABX")) as pad, made(bench.board, "Test door", *codes("03")) as door:
        for reader in ("pad", "door"):
            bench.console.wait_text(f"reader {reader} is there")
        strike(pad, "XA")
        bench.console.wait("token.read", reader="pad", token="XA", track="2")
        bench.console.wait("track.started", track="2")
        strike(door, "03")
        bench.console.wait("token.read", reader="door", token="03", track="3")
        bench.console.wait("track.started", track="3")
        # Half of one is none.
        strike(pad, "X")
        bench.board.wait(0.5)
        bench.expect_nothing("token.read", "token.unknown")
        strike(pad, "B")
        bench.console.wait("token.read", reader="pad", token="XB")
    bench.console.wait_text("reader pad is gone")


@check("T5.1", "what is typed again after something else counts; what is typed twice does not")
def test_again(bench):
    with made(bench.board, "Test pad", *codes("ABX")) as pad:
        bench.console.wait_text("reader pad is there")
        for token in ("XA", "XB", "XA"):
            strike(pad, token)
            bench.console.wait("token.read", token=token)
        strike(pad, "XA")
        bench.board.wait(0.5)
        bench.expect_nothing("token.read", "token.unknown")

"""Board files of what is measured."""

import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parents[4]


def board_file(rate: int) -> str:
    """The simulated board with all its ports on one card, at this rate."""
    text = re.sub(r"(?m)^pcm = .*$", 'pcm = "main"', (TOP / "board/sim.toml").read_text())
    return re.sub(r"(?m)^rate = \d+", f"rate = {rate}", text)


def started_file() -> str:
    """The same with a line out that is always there: only a port that is private plays on at a boot."""
    text = re.sub(r"(?ms)^\[lines\.DOCK_SENSE\].*?\n\n", "", board_file(44_100))
    return text.replace('sense = "gpio"\nline = "DOCK_SENSE"', 'sense = "always"')

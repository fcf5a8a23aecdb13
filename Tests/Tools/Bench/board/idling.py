"""Wake-ups and memory on the board, read from copies of its /proc as `steady` reads those of this machine."""

import pathlib
import re

import steady
from emulator import Board
from figures import Figure

HERE = pathlib.Path(__file__).parent
SECONDS = 10  # between two copies, by the board's clock
PLAYERS = ("Jackdaw", "mpg123", "mpd")


def measure(board: Board, tracks: pathlib.Path, folder: pathlib.Path, progress) -> tuple[list[Figure], dict]:
    """
    - tracks: what playing.pieces made.
    """
    job = folder / "steady"
    script = (HERE / "job.sh").read_text() + (HERE / "steady.sh").read_text()
    printed = board.run(job, script, [tracks / "20.mp3"])
    progress(printed)
    pids = {name: int(pid) for name, pid in re.findall(r"(?m)^(\S+) (\d+)$", printed)}

    def woken(begin: str, end: str) -> dict[str, float]:
        return {
            name: (steady.wakes(pids[f"{name}-{end}"], job / f"{name}-{end}")
                   - steady.wakes(pids[f"{name}-{begin}"], job / f"{name}-{begin}")) / SECONDS
            for name in PLAYERS if f"{name}-{end}" in pids}

    memory = {name: steady.resident(pids[f"{name}-played"], job / f"{name}-played") for name in PLAYERS}
    figures = [
        Figure("wake-ups playing", "a second", woken("playing", "played"), goal=10, is_counted=True),
        Figure("wake-ups paused", "a second", woken("paused", "waited"), goal=0, is_counted=True),
        Figure("memory playing", "MiB", memory),
        Figure("memory playing, ÷ mpg123", "", {"Jackdaw": memory["Jackdaw"] / memory["mpg123"]}),
    ]
    return figures, {figure.name: figure.values for figure in figures}

"""What playing and pausing cost when nothing happens: wake-ups, CPU, memory, all read from /proc."""

import pathlib
import time

import music
import players
from figures import Figure, median


def measure(setting: players.Setting, progress, rounds: int, seconds: float) -> tuple[list[Figure], dict]:
    piece = music.pieces(setting.top / "board/sim/music", setting.folder / "steady.mp3", 60)
    raw: dict[str, list[dict]] = {kind.name: [] for kind in players.ALL}
    for turn in range(rounds):
        for kind in players.ALL:
            with kind(setting, [piece]) as player:
                raw[kind.name].append(_one(player, seconds))
            progress(f"steady {turn + 1}/{rounds} {kind.name}: {raw[kind.name][-1]}")

    def figure(name: str, unit: str, key: str, **more) -> Figure:
        return Figure(name, unit, {player: median([one[key] for one in raw[player]]) for player in raw}, **more)

    figures = [
        figure("wake-ups playing", "a second", "playing", goal=10, is_counted=True),
        figure("wake-ups paused", "a second", "paused", goal=0, is_counted=True),
        figure("CPU playing", "% of a core", "cpu"),
        figure("longest stretch of CPU", "ms", "burst"),
        figure("memory playing", "MiB", "resident"),
        figure("peak memory", "MiB", "peak"),
    ]
    ratio = figures[-1].values["Jackdaw"] / figures[-1].values["mpg123"]
    figures.append(Figure("peak memory", "÷ mpg123", {"Jackdaw": ratio, "mpg123": 1}, goal=1.2))
    return figures, raw


def _one(player: players.Player, seconds: float) -> dict:
    player.play()
    # Past the start, whose filling of buffers is no steady state.
    time.sleep(3)
    wakes, busy = _wakes(player.pid), _busy(player.pid)
    begin = time.monotonic()
    burst = _longest_burst(player.pid, seconds)
    resident = _memory(player.pid, "VmRSS:")
    passed = time.monotonic() - begin
    playing = (_wakes(player.pid) - wakes) / passed
    cpu = 100 * (_busy(player.pid) - busy) / passed
    player.pause()
    time.sleep(3)
    wakes, begin = _wakes(player.pid), time.monotonic()
    time.sleep(seconds / 2)
    paused = (_wakes(player.pid) - wakes) / (time.monotonic() - begin)
    return {"playing": playing, "paused": paused, "cpu": cpu, "burst": burst * 1000, "resident": resident,
            "peak": _memory(player.pid, "VmHWM:")}


def _tasks(pid: int) -> list[pathlib.Path]:
    return list(pathlib.Path(f"/proc/{pid}/task").iterdir())


def _field(path: pathlib.Path, name: str) -> int:
    for line in path.read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    raise ValueError(f"{path} has no {name}")


def _wakes(pid: int) -> int:
    """How often its threads have gone to sleep by themselves, and so were woken."""
    return sum(_field(task / "status", "voluntary_ctxt_switches:") for task in _tasks(pid))


def _memory(pid: int, which: str) -> float:
    """MiB."""
    return _field(pathlib.Path(f"/proc/{pid}/status"), which) / 1024


def _busy(pid: int) -> float:
    """Seconds on a processor."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in _tasks(pid)) / 1e9


def _longest_burst(pid: int, seconds: float, grain: float = 0.002) -> float:
    """Seconds of CPU in the longest stretch without a pause of 2 ms."""
    end, before = time.monotonic() + seconds, _busy(pid)
    burst = longest = 0.0
    while time.monotonic() < end:
        time.sleep(grain)
        now = _busy(pid)
        burst = burst + now - before if now > before else 0.0
        longest = max(longest, burst)
        before = now
    return longest

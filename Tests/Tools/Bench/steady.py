"""What playing and pausing cost when nothing happens: wake-ups, CPU, memory, all read from /proc.

A player's child processes count, too; pages of files that they share count once.
"""

import pathlib
import time

import music
import players
from figures import Figure, median

PROC = pathlib.Path("/proc")


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
    # Past the start, whose filling of buffers is not a steady state.
    time.sleep(3)
    woken, used = wakes(player.pid), busy(player.pid)
    begin = time.monotonic()
    burst = _longest_burst(player.pid, seconds)
    memory = resident(player.pid)
    passed = time.monotonic() - begin
    playing = (wakes(player.pid) - woken) / passed
    cpu = 100 * (busy(player.pid) - used) / passed
    player.pause()
    time.sleep(3)
    woken, begin = wakes(player.pid), time.monotonic()
    time.sleep(seconds / 2)
    paused = (wakes(player.pid) - woken) / (time.monotonic() - begin)
    return {"playing": playing, "paused": paused, "cpu": cpu, "burst": burst * 1000, "resident": memory,
            "peak": _peak(player.pid)}


def processes(pid: int, proc: pathlib.Path = PROC) -> list[int]:
    """It and the processes that it has started.

    - proc: /proc, or a copy of it from another machine.
    """
    found = [pid]
    for task in (proc / f"{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += processes(int(child), proc)
    return found


def _tasks(pid: int, proc: pathlib.Path = PROC) -> list[pathlib.Path]:
    return [task for process in processes(pid, proc) for task in (proc / f"{process}/task").iterdir()]


def field(path: pathlib.Path, name: str) -> int:
    for line in path.read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    raise ValueError(f"{path} has no {name}")


def wakes(pid: int, proc: pathlib.Path = PROC) -> int:
    """How often its threads have gone to sleep by themselves, and so were woken."""
    return sum(field(task / "status", "voluntary_ctxt_switches:") for task in _tasks(pid, proc))


def resident(pid: int, proc: pathlib.Path = PROC) -> float:
    """MiB in memory for all processes; a page of a file that several of them have counts once."""
    private, files = 0, {}
    for process in processes(pid, proc):
        place, size = (), 0
        for line in (proc / f"{process}/smaps").read_text().splitlines():
            words = line.split()
            if not words[0].endswith(":"):
                # From which byte of which file; a name in brackets is not a file.
                place = (words[5:], words[2]) if len(words) > 5 and words[5].startswith("/") else ()
            elif words[0] == "Anonymous:":
                private += int(words[1])
                if place:
                    key = str(place)
                    files[key] = max(files.get(key, 0), size - int(words[1]))
                else:
                    private += size - int(words[1])
            elif words[0] == "Rss:":
                size = int(words[1])
    return (private + sum(files.values())) / 1024


def _peak(pid: int) -> float:
    """MiB; of several processes, as if each had its peak at the same time."""
    grown = sum(field(pathlib.Path(f"/proc/{process}/status"), "VmHWM:")
                - field(pathlib.Path(f"/proc/{process}/status"), "VmRSS:") for process in processes(pid))
    return resident(pid) + grown / 1024


def busy(pid: int) -> float:
    """Seconds on a processor."""
    return sum(int((task / "schedstat").read_text().split()[0]) for task in _tasks(pid)) / 1e9


def _longest_burst(pid: int, seconds: float, grain: float = 0.002) -> float:
    """Seconds of CPU in the longest stretch without a pause of 2 ms."""
    end, before = time.monotonic() + seconds, busy(pid)
    burst = longest = 0.0
    while time.monotonic() < end:
        time.sleep(grain)
        now = busy(pid)
        burst = burst + now - before if now > before else 0.0
        longest = max(longest, burst)
        before = now
    return longest

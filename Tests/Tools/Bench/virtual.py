"""What the simulator measures in virtual time: the same on every machine."""

import array
import math
import pathlib
import random
import subprocess
import time
import wave

import music
import paced
import players
from figures import Figure


BASS = 30  # Hz


def measure(setting: players.Setting, progress) -> tuple[list[Figure], dict]:
    folder = setting.folder / "virtual"
    chord = music.chord(_tracks(folder) / "1.mp3", 20)
    (folder / "music/2.mp3").hardlink_to(chord)
    edges, ports = _cut(setting, folder)
    fades = [_fade(ports[0], edge) for edge in edges]
    assert min(fades) > 0, f"nothing was heard at an edge: {fades}"
    decoded = array.array("h", music.decode(chord))
    own = paced.largest_step(decoded)
    fade = paced.fade_step(decoded, music.RATE)
    progress(f"virtual time: fades of {min(fades):.2f} to {max(fades):.2f} ms")
    return [
        Figure("unplug to silence in virtual time", "ms", {"Jackdaw": max(fades)}, goal=4, is_counted=True),
        _clicks("click at any cut in virtual time", ports, own, own + fade),
        _bass(setting),
    ], {"fades": fades}


def _bass(setting: players.Setting) -> Figure:
    """A low tone at full scale, in which a fade makes the largest step."""
    folder = setting.folder / "bass"
    tone = music.tone(_tracks(folder) / "1.wav", BASS, 20)
    (folder / "music/2.wav").hardlink_to(tone)
    _, ports = _cut(setting, folder)
    samples = _samples(tone)
    own = paced.largest_step(samples)
    # A tone has its largest step at 0, where a fade changes nothing: the two are a quarter of a wave apart.
    both = math.hypot(own, paced.fade_step(samples, music.RATE))
    return _clicks(f"click at any cut of full-scale bass, {BASS} Hz", ports, own, both)


def _clicks(name: str, ports: list[array.array], own: float, most: float) -> Figure:
    heard = max(map(paced.largest_step, ports))
    assert heard > own / 2, f"what was heard has no step above {heard}, the music one of {own}"
    # Two samples of the fade are rounded, each by one at most.
    goal = round((most + 2) / own, 2)
    return Figure(name, "× the music", {"Jackdaw": heard / own}, goal=goal, is_counted=True)


def _tracks(folder: pathlib.Path) -> pathlib.Path:
    (folder / "music").mkdir(parents=True)
    return folder / "music"


def _cut(setting: players.Setting, folder: pathlib.Path) -> tuple[list[float], list[array.array]]:
    """When the plug was pulled, and what headphones and speaker played."""
    edges = _write_scenario(folder / "cuts.scenario")
    _simulate(setting, folder, "cuts.scenario", "--audio", str(folder / "audio"))
    return edges, [_samples(folder / f"audio/{port}.wav") for port in ("headphones", "speaker")]


def simulation(setting: players.Setting, progress, rounds: int) -> tuple[list[Figure], dict]:
    """How many hours of playing a second of this machine simulates."""
    folder = setting.folder / "simulation"
    folder.mkdir()
    (folder / "hour.scenario").write_text("at 0s plug headphones\nat 1s press play\nat 3600s end\n")
    times = []
    for _ in range(rounds):
        begin = time.monotonic()
        _simulate(setting, folder, "hour.scenario", music=setting.top / "board/sim/music")
        times.append(time.monotonic() - begin)
    progress(f"an hour simulated in {', '.join(f'{one:.2f}' for one in times)} s")
    hours = Figure(
        "hours simulated", "a second", {"Jackdaw": 1 / min(times)}, goal=1, at_least=True)
    return [hours], {"seconds": times}


def _write_scenario(path: pathlib.Path) -> list[float]:
    """Cuts of every kind at odd moments; returns when the plug was pulled."""
    generator = random.Random(4)
    steps, edges, now = ["at 0s plug headphones", "at 1s press play"], [], 2.0
    pairs = [
        ("unplug headphones", "plug headphones"), ('console "pause"', 'console "play"'), ("press stop", "press play"),
        ("press next", "press previous"), ("route speaker", "route auto"),
    ]
    for first, second in pairs * 4:
        for step in (first, second):
            now += generator.uniform(0.7, 1.1)
            steps.append(f"at {round(now * 1000)}ms {step}")
            if step == "unplug headphones":
                edges.append(round(now * 1000) / 1000)
    path.write_text("\n".join([*steps, f"at {round(now + 1)}s end"]) + "\n")
    return edges


def _simulate(setting: players.Setting, folder: pathlib.Path, scenario: str, *more: str, music=None) -> None:
    settings = folder / "settings.toml"
    settings.write_text('start_volume = 100\nrepeat = "queue"\nidle_reset = 0\n')
    subprocess.run(
        [str(setting.jackdaw), "simulate", str(folder / scenario), "--board", str(setting.top / "board/sim.toml"),
         "--settings", str(settings), "--music", str(music or folder / "music"), "--log", str(folder / "events.log"),
         *more], check=True, stderr=subprocess.DEVNULL)


def _samples(path: pathlib.Path) -> array.array:
    with wave.open(str(path)) as file:
        return array.array("h", file.readframes(file.getnframes()))


def _fade(samples: array.array, edge: float) -> float:
    """Milliseconds from the edge to the end of the last sample that is not 0."""
    frame = round((edge + 0.5) * music.RATE)
    while frame > 0 and samples[2 * frame] == 0 and samples[2 * frame + 1] == 0:
        frame -= 1
    return 1000 * ((frame + 1) / music.RATE - edge)

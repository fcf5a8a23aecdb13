"""Edge to silence, and command to sound."""

import array
import random
import time

import music
import paced
import players
from figures import Figure, median, percentile

PAUSE = 0.55  # s; keys of the simulated board are half a second apart
SILENCE_BEFORE, SILENCE_AFTER = 0.020, 0.005  # s of the picture


def unplugs(setting: players.Setting, progress, count: int, peers: int) -> tuple[list[Figure], dict]:
    """Pulls the plug `count` times on Jackdaw and `peers` times on each peer, in turns, at random phases."""
    chord = music.chord(setting.folder / "unplugs.mp3", 60)
    times: dict[str, list[float]] = {kind.name: [] for kind in players.ALL}
    cuts: dict[str, list[dict]] = {kind.name: [] for kind in players.ALL}
    turns = 3
    for turn in range(turns):
        for kind in players.ALL:
            total = count if kind is players.Jackdaw else peers
            share = total * (turn + 1) // turns - total * turn // turns
            with kind(setting, [chord]) as player:
                pulls = pull(player, share)
            found = measure_cuts(player.timeline(), pulls)
            cuts[kind.name] += found
            times[kind.name] += [cut["seconds"] for cut in found]
        progress(f"unplugs, turn {turn + 1}/{turns}: " + ", ".join(
            f"{name} {len(found)} (median {1000 * median(found):.1f} ms)" for name, found in times.items() if found))

    def figure(name: str, share: float, **more) -> Figure:
        return Figure(name, "ms", {player: 1000 * percentile(found, share) for player, found in times.items()}, **more)

    figures = [
        figure("unplug to silence, median", 0.5),
        figure("unplug to silence, 99th percentile", 0.99, goal=10),
        figure("unplug to silence, slowest", 1),
    ]
    typical = {name: _typical(found) for name, found in cuts.items() if found}
    own = paced.largest_step(array.array("h", music.decode(chord))[:20 * music.RATE])
    return figures, {"seconds": times, "cuts": typical, "largest step of the music": own}


def pull(player: players.Player, count: int) -> list[tuple[float, float]]:
    """When the plug was pulled, and when it was put back."""
    player.play()
    time.sleep(1.5)
    cuts = []
    for _ in range(count):
        time.sleep(PAUSE + random.uniform(0, 0.2))
        out = time.monotonic()
        player.unplug()
        time.sleep(PAUSE)
        cuts.append((out, time.monotonic()))
        player.plug()
    time.sleep(0.3)
    return cuts


def measure_cuts(timeline: paced.Timeline, pulls: list[tuple[float, float]]) -> list[dict]:
    cuts = []
    for out, back in pulls:
        last = timeline.last_sound(before=back)
        if last is None or last[0] < out:
            continue  # It was not playing: the resume before was late.
        around = timeline.window(last[0] - SILENCE_BEFORE, last[0] + SILENCE_AFTER, music.RATE)
        # The left channel, from a sample before the last one on.
        wave = around[0::2]
        end = round(SILENCE_BEFORE * music.RATE)
        step = max(abs(a - b) for a, b in zip(wave[end - 2 : end + 3], wave[end - 1 : end + 4]))
        cuts.append({"seconds": last[0] - out, "step": step, "wave": list(wave)})
    return cuts


def _typical(cuts: list[dict]) -> dict:
    """The cut with the median step."""
    return sorted(cuts, key=lambda cut: cut["step"])[len(cuts) // 2]


def starts(setting: players.Setting, progress, rounds: int) -> tuple[list[Figure], dict]:
    """From the command to play, given to a player that has stopped, to the first sample that is heard."""
    chord = music.chord(setting.folder / "starts.mp3", 20)
    times: dict[str, list[float]] = {}
    open_players = [kind(setting, [chord]) for kind in players.ALL]
    pulls: dict[str, list[float]] = {player.name: [] for player in open_players}
    try:
        for player in open_players:
            player.start()
        for _ in range(rounds):
            for player in open_players:
                pulls[player.name].append(time.monotonic())
                player.play()
                time.sleep(0.5)
                player.stop()
                time.sleep(0.4)
    finally:
        for player in open_players:
            player.close()
    for player in open_players:
        timeline = player.timeline()
        found = [timeline.first_sound(after=mark) for mark in pulls[player.name]]
        times[player.name] = [
            first - mark for first, mark in zip(found, pulls[player.name]) if first and first - mark < 0.5]
        progress(f"starts: {player.name} {len(times[player.name])}")
    figures = [
        Figure(f"play to first sample, {words}", "ms",
               {name: 1000 * percentile(found, share) for name, found in times.items() if found})
        for words, share in (("median", 0.5), ("95th percentile", 0.95))
    ]
    return figures, {"seconds": times}

"""What a visitor hears of mpd behind a script and of Jackdaw: unplugs, a contact that bounces, lost cards, kills.

Both play noise that nothing between track and card changes, so that each moment shows its place.
"""

import concurrent.futures
import pathlib
import random
import time
import wave

import paced
import players
import standstill
from contact import SCRIPTS, Scripted, Wired
from figures import median, number

RATE = 48_000
PAUSE = 1.0  # s after an edge in which all is over
LEAST = 48  # frames of 0 that are a gap
FADED = 480  # frames beside a gap that may be faded; after them a frame is as in the track
PATTERN = 32  # frames that show where they are from
BOUNCES = (0.002, 0.005, 0.010, 0.020)  # s for which the contact is open
LOST, PATIENCE = 5.0, 30.0  # s without a card, and s in which the music is waited for


class Noise:
    """A track of which each frame shows its place."""

    def __init__(self, path: pathlib.Path, seconds: int) -> None:
        self.path, self._frames = path, random.Random(1).randbytes(4 * RATE * seconds)
        with wave.open(str(path), "wb") as file:
            file.setparams((2, 2, RATE, 0, "NONE", ""))
            file.writeframes(self._frames)

    def frame(self, heard: bytes, frame: int) -> int:
        """The frame of the track that was heard as this one."""
        found = self._frames.find(heard[4 * frame : 4 * (frame + PATTERN)])
        if found < 0 or found % 4:
            raise RuntimeError(f"frame {frame} of what was heard is not of the track")
        return found // 4

    def first(self, timeline: paced.Timeline, after: float) -> tuple[float, float] | None:
        """When something was heard from this moment on, and its place: s both."""
        begin = timeline.first_sound(after)
        heard = b"" if begin is None else timeline.window(begin, begin + 2 * FADED / RATE, RATE).tobytes()
        return (begin, (self.frame(heard, FADED) - FADED) / RATE) if heard else None

    def gap(self, timeline: paced.Timeline, begin: float, end: float) -> dict[str, float]:
        """The first silence within this time, if there is one, in s: `after` is from `begin`; `lasts` and `skips`, how
        much of the track is missing (below 0: heard twice), are not there where nothing follows."""
        early = begin - 2 * FADED / RATE
        heard = timeline.window(early, end, RATE).tobytes()
        first = -(-heard.find(bytes(4 * LEAST), 8 * FADED) // 4)
        if first <= 0:
            return {"lasts": 0, "skips": 0}
        found = {"after": early + first / RATE - begin}
        last = (len(heard) - len(heard[4 * first :].lstrip(b"\0"))) // 4
        if 4 * (last + FADED + PATTERN) < len(heard):
            skipped = self.frame(heard, last + FADED) - self.frame(heard, first - FADED) - 2 * FADED
            found |= {"lasts": (last - first) / RATE, "skips": skipped / RATE}
        return found


def measure(
        setting: players.Setting, progress, pulls: int, bounces: int, losses: int,
        kills: list[float]) -> tuple[list, dict]:
    """`kills`: s after which players are killed, each another one."""
    noise = Noise(setting.folder / "noise.wav", round(max(*kills, 60 + 3 * pulls + 15 * bounces)) + 30)
    kinds = (Scripted, Wired)
    raw: dict[str, dict] = {"plugs": {}, "losses": {}, "kills": {}}
    for name in (*SCRIPTS, Wired.name):
        raw["plugs"][name] = _plugs(setting, noise, name, pulls, bounces)
        progress(f"manners: {name}, {pulls} unplugs and {bounces * len(BOUNCES)} bounces")
    with concurrent.futures.ThreadPoolExecutor(len(kinds) * max(losses, len(kills))) as pool:
        for key, times, what in (("losses", [LOST] * losses, _lose), ("kills", kills, _kill)):
            found = {kind.name: [pool.submit(what, setting, noise, kind, one) for one in times] for kind in kinds}
            raw[key] = {name: [one.result() for one in ones] for name, ones in found.items()}
            progress(f"manners: {key}, {raw[key]}")
    return [], raw


def _plugs(setting: players.Setting, noise: Noise, name: str, pulls: int, bounces: int) -> dict[str, list]:
    """What is heard of unplugs, with the plug that follows, and of a contact that opens for a moment."""
    opened: dict[str, list] = {"unplugs": [], "bounces": []}
    with Scripted(setting, [noise.path], name) if name in SCRIPTS else Wired(setting, [noise.path]) as player:
        player.play()
        with standstill.promptly():
            time.sleep(PAUSE)
            opened["unplugs"] = [_open(player, PAUSE) for _ in range(pulls)]
            for seconds in BOUNCES * bounces:
                opened["bounces"].append(_open(player, seconds))
                # What the bounce has stopped goes on.
                _open(player, PAUSE)
    timeline = player.timeline()
    return {key: [noise.gap(timeline, *times) for times in found] for key, found in opened.items()}


def _open(player: players.Player, seconds: float) -> tuple[float, float]:
    """Opens the contact for so long: when, and by when all that follows was heard."""
    time.sleep(random.uniform(0, 0.1))
    begin = time.monotonic()
    player.unplug()
    time.sleep(seconds)
    player.plug()
    time.sleep(PAUSE)
    return begin, time.monotonic()


def _lose(setting: players.Setting, noise: Noise, kind: type, seconds: float) -> dict[str, float | bool]:
    """From the card's return to sound, s, and what is missing of the track, s."""
    with kind(setting, [noise.path]) as player:
        player.play()
        time.sleep(3 * PAUSE)
        begin = time.monotonic()
        player.befall("unplug")
        time.sleep(seconds)
        back = time.monotonic()
        player.befall("restore")
        goes_on = _goes_on(player, noise, back, PATIENCE)
    gap = noise.gap(player.timeline(), begin, time.monotonic())
    return {"goes on": goes_on, "late": begin + gap["after"] + gap["lasts"] - back, "skips": gap["skips"]}


def _kill(setting: players.Setting, noise: Noise, kind: type, seconds: float) -> dict[str, float | bool]:
    """How much of the place is lost at the next start, s."""
    with kind(setting, [noise.path]) as player:
        # What was set up is saved.
        player.process.terminate()
        player.process.wait(10)
        player.restart()
        player.say("play")
        time.sleep(seconds)
        player.process.kill()
        killed = time.monotonic()
        player.process.wait()
        begin, place = noise.first(player.timeline(), 0)
        player.restart()
        started = time.monotonic()
        goes_on = _goes_on(player, noise, started, 3 * PAUSE)
    lost = place + killed - begin - noise.first(player.timeline(), started)[1]
    return {"after": seconds, "goes on": goes_on, "lost": lost}


def _goes_on(player: players.Player, noise: Noise, since: float, patience: float) -> bool:
    """Whether it is heard by itself; where it is not, Play is pressed."""
    time.sleep(patience)
    goes_on = noise.first(player.timeline(), since) is not None
    if not goes_on:
        player.say("play")
        time.sleep(3 * PAUSE)
    return goes_on


def table(raw: dict) -> str:
    """One of the jack, with each script, and one of cards and kills."""

    def line(*cells: str) -> str:
        return f"| {' | '.join(cells)} |\n"

    def spread(found: list, key: str, scale: float) -> str:
        """The least, the median and the most of those who have it."""
        values = sorted(scale * one[key] for one in found if key in one)
        return f"{number(values[0])}, {number(median(values))}, {number(values[-1])}" if values else "–"

    def share(found: list) -> str:
        return f"{sum(one.get('goes on', 'lasts' in one) for one in found)} of {len(found)}"

    plugs, losses, kills = raw["plugs"], raw["losses"], raw["kills"]
    opened = f"opens for {1000 * min(BOUNCES):g} to {1000 * max(BOUNCES):g} ms"
    rows = [line("the jack", *(name if name == Wired.name else f"mpd, {name}" for name in plugs)),
            line("---", *["---:"] * len(plugs))]
    for key, words in (("unplugs", "opens for a second"), ("bounces", opened)):
        found = [one[key] for one in plugs.values()]
        if key == "unplugs":
            rows.append(line("unplug to silence, ms", *(spread(one, "after", 1000) for one in found)))
        rows += [line(f"the contact {words}: goes on when it is closed", *map(share, found)),
                 line("silent, ms", *(spread(one, "lasts", 1000) for one in found)),
                 line("of the track not heard, ms", *(spread(one, "skips", 1000) for one in found))]
    rows += ["\n", line("card and power", *losses), line("---", *["---:"] * len(losses)),
             line(f"no card for {LOST:g} s: goes on when it is back", *map(share, losses.values())),
             line("s from its return to sound, by itself", *(
                 spread([each for each in one if each["goes on"]], "late", 1) for one in losses.values())),
             line("of the track not heard, by itself or when Play is pressed, ms", *(
                 spread(one, "skips", 1000) for one in losses.values()))]
    for each in zip(*kills.values()):
        rows.append(line(f"killed after {each[0]['after']:g} s: place lost, s", *(number(one["lost"]) for one in each)))
    return "".join([*rows, line("plays by itself at the next start", *map(share, kills.values()))])

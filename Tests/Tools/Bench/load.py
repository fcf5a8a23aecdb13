"""What a large library, reloads and busy clients of the control socket cost whoever listens."""

import concurrent.futures
import os
import pathlib
import shutil
import socket
import threading
import time

import music
import players
import reaction
from figures import Figure, median, percentile
from steady import busy, field

TRACKS = 100_000
LINKS = 50_000  # to one file: a file system allows only so many
FOLDERS = 500
CHANGED = 20  # files, before each reload
WATCHERS = 10  # of which half never read


class Kiosk(players.Jackdaw):
    """Jackdaw with a short track to be heard and very many more behind it."""

    more = TRACKS

    def start(self) -> None:
        for number in range(self.more):
            folder = self.music / f"more {number % FOLDERS:03}"
            folder.mkdir(exist_ok=True)
            if number % LINKS == 0:
                source = self.folder / f"source-{number}.mp3"
                shutil.copy(self.tracks[0], source)
            os.link(source, folder / f"{number:06}.mp3")
        self.spare = source
        super().start()

    def logged(self, event: str) -> int:
        return self.log.read_text().count(f" {event} ")

    def own_memory(self) -> int:
        """Bytes in memory that no other process has, and no file, but for the tracks' names."""
        names = sum(len(os.fsencode(file.relative_to(self.music))) for file in self.music.rglob("*.mp3"))
        return 1024 * field(pathlib.Path(f"/proc/{self.pid}/status"), "RssAnon:") - names

    def audio(self) -> tuple[int, float]:
        """How often its audio thread was woken, and the seconds that it has waited for a processor."""
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            if (task / "comm").read_text().strip() == "audio":
                waited = int((task / "schedstat").read_text().split()[1]) / 1e9
                return field(task / "status", "voluntary_ctxt_switches:"), waited
        raise RuntimeError("it has no audio thread")


class FewTracks(Kiosk):
    more = 1


def _nothing(player: Kiosk, end: threading.Event) -> int:
    return 0


def _reload(player: Kiosk, end: threading.Event) -> int:
    """Some files come, or those of the turn before go, and the library is listed; the next when that is logged.

    Returns how often.
    """
    turn = 0
    while not end.is_set():
        changed = [player.music / f"new {number}.mp3" for number in range(CHANGED)]
        for file in changed:
            file.unlink() if turn % 2 else os.link(player.spare, file)
        turn += 1
        player.say("reload")
        while player.logged("library.changed") < turn and not end.wait(0.05):
            pass
    return player.logged("library.changed")


def _flood(player: Kiosk, end: threading.Event) -> int:
    """Clients that watch, and one that asks a thousand times a second. Returns how often it was answered."""
    *watchers, asking = [socket.socket(socket.AF_UNIX) for _ in range(WATCHERS + 1)]
    for client in (*watchers, asking):
        client.connect(str(player.folder / "jackdaw/control"))
        if client is not asking:
            # Until it is answered it counts as a client that is silent, of which a ninth takes the place of the first.
            client.send(b"watch\n")
            assert client.recv(3) == b"ok\n"
        client.setblocking(False)
    answers = 0
    while not end.wait(0.001):
        try:
            asking.send(b"status\n")
        except BlockingIOError:
            pass
        for client in [asking, *watchers[::2]]:
            try:
                block = client.recv(65536)
                assert block, "the firmware hung up"
                answers += block.count(b"ok\n") if client is asking else 0
            except BlockingIOError:
                pass
    for client in (*watchers, asking):
        client.close()
    return answers


def _one(player: Kiosk, pulls: int, burden) -> dict:
    end = threading.Event()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        beside = pool.submit(burden, player, end)
        try:
            before, used = player.audio(), busy(player.pid)
            begin = time.monotonic()
            cuts = reaction.pull(player, pulls)
            passed = time.monotonic() - begin
            used = (busy(player.pid) - used) / passed
            woken, waited = (after - former for after, former in zip(player.audio(), before))
        finally:
            end.set()
        done = beside.result()
    found = reaction.measure_cuts(player.timeline(), cuts)
    return {"used": used, "memory": player.own_memory(), "seconds": passed, "woken": woken / passed,
            "waited": 1000 * waited / passed, "cuts": [1000 * cut["seconds"] for cut in found],
            "underruns": player.logged("output.underrun"), "done beside": done}


def measure(setting: players.Setting, progress, pulls: int) -> tuple[list[Figure], dict]:
    chord = music.chord(setting.folder / "load.mp3", 60)
    situations = {
        "2 tracks": (FewTracks, _nothing),
        f"2 tracks, {WATCHERS} watchers and a flood": (FewTracks, _flood),
        f"{TRACKS:,} tracks": (Kiosk, _nothing),
        f"{TRACKS:,} tracks, reloading": (Kiosk, _reload),
    }
    figures, raw = [], {}
    for name, (kind, burden) in situations.items():
        with kind(setting, [chord]) as player:
            one = raw[name] = _one(player, pulls, burden)
        progress(f"{name}: {one}")
        for figure, unit, value, more in (
            ("unplug to silence, median", "ms", median(one["cuts"]), {}),
            ("unplug to silence, 99th percentile", "ms", percentile(one["cuts"], 0.99), {"goal": 10}),
            ("wake-ups of the audio thread", "a second", one["woken"], {}),
            ("underruns", "", one["underruns"], {"goal": 0}),
        ):
            figures.append(Figure(f"{name}: {figure}", unit, {"Jackdaw": value}, **more))
    return figures + _of_a_track(*raw.values()), raw


def _of_a_track(few: dict, _: dict, many: dict, reloading: dict) -> list[Figure]:
    """What a track takes, beyond what the firmware takes in any case."""
    spent = (reloading["used"] - many["used"]) * reloading["seconds"] / reloading["done beside"]
    return [
        Figure("memory of a track beyond its name", "bytes", {"Jackdaw": (many["memory"] - few["memory"]) / TRACKS},
               goal=60),
        Figure("the same after reloads", "bytes", {"Jackdaw": (reloading["memory"] - few["memory"]) / TRACKS}, goal=60),
        Figure("a reload, for 10,000 tracks", "s of CPU", {"Jackdaw": spent * 10_000 / TRACKS}, goal=1),
    ]

"""C: recordings. The microphone is the loop-back card, into which the test plays a track."""

import re
import wave

from Board import sound
from checks import check

FOLDER = "/var/lib/jackdaw/recordings"


def speak(bench):
    """Somebody speaks into the microphone from now on, for a minute."""
    bench.board.run(
        "aplay -q -D hw:CARD=Loopback,DEV=0,SUBDEV=1 /srv/music/1.wav >/tmp/aplay 2>&1 & echo $! >/tmp/aplay.pid")
    bench.board.wait(0.5)


def hush(bench):
    bench.board.run("kill $(cat /tmp/aplay.pid) || true")


def begin(bench):
    """Somebody speaks and presses Record; returns the logged start."""
    speak(bench)
    bench.board.press("BTN_RECORD")
    return bench.console.wait("recording.started")


def end(bench, reason):
    """The recording has ended for this reason, and nobody speaks any more."""
    stopped = bench.console.wait("recording.stopped", reason=reason)
    bench.board.wait(0.5)
    hush(bench)
    return stopped


def fetch(bench, name):
    """A recording as a WAV reader sees it, and what of the tracks it holds."""
    bench.board.run(f"cp '{FOLDER}/{name}' /mnt/recording.wav")
    path = bench.board.folder / "shared/recording.wav"
    with wave.open(str(path)) as file:
        seconds = file.getnframes() / file.getframerate()
        assert file.readframes(file.getnframes()) and file.getframerate() == sound.RATE
    return seconds, sound.stretches(sound.read(path), bench.tracks)


@check("C1 C2", "Record begins and ends a recording: valid, named by the time, what the microphone heard")
def test_record(bench):
    started = begin(bench)
    bench.board.wait(0.3)
    assert bench.board.lines.read("LED_STATUS") == 1, "the lamp is off"
    bench.board.wait(2)
    bench.board.press("BTN_RECORD")
    stopped = end(bench, "user")
    assert bench.board.lines.read("LED_STATUS") == 0, "the lamp is on"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d-\d\d-\d\d\.wav", started["file"]), started.text
    seconds, parts = fetch(bench, started["file"])
    assert 2.2 <= seconds <= 3.5 and len(parts) == 1, f"{seconds} s: {parts}"
    heard = parts[0].length / sound.RATE
    assert heard >= seconds - 0.1, f"of {seconds} s only {heard} s are what was said"
    return f"{started['file']}, {seconds:.2f} s, {stopped['reason']}"


@check("C4", "the category changes during a recording, which goes on")
def test_category(bench):
    started = begin(bench)
    bench.board.wait(0.5)
    bench.type("category ambient")
    bench.board.wait(0.5)
    bench.type("category playback")
    bench.board.wait(0.5)
    bench.expect_nothing("recording.stopped")
    bench.board.press("BTN_RECORD")
    end(bench, "user")
    seconds, parts = fetch(bench, started["file"])
    assert seconds >= 1.4 and len(parts) == 1, f"{seconds} s: {parts}"
    return f"{seconds:.2f} s in one piece"


@check("C3", "a plug ends a recording, which is kept")
def test_plugged(bench):
    started = begin(bench)
    bench.board.wait(1)
    bench.plug("headphones")
    end(bench, "route-change")
    seconds, _ = fetch(bench, started["file"])
    assert seconds >= 0.9
    return f"{seconds:.2f} s"


@check("C5", "the power is cut while a recording is written to the disk: all but the last second is there")
def test_cut(bench):
    found = []
    for writes in (1, 2):
        started = begin(bench)
        bench.board.wait(3.3)
        now = bench.now()
        bench.restart_after(writes)
        bench.console.wait("route.initial")
        bench.board.wait(1)
        seconds, parts = fetch(bench, started["file"])
        recorded = now - started.at
        assert seconds >= recorded - 1, f"{seconds:.2f} s of {recorded:.2f} s are there"
        assert len(parts) == 1, parts
        found.append(f"{seconds:.2f} s of {recorded:.2f} s")
    return ", ".join(found)

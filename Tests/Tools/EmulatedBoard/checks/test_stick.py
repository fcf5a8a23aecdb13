"""X: a USB stick with music that comes and goes. It has a file system, and it is mounted as long as it is plugged in."""

from Board import sound
from checks import check
from EmulatedBoard.bench import STICK, milliseconds
from EmulatedBoard.boards import PLAYLIST

TRACKS = 2
OWN_TRACKS = 4  # on the board's disk, the last of which cannot be played


@check("X1 X2", "the stick is not there at power on: a warning with the line of the settings; stopped, it is taken in")
def test_absent(bench):
    missing = bench.since_boot("library.missing")
    assert missing and missing[0]["folder"] == STICK and missing[0].level == "warn", f"{missing}"
    settings = bench.board.run("grep -n ^music /etc/jackdaw/jackdaw.toml").split(":")[0]
    assert missing[0]["setting"].endswith(f"jackdaw.toml:{settings}"), missing[0].text
    with bench.without("playback.started", "queue.moved"):
        bench.board.plug_stick()
        plugged = bench.now()
        bench.console.wait("library.found", folder=STICK)
        came = bench.console.wait("library.changed", added=TRACKS, tracks=OWN_TRACKS + TRACKS)
        bench.board.wait(0.5)
    bench.board.unplug_stick()
    pulled = bench.now()
    bench.console.wait("library.missing", folder=STICK)
    went = bench.console.wait("library.changed", removed=TRACKS, tracks=OWN_TRACKS)
    return f"taken in {came.at - plugged:.1f} s after it was plugged in, let go {went.at - pulled:.1f} s after it was pulled"


@check("X1 P10", "the stick is plugged in while music plays: not a frame is cut, and its tracks follow the last one")
def test_follows(bench):
    bench.loop_back.begin()
    bench.play(0.5)
    with bench.without("playback.paused", "track.started", "queue.moved"):
        bench.plug_stick()
    bench.type(f"track {OWN_TRACKS - 1}")
    bench.console.wait("track.started", file="3.wav")
    bench.console.wait("track.failed", file="4.mp3")
    bench.console.wait("track.started", file=f"{PLAYLIST}/11.wav")
    bench.board.wait(0.3)
    parts = _heard(bench)
    assert [part.track for part in parts] == [1, 3, 11], f"heard {parts}"
    assert parts[0].length > 2 * sound.RATE and parts[2].begin == 0, f"heard {parts}"
    return f"{parts[0].length} frames in one piece while it came"


@check("X2 X4", "the stick loses contact for a moment: held at the frame, where it goes on; then it goes: the rest plays on")
def test_contact(bench):
    bench.plug_stick()
    _play_long(bench)
    bench.board.unplug_stick()
    bench.board.wait(0.3)
    bench.board.plug_stick()
    found = _went_on(bench, _lost(bench))
    bench.loop_back.begin()
    # On a busy host what was decoded may be heard before the folder is found to be missing.
    bench.board.unplug_stick()
    _lost(bench)
    moved = bench.console.wait("queue.moved", reason="removed")
    began = bench.console.wait("track.started")
    assert began["file"] == moved["file"] == "1.wav", f"{moved.text}; {began.text}"
    bench.board.wait(0.3)
    parts = _heard(bench)
    assert [part.track for part in parts] == [12, 1] and parts[1].begin == 0, f"heard {parts}"
    return f"{found}; {milliseconds(parts[1].place - parts[0].place_end):.0f} ms of silence before the rest"


@check("X2 X4", "the stick is pulled out while its playlist plays: held until it is back, and it goes on at the frame")
def test_pulled(bench):
    bench.plug_stick()
    bench.type(f"playlist {PLAYLIST}")
    _play_long(bench)
    with bench.without("track.started", "queue.moved"):
        bench.pull_stick()
    lost = _lost(bench)
    hold = bench.status()["hold"]
    assert hold == "storage-unavailable", f"hold={hold}"
    bench.board.wait(2)
    bench.expect_nothing("playback.resumed", "track.started", "playback.stopped")
    bench.plug_stick()
    return _went_on(bench, lost)


def _play_long(bench):
    """Plays the long track of the stick on the speaker for a moment, and records that."""
    bench.loop_back.begin()
    bench.type(f"track {bench.status()['track'].split('/')[1]}")
    bench.console.wait("track.started", file=f"{PLAYLIST}/12.wav")
    bench.board.wait(0.3)


def _lost(bench):
    """What is decoded is heard, and then held."""
    lost = bench.console.wait("storage.lost", file=f"{PLAYLIST}/12.wav")
    bench.console.wait("playback.paused", cause="storage", frame=lost["frame"])
    return lost


def _went_on(bench, lost):
    """It goes on where it was held, and nothing of the track is missing."""
    restored = bench.console.wait("storage.restored", frame=lost["frame"])
    bench.console.wait("playback.resumed", cause="storage-restored", frame=lost["frame"])
    bench.board.wait(0.5)
    parts = [part for part in _heard(bench) if part.track == 12]
    missing = sound.largest_gap(parts)
    assert parts[0].begin == 0 and parts[-1].end > lost.number("frame") and missing <= 0.005 * sound.RATE, (
        f"held {lost['frame']}, heard {parts}")
    return (f"\"{lost['reason']}\"; held at frame {lost['frame']} for {restored.at - lost.at:.1f} s, "
            f"{milliseconds(missing):.1f} ms of it missing")


def _heard(bench):
    return sound.stretches(bench.loop_back.end().frames, bench.tracks)

"""W: power cuts, a disk that fails, and a firmware that is killed."""

from Board import sound
from checks import check

# s: after a hurry of changes the next save may be a minute away by the board's clock.
SAVE_PATIENCE = 300


@check("W2", "killed while it plays: the supervisor starts it again, silent, with the volumes it had")
def test_killed(bench):
    bench.plug("headphones")
    bench.type("volume 70")
    bench.play(1)
    bench.console.wait("state.saved", patience=SAVE_PATIENCE)
    bench.board.run("kill -9 $(cat /run/service.pid)")
    bench.console.wait("boot")
    initial = bench.console.wait("route.initial")
    assert initial["to"] == "headphones", initial.text
    bench.console.wait("state.restored")
    bench.board.wait(1)
    bench.expect_nothing("playback.started", "playback.resumed")
    status = bench.status()
    assert status["state"] != "playing" and status["volume"] == "70", status
    return f"state {status['state']}, volume {status['volume']}"


@check("W1 W2", "the power is cut while it plays: the same track, port volume and place, and silence")
def test_playing(bench):
    bench.plug("headphones")
    bench.type("volume 65")
    bench.play(1)
    bench.console.wait("state.saved", patience=SAVE_PATIENCE)
    bench.restart()
    bench.console.wait("route.initial")
    restored = bench.console.wait("state.restored")
    bench.board.wait(1)
    bench.expect_nothing("playback.started", "playback.resumed", "state.unreadable")
    status = bench.status()
    assert status["volume"] == "65" and status["state"] == "paused", status
    return f"frame {restored['frame']}"


SAVE_WRITES = 5  # to the disk: the file, the folder that gets it, and twice what the journal notes of that
SAVE_DELAY = 2.0  # s from a change to its save


@check("W1 W2", "the power is cut between the writes of a save: the old state or the new one, whole, and silence")
def test_writing(bench):
    found = []
    bench.plug("headphones")
    for writes in range(1, SAVE_WRITES):
        volume = 50 + 2 * writes
        bench.type(f"volume {volume}")
        bench.board.press("BTN_PLAY")
        plays = bench.console.wait("track.started" if writes == 1 else "playback.resumed")
        old = bench.console.wait("state.saved", patience=SAVE_PATIENCE)
        bench.board.run("sync")  # all writes from now on are the next save's
        changes = []
        bench.restart_after(writes, lambda: changes.append(bench.type(f"volume {volume + 1}")))
        # It knew of no end of the save.
        bench.expect_nothing("state.saved")
        restored = bench.console.wait("state.restored")
        bench.board.wait(0.3)
        bench.expect_nothing("state.unreadable", "playback.started", "playback.resumed")
        now = int(bench.status()["volume"])
        assert now in (volume, volume + 1), f"volume {now}, expected {volume} or {volume + 1}"
        # The place in the track is that of the same save.
        saved = old.at if now == volume else changes[0].at + SAVE_DELAY
        place = plays.number("frame") / sound.RATE + saved - plays.at
        beside = restored.number("frame") / sound.RATE - place
        # Old and new are more than SAVE_DELAY apart; the card of an emulator that is slow begins late.
        assert abs(beside) <= SAVE_DELAY / 4, f"{restored.text}: {beside:.3f} s beside where it was at the save of volume {now}"
        found.append(f"after {writes} {'new' if now > volume else 'old'}")
    return f"{', '.join(found)} of {SAVE_WRITES} writes"


@check("W3", "the storage takes nothing: it plays on, and says so once")
def test_read_only(bench):
    # As the kernel does for itself when the device fails: `mount` refuses while the database is open for writing.
    bench.board.run("echo u >/proc/sysrq-trigger; while ! grep -q ' /data [^ ]* ro[, ]' /proc/mounts; do sleep 0.1; done")
    bench.play_on("headphones")
    bench.type("volume 90")
    saved = bench.console.wait("state.saved", patience=SAVE_PATIENCE)
    assert saved["error"], saved.text
    bench.type("volume 91")
    bench.board.wait(3)
    bench.expect_nothing("state.saved")
    assert bench.status()["state"] == "playing"
    bench.board.run("mount -o remount,rw /data")
    return saved["error"]

"""W: power cuts, a disk that fails, and a firmware that is killed."""

from check import check


@check("W2", "killed while it plays: the supervisor starts it again, silent, with the volumes it had")
def killed(bench):
    bench.plug("headphones")
    bench.type("volume 70")
    bench.play(1)
    bench.board.wait(3)  # until that is saved
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
def playing(bench):
    bench.plug("headphones")
    bench.type("volume 65")
    bench.play(1)
    bench.board.wait(3)
    bench.restart()
    bench.console.wait("route.initial")
    restored = bench.console.wait("state.restored")
    bench.board.wait(1)
    bench.expect_nothing("playback.started", "playback.resumed", "state.unreadable")
    status = bench.status()
    assert status["volume"] == "65" and status["state"] == "paused", status
    return f"frame {restored['frame']}"


@check("W1", "the power is cut while settings are written: they are the old or the new ones, never broken")
def writing(bench):
    found = []
    bench.plug("headphones")
    # The write begins two seconds after the change: cut before, in and after it.
    for volume, delay in ((50, 1.90), (60, 1.98), (70, 2.05)):
        bench.type(f"volume {volume}")
        bench.board.wait(2.5)
        bench.type(f"volume {volume + 1}")
        bench.board.wait(delay)
        bench.restart()
        bench.console.wait("route.initial")
        bench.console.wait("state.restored")
        bench.board.wait(0.3)
        bench.expect_nothing("state.unreadable")
        now = int(bench.status()["volume"])
        assert now in (volume, volume + 1), f"volume {now}, expected {volume} or {volume + 1}"
        found.append("new" if now > volume else "old")
    return ", ".join(found)


@check("W3", "the storage takes nothing: it plays on, and says so once")
def read_only(bench):
    bench.board.run("mount -o remount,ro /data")
    bench.play_on("headphones")
    bench.type("volume 90")
    saved = bench.console.wait("state.saved")
    assert saved["error"], saved.text
    bench.type("volume 91")
    bench.board.wait(3)
    bench.expect_nothing("state.saved")
    assert bench.status()["state"] == "playing"
    bench.board.run("mount -o remount,rw /data")
    return saved["error"]

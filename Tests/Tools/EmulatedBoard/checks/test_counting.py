"""N: what was listened to, as `jackdaw report` shows it from the card."""

import json

from checks import check

STATE = "/var/lib/jackdaw"
REPORT = f"jackdaw report --state {STATE}"
# s: after a hurry of changes the next save may be a minute away by the board's clock.
SAVE_PATIENCE = 300
# ms by which what is counted may differ from what the log says: the fades sound beside the events.
FADES = 50


@check("N1 N2 N4", "a track is heard to its end and one is left; the power is cut: what was saved is there, and nothing twice")
def test_heard(bench):
    before = _saved(bench)
    bench.type("track 2")
    first = bench.console.wait("track.started", track="2")
    bench.console.wait("track.ended", file="2.wav")
    bench.board.wait(0.5)
    bench.type("stop")
    last = bench.console.wait("playback.stopped")
    after = _saved(bench)
    for name, starts, left in (("2.wav", 1, "ended"), ("3.wav", 1, "stopped")):
        old, new = _track(before, name), _track(after, name)
        assert new["starts"] - old["starts"] == starts and new["left"][left] - old["left"][left] == 1, f"{name}: {old}, {new}"
    sounded, counted = 1000 * (last.at - first.at), after["sum"]["milliseconds"] - before["sum"]["milliseconds"]
    assert abs(sounded - counted) <= FADES, f"{counted} ms are counted of {sounded:.0f}"
    assert after["days"] and not after["undated"], f"the clock chip was not believed: {after['days']}"
    pages = bench.board.run(f"{REPORT} --html /tmp/r.html && grep -c '<svg' /tmp/r.html && {REPORT} | grep -c 2.wav")
    # It plays on, unsaved, and the power is cut.
    bench.type("track 1")
    started = bench.console.wait("track.started", track="1")
    bench.board.wait(1)
    cut = bench.now()
    bench.restart()
    bench.console.wait("state.restored")
    found, most = _report(bench)["sum"], 1000 * (cut - started.at) + FADES
    assert 0 <= found["starts"] - after["sum"]["starts"] <= 1, f"{found}, saved was {after['sum']}"
    assert 0 <= found["milliseconds"] - after["sum"]["milliseconds"] <= most, f"{found}, saved was {after['sum']}"
    return f"{counted} ms counted of {sounded:.0f}; after the cut {found['starts']} starts, saved were " \
           f"{after['sum']['starts']}; {pages.split()} plots and lines"


@check("N5", "while nobody has set the clock, no day is named and no cue spoken by it; once it is set, days are named again")
def test_undated(bench):
    today = bench.board.run("date '+%Y-%m-%d %H:%M:%S'")
    try:
        bench.restart_service("cp /etc/jackdaw/jackdaw.toml /tmp/settings; date -s '1970-01-02 12:29:40' >/dev/null",
                              "sed -i 's/^on = .*/at = \"12:30\"/' /etc/jackdaw/jackdaw.toml")
        bench.type("track 2")
        bench.console.wait("track.ended", file="2.wav")
        bench.type("stop")
        refused = bench.console.wait("cue.failed", cue="chime", reason="clock not set")
        bench.board.press("BTN_RECORD")
        recording = bench.console.wait("recording.started")
        bench.board.wait(0.5)
        bench.board.press("BTN_RECORD")
        bench.console.wait("recording.stopped")
        unknown = _saved(bench)
        assert "undated" in recording["file"], recording.text
        assert unknown["undated"]["starts"] >= 1, f"{unknown['days']}"
    finally:
        # By hand, later than a boot service would: from now on it is known.
        bench.board.run("until [ $(cut -d. -f1 /proc/uptime) -ge 90 ]; do sleep 1; done", patience=600)
        bench.board.run(f"date -s '{today}' >/dev/null; cp /tmp/settings /etc/jackdaw/jackdaw.toml")
    bench.type("track 3")
    bench.console.wait("track.ended", file="3.wav")
    known = _saved(bench)
    assert not known["undated"] and known["days"][-1]["date"] == today[:10], f"{known['days']}, {known['undated']}"
    bench.restart_service()
    return f"{unknown['undated']['starts']} starts without a day; {refused['reason']}"


def _report(bench):
    return json.loads(bench.board.run(f"{REPORT} --json"))


def _saved(bench):
    """The report once all that was counted is saved."""
    bench.type("volume 99")
    bench.type("volume 100")
    bench.console.wait("state.saved", patience=SAVE_PATIENCE)
    return _report(bench)


def _track(report, name):
    none = {"starts": 0, "left": {"ended": 0, "stopped": 0}}
    return next((track for track in report["tracks"] if track.get("name") == name), none)

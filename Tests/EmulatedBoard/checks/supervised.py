"""What the unit's supervisor is told. No row of the behaviour: it is what starts the firmware anew when it hangs."""

from check import check

NOTICES = "/run/notices"
PROCESS = "/proc/$(cat /run/service.pid)"


def told(bench, word):
    """The lines with this word that it was told since power on."""
    return bench.board.run(f"grep '{word}' {NOTICES} || true").splitlines()


@check("supervisor", "it is told when the firmware is ready, what plays, and twice in the watchdog's time that it is alive")
def signs(bench):
    assert told(bench, "READY=1"), bench.board.run(f"cat {NOTICES}")
    limit = int(bench.board.run(f"tr '\\0' '\\n' <{PROCESS}/environ | sed -n s/WATCHDOG_USEC=//p")) / 1e6
    bench.play_on("headphones", 0.5)
    status = told(bench, "STATUS=")[-1]
    assert "headphones" in status, status
    before = len(told(bench, "WATCHDOG=1"))
    bench.board.wait(limit)
    signs = len(told(bench, "WATCHDOG=1")) - before
    assert 2 <= signs <= 3, f"{signs} signs of life in {limit:g} s"
    # A firmware that hangs gives none.
    bench.board.run("kill -STOP $(cat /run/service.pid)")
    before = len(told(bench, "WATCHDOG=1"))
    bench.board.wait(limit)
    late = len(told(bench, "WATCHDOG=1")) - before
    bench.board.run("kill -CONT $(cat /run/service.pid)")
    assert not late, f"{late} signs of life from a process that stood still"
    return f"{signs} signs of life in {limit:g} s; {status.partition('STATUS=')[2]}"

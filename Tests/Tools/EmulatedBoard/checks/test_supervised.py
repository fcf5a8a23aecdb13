"""What the supervisor is notified of. This belongs to no row: the supervisor restarts a firmware that hangs."""

from checks import check

NOTICES = "/run/notices"
PROCESS = "/proc/$(cat /run/service.pid)"


def notices(bench, word):
    """The notifications with this word since power on."""
    return bench.board.run(f"grep '{word}' {NOTICES} || true").splitlines()


@check("supervisor", "it is notified when the firmware is ready, of what plays, and twice in the watchdog's time that it is alive")
def test_signs(bench):
    assert notices(bench, "READY=1"), bench.board.run(f"cat {NOTICES}")
    limit = int(bench.board.run(f"tr '\\0' '\\n' <{PROCESS}/environ | sed -n s/WATCHDOG_USEC=//p")) / 1e6
    bench.play_on("headphones", 0.5)
    status = notices(bench, "STATUS=")[-1]
    assert "headphones" in status, status
    before = len(notices(bench, "WATCHDOG=1"))
    bench.board.wait(limit)
    signs = len(notices(bench, "WATCHDOG=1")) - before
    assert 2 <= signs <= 3, f"{signs} signs of life in {limit:g} s"
    # A firmware that hangs gives none.
    bench.board.run("kill -STOP $(cat /run/service.pid)")
    before = len(notices(bench, "WATCHDOG=1"))
    bench.board.wait(limit)
    late = len(notices(bench, "WATCHDOG=1")) - before
    bench.board.run("kill -CONT $(cat /run/service.pid)")
    assert not late, f"{late} signs of life from a process that stood still"
    return f"{signs} signs of life in {limit:g} s; {status.partition('STATUS=')[2]}"

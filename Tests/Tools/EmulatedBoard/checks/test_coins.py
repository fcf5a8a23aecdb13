"""J3: coins by the pulses of two acceptors on lines of the chip, and the line that keeps them out."""

import time

from checks import check

COIN, SLOT, INHIBIT = "COIN", "SLOT", "COIN_INHIBIT"
PULSE = 0.1  # s
# More than the board's coin_gap and stuck_after.
REST = 5  # s
STORM = 4  # s
# Between the bursts of a contact that chatters: two acceptors must be heard beside it, also where the host is busy.
CHATTER = 0.02  # s


@check("J3", "coins fall while music plays: each counts by its pulses, and the music goes on")
def test_coins(bench):
    _wait_for_coins(bench)
    bench.play_on("headphones")
    with bench.without("coin.refused", "line.stuck"):
        for pulses in (1, 2, 5):
            _drop(bench, {COIN: pulses})
            taken = bench.console.wait("coin.taken", line=COIN)
            assert taken["pulses"] == str(pulses), taken.text
        bench.board.wait(REST)
    bench.expect_nothing("output.underrun")
    assert bench.status()["state"] == "playing"


@check("J3", "two acceptors at once, and the contact of a button that chatters beside them")
def test_two_at_once(bench):
    _wait_for_coins(bench)
    with bench.board.lines.storm(["BTN_STOP"], rest=CHATTER):
        _drop(bench, {COIN: 5, SLOT: 3})
        bench.board.wait(REST)
    taken = bench.console.since_mark("coin.taken") + bench.console.since_mark("coin.refused")
    # Refused is what the host or the kernel has swallowed an edge of: it never counts as another coin.
    assert {one["line"] for one in taken} == {COIN, SLOT} and len(taken) == 2, [one.text for one in taken]
    counted = {one["line"]: one["pulses"] for one in bench.console.since_mark("coin.taken")}
    assert counted.items() <= {COIN: "5", SLOT: "3"}.items(), counted
    return f"{len(counted)} of 2 counted"


@check("J3.1 J3.6", "a coin sticks: said once, no coin, and coins are kept out until it is gone")
def test_jam(bench):
    _wait_for_coins(bench)
    bench.board.lines.set(SLOT, 1)
    bench.console.wait("coin.refused", line=SLOT, reason="jam")
    bench.board.wait(REST)
    assert bench.board.lines.read(INHIBIT) == 0, "coins are let in"
    bench.board.lines.set(SLOT, 0)
    bench.board.wait(REST)
    assert bench.board.lines.read(INHIBIT) == 1, "coins are kept out"
    # After the one that was waited for.
    bench.expect_nothing("coin.refused", "coin.taken")


@check("J3.4", "an acceptor's line chatters for seconds: reported once, no coin, and then it counts again")
def test_storm(bench):
    bench.console.keep()
    with bench.board.lines.storm([COIN], is_seen=True):
        # A host that is busy lets the line rest, too: then it takes thousands of edges.
        stuck = bench.console.wait("line.stuck", patience=120)
        bench.board.wait(STORM)
    bench.board.wait(REST)
    assert stuck["line"] == COIN, stuck.text
    bench.expect_nothing("line.stuck")
    taken = [line for line in bench.console.heard() if " coin.taken " in line]
    assert not taken, taken
    _drop(bench, {COIN: 2})
    assert bench.console.wait("coin.taken", line=COIN)["pulses"] == "2"
    return f"{stuck['edges']} edges"


@check("J3.6", "the firmware is killed: the next one keeps coins out at first")
def test_killed(bench):
    _wait_for_coins(bench)
    bench.board.run("kill -9 $(cat /run/service.pid)")
    bench.board.wait(0.2)
    killed = bench.board.lines.read(INHIBIT)
    bench.console.wait("boot")
    booted = bench.board.lines.read(INHIBIT)
    bench.board.wait(3)
    assert booted == 0 and bench.board.lines.read(INHIBIT) == 1, (booted, bench.board.lines.read(INHIBIT))
    return f"{'no output' if killed is None else killed} after the kill"


def _wait_for_coins(bench):
    """Until they are let in: for the first 2 s they are not."""
    bench.wait_until(lambda: bench.board.lines.read(INHIBIT) == 1, patience=60)


def _drop(bench, coins):
    """Coins of so many pulses, which fall at once. A busy host may keep the board for longer than a pulse from the threads
    that read its edges, and of two edges they would then see the second only. So the next one comes when a shell has
    answered: the shell has the board's processor only when those threads do not want it."""
    for index in range(max(coins.values())):
        for level in (1, 0):
            for name in [name for name, pulses in coins.items() if index < pulses]:
                bench.board.lines.set(name, level)
            bench.board.run(":")
            time.sleep(PULSE)

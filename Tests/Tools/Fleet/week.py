"""A week without the centre, on a clock that is moved from day to day."""

import datetime
import itertools
import json
import time

from Fleet.brokers import Listener, end, wait_until, wrapper

DAYS = 7
# How often the volume changes on each day, and its last value.
CHANGES, LAST = 90, "77"


def keeps_a_week(fleet) -> str:
    """The centre is away, and the board is switched off for a night."""
    board, clock = fleet.board, fleet.clock
    cable = board.broker.wrapper
    switch_off(board)
    fleet.centre.stop()
    board.belong(clock="trusted")
    board.broker.wrapper = (*cable, *wrapper(clock.moved))
    begin = datetime.date.today()
    start(board, clock)
    volumes = itertools.cycle(range(10, 50))
    sent = []
    for day in range(DAYS):
        clock.move(day)
        sent += listen(board, day, volumes)
        if day == DAYS // 2:
            # The board is switched off for a night.
            switch_off(board)
            start(board, clock)
    clock.move(DAYS)
    sent += [*listen(board, 0, volumes), LAST]
    board.ctl("volume", LAST)
    fleet.centre.start()
    fleet.listener.close()
    fleet.listener = Listener(fleet.centre)
    fleet.wait("event", lambda text: json.loads(text)["fields"].get("volume") == LAST, 90)
    fleet.wait("stats", lambda text: json.loads(text)["period"] == str(begin + datetime.timedelta(DAYS)), 60)
    switch_off(board)
    compare_events(fleet, sent)
    exact = compare_counts(fleet, begin)
    clock.move(0)
    board.belong('groups = ["hall"]')
    board.broker.wrapper = cable
    board.start_broker()
    board.start_firmware()
    board.start_fleet()
    fleet.wait("status", lambda text: text == "online", 20)
    return f"{len(sent)} changes, {exact}"


def start(board, clock) -> None:
    board.start_broker()
    board.start_firmware(**clock.moved)
    before = questions(board)
    # The minute between two questions for figures shrinks to three seconds.
    board.start_fleet(**clock.moved, CLOCK_RATE="20")
    wait_until("the first question for figures", 20, lambda: questions(board) > before)


def switch_off(board) -> None:
    """As when it is switched off at its switch: all is written."""
    end(board.fleet, kill=False)
    end(board.firmware, kill=False)
    board.broker.stop()


def questions(board) -> int:
    return (board.folder / "events.log").read_text().count('command="stats --json"')


def listen(board, day: int, volumes) -> list[str]:
    """Some listens, more on each day, and changes of the volume; returns these. Then the counts have been asked for."""
    sent = [str(next(volumes)) for _ in range(CHANGES)]
    for volume in sent:
        assert board.ctl("volume", volume).returncode == 0
    assert board.ctl("track", "1").returncode == 0
    for _ in range(day + 1):
        time.sleep(0.4)
        assert board.ctl("next").returncode == 0
    assert board.ctl("stop").returncode == 0
    before = questions(board)
    wait_until("a question for figures", 20, lambda: questions(board) > before)
    return sent


def compare_events(fleet, sent: list[str]) -> None:
    topic = fleet.board.topic("event")
    events = [json.loads(message[3]) for message in fleet.listener.heard if message[2] == topic]
    assert not [event for event in events if event["event"] == "fleet.dropped"]
    heard = [event["fields"]["volume"] for event in events if event["event"] == "volume.changed"]
    same = next((at for at, (a, b) in enumerate(zip(sent, heard)) if a != b), min(len(sent), len(heard)))
    assert heard == sent, f"{len(heard)} of {len(sent)}, the first other one at {same}: {sent[same:same + 9]} {heard[same:same + 9]}"


def compare_counts(fleet, begin: datetime.date) -> str:
    """Each day's last message against what the board itself has kept of it."""
    board = fleet.board
    told = {}
    for message in fleet.listener.heard:
        if message[2] == board.topic("stats"):
            period = json.loads(message[3])
            told[period["period"]] = period["sum"]
    kept = {day["date"]: day for day in json.loads(board.run("report", "--json").stdout)["days"]}
    listens = 0
    for day in (str(begin + datetime.timedelta(days)) for days in range(DAYS)):
        left = {name: count for name, count in kept[day]["left"].items() if count}
        expected = {"starts": kept[day]["starts"], "seconds": kept[day]["seconds"], "left": left}
        assert told.get(day) == expected, f"{day}: told {told.get(day)}, kept {expected}"
        listens += expected["starts"]
    return f"{listens} listens on {DAYS} days"

"""What Home Assistant makes of a board: each entity and each command, by its REST interface."""

import time

from checks import Fleet
from home import Home

SENSED = ["headphones", "line_out"]


def entity(kind: str, name: str) -> str:
    return f"{kind}.jackdaw_board7_{name}"


def finds_it(fleet: Fleet, home: Home) -> str:
    """F7: Home Assistant finds the board and all its entities by itself"""
    home.wait(entity("sensor", "state"), lambda state: state["state"] in ("stopped", "playing", "paused"), 60)
    states = home.states()
    expected = [entity("sensor", name) for name in ("state", "track")]
    expected += [entity("binary_sensor", "problem"), entity("number", "volume"), entity("select", "route")]
    expected += [entity("binary_sensor", f"plug_{port}") for port in SENSED]
    expected += [entity("button", name) for name in ("play", "pause", "stop", "next", "page", "end_page")]
    expected += [entity("event", "event"), entity("update", "software"), entity("sensor", "temperature")]
    missing = [name for name in expected if name not in states]
    ours = sorted(name for name in states if ".jackdaw_" in name)
    assert not missing, f"missing {missing} of {ours}"
    lost = [name for name in ours if states[name]["state"] == "unavailable"]
    assert not lost, f"unavailable: {lost}"
    return f"{len(ours)} entities"


def shows_it(fleet: Fleet, home: Home) -> str:
    """F7: plugs, track and events are shown as they happen"""
    board = fleet.board
    home.call("button/press", entity("button", "play"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "playing")
    home.wait(entity("sensor", "track"), lambda state: "Waltz" in state["state"])
    board.press("h")
    home.wait(entity("binary_sensor", "plug_headphones"), lambda state: state["state"] == "on")
    home.wait(
        entity("event", "event"), lambda state: state["attributes"].get("event_type") == "port.connected")
    assert home.states()[entity("select", "route")]["state"] == "headphones"
    time.sleep(0.6)
    board.press("h")
    home.wait(entity("binary_sensor", "plug_headphones"), lambda state: state["state"] == "off")
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "paused")
    assert home.states()[entity("binary_sensor", "problem")]["state"] == "off"
    assert home.states()[entity("update", "software")]["attributes"]["installed_version"]
    return ""


def commands_it(fleet: Fleet, home: Home) -> str:
    """F5 F7: volume, route and every button are obeyed"""
    board = fleet.board
    home.call("number/set_value", entity("number", "volume"), value=37)
    home.wait(entity("number", "volume"), lambda state: float(state["state"]) == 37)
    assert " volume=37 " in board.ctl("status").stdout
    home.call("button/press", entity("button", "play"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "playing")
    home.call("button/press", entity("button", "page"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] != "playing")
    home.call("button/press", entity("button", "end_page"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "playing")
    before = home.states()[entity("sensor", "track")]["state"]
    home.call("button/press", entity("button", "next"))
    home.wait(entity("sensor", "track"), lambda state: state["state"] != before)
    home.call("button/press", entity("button", "pause"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "paused")
    home.call("button/press", entity("button", "stop"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "stopped")
    home.call("select/select_option", entity("select", "route"), option="speaker")
    fleet.wait("reply", lambda text: "route speaker" in text)
    home.call("select/select_option", entity("select", "route"), option="auto")
    fleet.wait("reply", lambda text: "route auto" in text and '"ok":true' in text)
    return ""


def loses_it(fleet: Fleet, home: Home) -> str:
    """F3 F7: a board whose program or link is gone is unavailable, and available when it is back"""
    board = fleet.board
    board.end(board.fleet)
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "unavailable")
    board.start_fleet("--group", "hall")
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "stopped")
    board.broker.stop(kill=True)
    home.wait(entity("number", "volume"), lambda state: state["state"] == "unavailable", 30)
    board.start_broker()
    home.wait(entity("number", "volume"), lambda state: state["state"] == "37", 30)
    return ""


ALL = [finds_it, shows_it, commands_it, loses_it]

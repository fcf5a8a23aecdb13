"""What Home Assistant makes of a board: each entity and each command, by its REST interface."""

import json
import pathlib
import re
import textwrap
import time

from checks import check
from Fleet.brokers import end, wait_until
from Fleet.fleet import Fleet
from Fleet.home import Home

SENSED = ["headphones", "line_out"]


def entity(kind: str, name: str) -> str:
    return f"{kind}.jackdaw_board7_{name}"


@check("F7", "Home Assistant finds the board and all its entities by itself")
def test_finds_it(fleet: Fleet, home: Home) -> str:
    home.wait(entity("sensor", "state"), lambda state: state["state"] in ("stopped", "playing", "paused"), 60)
    states = home.states()
    expected = [entity("sensor", name) for name in ("state", "track", "visits", "listens")]
    expected += [entity("binary_sensor", "problem"), entity("number", "volume"), entity("select", "route")]
    expected += [entity("binary_sensor", f"plug_{port}") for port in SENSED]
    expected += [entity("button", name) for name in ("play", "pause", "stop", "next", "page", "end_page")]
    expected += [entity("event", "event"), entity("update", "software"), entity("sensor", "temperature")]
    expected += [entity("select", "playlist"), entity("update", "exhibition"), entity("button", "look_for_content")]
    expected += [entity("number", "sleep_timer"), entity("button", "sleep_behind_this_track")]
    missing = [name for name in expected if name not in states]
    ours = sorted(name for name in states if ".jackdaw_" in name)
    assert not missing, f"missing {missing} of {ours}"
    lost = [name for name in ours if states[name]["state"] == "unavailable"]
    assert not lost, f"unavailable: {lost}"
    return f"{len(ours)} entities"


@check("F7", "plugs, track and events are shown as they happen")
def test_shows_it(fleet: Fleet, home: Home) -> str:
    board = fleet.board
    home.call("button/press", entity("button", "play"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "playing")
    home.wait(entity("sensor", "track"), lambda state: state["state"] in board.ctl("status", "--json").stdout)
    board.press("h")
    home.wait(entity("binary_sensor", "plug_headphones"), lambda state: state["state"] == "on")
    came = home.wait(
        entity("event", "event"), lambda state: state["attributes"].get("event_type") == "port.connected")
    assert came["attributes"]["uptime"] and came["attributes"]["boot"], came
    assert home.states()[entity("select", "route")]["state"] == "headphones"
    time.sleep(0.6)
    board.press("h")
    home.wait(entity("binary_sensor", "plug_headphones"), lambda state: state["state"] == "off")
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "paused")
    assert home.states()[entity("binary_sensor", "problem")]["state"] == "off"
    return ""


@check("F7", "the dashboard for a wall of posts lists the board, and names it while it is not reached")
def test_lists_it(fleet: Fleet, home: Home) -> str:
    posts, problems = _dashboard()
    # Another maker's, of which the board's dashboard says nothing.
    for kind, name in (("sensor", "State"), ("binary_sensor", "Problem")):
        said = {"name": name, "uniq_id": f"kitchen_{name}", "stat_t": "kitchen", "dev": {"ids": ["kitchen"], "name": "Kitchen"}}
        fleet.centre.say(f"homeassistant/{kind}/kitchen_{name}/config", json.dumps(said), "-r")
    fleet.centre.say("kitchen", "ON", "-r")
    home.wait("binary_sensor.kitchen_problem", lambda state: state["state"] == "on")
    shown = home.render(posts)
    assert "**1** posts, **0** not reached" in shown, shown
    row = [cell.strip() for cell in shown.splitlines()[-1].split("|")]
    assert row[1:3] == ["Jackdaw board7", "paused"] and row[4].isdigit() and row[6] == "", shown
    assert home.render(problems).strip() == "None.", home.render(problems)
    _check_twin(fleet, home, posts, problems)
    end(fleet.board.firmware)
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "unavailable")
    assert "**1** not reached: Jackdaw board7" in home.render(posts), home.render(posts)
    fleet.board.start_firmware()
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "stopped")
    return ""


def _check_twin(fleet: Fleet, home: Home, posts: str, problems: str) -> None:
    """Another post of the same name, whose entities Home Assistant numbers, is listed, too, until it is removed."""
    device = {"ids": ["twin"], "name": "Jackdaw board7", "mf": "Jackdaw"}
    topics = {name: f"homeassistant/{kind}/twin_{name}/config" for kind, name in (("sensor", "State"), ("binary_sensor", "Problem"))}
    for name, topic in topics.items():
        said = {"name": name, "uniq_id": f"twin_{name}", "stat_t": "twin", "dev": device}
        fleet.centre.say(topic, json.dumps(said), "-r")
    fleet.centre.say("twin", "ON", "-r")
    home.wait("binary_sensor.jackdaw_board7_problem_2", lambda state: state["state"] == "on")
    home.wait("sensor.jackdaw_board7_state_2", lambda state: state["state"] == "ON")
    shown = home.render(posts)
    assert "**2** posts, **0** not reached" in shown, shown
    rows = [[cell.strip() for cell in line.split("|")] for line in shown.splitlines()[-2:]]
    assert [row[2:3] + row[6:7] for row in rows] == [["paused", ""], ["ON", "yes"]], shown
    assert home.render(problems).startswith("- Jackdaw board7, since"), home.render(problems)
    for topic in topics.values():
        fleet.centre.say(topic, "", "-r")
    wait_until("the end of the other post", 10, lambda: "sensor.jackdaw_board7_state_2" not in home.states())


@check("F5 F7", "volume, sleep timer, route and every button are obeyed")
def test_commands_it(fleet: Fleet, home: Home) -> str:
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
    home.call("number/set_value", entity("number", "sleep_timer"), value=20)
    home.wait(entity("number", "sleep_timer"), lambda state: float(state["state"]) == 20)
    assert " sleep=1" in board.ctl("status").stdout
    home.call("number/set_value", entity("number", "sleep_timer"), value=0)
    home.wait(entity("number", "sleep_timer"), lambda state: float(state["state"]) == 0)
    home.call("button/press", entity("button", "sleep_behind_this_track"))
    fleet.wait("reply", lambda text: "sleep track" in text and '"ok":true' in text)
    home.call("number/set_value", entity("number", "sleep_timer"), value=0)
    # "Behind this track" is not a number, and so unknown.
    home.wait(entity("number", "sleep_timer"), lambda state: state["state"] in ("0", "0.0"))
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
    home.call("select/select_option", entity("select", "playlist"), option="Study")
    home.wait(entity("select", "playlist"), lambda state: state["state"] == "Study")
    assert "playlist=Study" in board.ctl("status").stdout.replace('"', "")
    home.call("select/select_option", entity("select", "playlist"), option="Hall")
    home.wait(entity("select", "playlist"), lambda state: state["state"] == "Hall")
    home.call("button/press", entity("button", "stop"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "stopped")
    return ""


@check("F7 F9", "what is newer is shown until it is installed, and the board is told to look for it")
def test_brings_it_content(fleet: Fleet, home: Home) -> str:
    board = fleet.board
    board.look.unlink(missing_ok=True)
    home.call("button/press", entity("button", "look_for_content"))
    wait_until("the file that asks for content", 10, board.look.exists)
    version = board.run("--version").stdout.strip()
    for kind, installed, latest in (("software", version, "99.0"), ("exhibition", "exhibition_9", "exhibition_10")):
        (board.versions / kind).write_text(f"{installed} {latest}\n")
        shown = home.wait(entity("update", kind), lambda state: state["state"] == "on", 40)["attributes"]
        assert (shown["installed_version"], shown["latest_version"]) == (installed, latest), shown
    # The second one within a minute, so it is refused.
    home.call("update/install", entity("update", "exhibition"))
    fleet.wait("reply", lambda text: "content install" in text and "less than a minute" in text)
    for kind, installed in (("software", version), ("exhibition", "exhibition_10")):
        (board.versions / kind).write_text(f"{installed} {installed}\n")
    board.ctl("content", "reading")
    board.ctl("content", "installed", "exhibition_10")
    for kind in ("software", "exhibition"):
        shown = home.wait(entity("update", kind), lambda state: state["state"] == "off", 40)["attributes"]
        assert shown["installed_version"] == shown["latest_version"], shown
    return ""


@check("F7", "a browser shows the dashboard with the board")
def test_photographs_it(fleet: Fleet, home: Home) -> str:
    fleet.board.press("h")
    home.call("button/press", entity("button", "play"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "playing")
    picture = home.photograph("/jackdaw-posts/posts", "Jackdaw board7")
    fleet.board.press("h")
    home.call("button/press", entity("button", "stop"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "stopped")
    return str(picture.relative_to(pathlib.Path.cwd()))


@check("F3 F7", "a board whose program or link is gone is unavailable, and available when it is back")
def test_loses_it(fleet: Fleet, home: Home) -> str:
    board = fleet.board
    end(board.fleet)
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "unavailable")
    board.start_fleet()
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "stopped")
    board.broker.stop(kill=True)
    home.wait(entity("number", "volume"), lambda state: state["state"] == "unavailable", 30)
    board.start_broker()
    home.wait(entity("number", "volume"), lambda state: state["state"] == "37", 30)
    return ""


@check("F7 F8", "who plugs in and plays is a visit and a listen of today, a minute later")
def test_counts_it(fleet: Fleet, home: Home) -> str:
    # Longer than visit_gap: who plugs in sooner is the visitor of the checks before.
    time.sleep(11)
    before = fleet.board.ctl("stats").stdout.splitlines()[0]
    fleet.board.press("h")
    home.call("button/press", entity("button", "play"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "playing")
    fleet.board.press("h")
    home.call("button/press", entity("button", "stop"))
    home.wait(entity("sensor", "state"), lambda state: state["state"] == "stopped")
    after = fleet.board.ctl("stats").stdout.splitlines()[0]
    counts = {}
    for name, field in (("visits", "visits"), ("listens", "starts")):
        old, new = (int(re.search(rf" {field}=(\d+)", line)[1]) for line in (before, after))
        assert new > old, f"{before}, {after}"
        shown = home.wait(entity("sensor", name), lambda state: state["state"] == str(new), 130)
        assert shown["attributes"]["period"] in after, shown
        counts[name] = new
    row = [cell.strip() for cell in home.render(_dashboard()[0]).splitlines()[-1].split("|")]
    assert row[5] == str(counts["visits"]), row
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _dashboard() -> list[str]:
    """The templates of its two cards."""
    text = pathlib.Path("deploy/home-assistant.yaml").read_text()
    return [textwrap.dedent(re.split(r"\n(?=      - )", part)[0]) for part in text.split("        content: |\n")[1:]]

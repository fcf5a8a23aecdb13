"""The simulator's scenarios on the emulated board: the same steps, and the same golden logs."""

import pathlib
import time

import pytest

from checks import check
from EmulatedBoard import scenario
from event_log import parse

FOLDER = pathlib.Path(__file__).parents[3] / "SimulatorTests/Scenarios"
PATHS = sorted(FOLDER.glob("*.scenario"))
# s of the host: what is expected at an instant is there by then.
PATIENCE = 20


@check("", "a scenario of the simulator, with its golden log")
@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_scenario(bench, path):
    try:
        steps = scenario.read(path)
    except scenario.Impossible as reason:
        pytest.skip(f"on a board {reason}")
    begin = _power_on(bench, [step for step in steps if step.at == 0])
    for step in steps:
        if step.at > 0:
            bench.board.wait(max(0, step.at - (bench.now() - begin)))
            _do(bench, step)
    found = scenario.comparable(bench.console.heard())
    wanted = scenario.comparable(path.with_suffix(".log").read_text().splitlines())
    for number, (here, there) in enumerate(zip(found, wanted), 1):
        assert here == there, f"event {number}:\nfound    {here}\nexpected {there}"
    assert len(found) == len(wanted), f"{len(found)} events, expected {len(wanted)}: {(found + wanted)[min(len(found), len(wanted)):][:3]}"
    return f"{len(steps)} steps, {len(found)} events"


def _power_on(bench, first: list[scenario.Step]) -> float:
    """Starts the firmware as on the first day, with what is plugged in from the start; returns that instant."""
    bench.stop_service()
    for name in bench.board.wiring.inputs:
        bench.board.lines.set(name, 0)
    bench.board.run("rm -rf /var/lib/jackdaw/*")
    for step in first:
        _do(bench, step)
    bench.console.mark()
    bench.console.keep()
    bench.start_service()
    return bench.now()


def _do(bench, step: scenario.Step) -> None:
    lines = bench.board.lines
    if step.verb in ("plug", "unplug"):
        lines.set(scenario.SENSES[step.words[0]], int(step.verb == "plug"))
    elif step.verb in ("press", "release"):
        lines.set(scenario.BUTTONS[step.words[0]], int(step.verb == "press"))
    elif step.verb == "route":
        bench.console.type(f"route {scenario.PORTS.get(step.words[0], step.words[0])}")
    elif step.verb == "console":
        bench.console.type(step.words[0])
    elif step.verb == "expect":
        _expect(bench, step)


def _expect(bench, step: scenario.Step) -> None:
    wanted = [(name, values) for name, values in scenario.conditions(step.words) if name in (*scenario.STATUS, "event")]
    deadline = time.monotonic() + PATIENCE
    while missing := [f"{name} {' '.join(values)}" for name, values in wanted if not _holds(bench, name, values)]:
        assert time.monotonic() < deadline, f"at {step.at} s expected {', '.join(missing)}; it is {bench.status()}"
        bench.board.wait(0.05)


def _holds(bench, name: str, values: list[str]) -> bool:
    if name == "event":
        wanted = dict(value.split("=", 1) for value in values[1:])
        return any(event.name == values[0] and all(
            event[key] == value for key, value in wanted.items() if key not in scenario.TIMES_AND_PLACES)
            for event in map(parse, bench.console.heard()) if event)
    return bench.status().get(name, "").split("/")[0] == values[0]

"""Which board a check runs on, and what its board is made of."""

import pathlib
from collections.abc import Iterator

import pytest

from EmulatedBoard.bench import Bench
from EmulatedBoard.boards import PLANS, Boards, Parts, Plan


def pytest_addoption(parser: pytest.Parser) -> None:
    for name in ("package", "emulator", "system", "tools", "out", "headset"):
        parser.addoption(f"--{name}", type=pathlib.Path, help=f"Parts.{name} of boards.py")


def pytest_sessionstart(session: pytest.Session) -> None:
    # Once, and not in each of the processes that carry out checks.
    if not hasattr(session.config, "workerinput") and not session.config.option.collectonly:
        _parts(session.config).prepare()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Board by board, and in the order of its plan. Each is one group for xdist, which so does two boards at once."""
    items.sort(key=lambda item: (PLANS.index(_plan(item)), _plan(item).modules.index(_module(item))))
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_plan(item).name))
        if _plan(item).has_radio and not config.option.headset:
            item.add_marker(pytest.mark.skip("a Bluetooth headset cannot be installed here"))


@pytest.fixture(scope="session")
def boards(pytestconfig: pytest.Config) -> Iterator[Boards]:
    found = Boards(_parts(pytestconfig))
    yield found
    found.close()


@pytest.fixture
def bench(request: pytest.FixtureRequest, boards: Boards) -> Bench:
    return boards.bench(_plan(request.node))


def _parts(config: pytest.Config) -> Parts:
    option = config.option
    return Parts(option.package, option.emulator, option.system, option.tools, option.out.resolve(),
                 option.headset and option.headset.resolve())


def _plan(item: pytest.Item) -> Plan:
    return next(plan for plan in PLANS if _module(item) in plan.modules)


def _module(item: pytest.Item) -> str:
    return item.path.stem.removeprefix("test_")

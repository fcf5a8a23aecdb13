"""One board and its centre for all checks, in their order, and Home Assistant where it is asked for."""

import fcntl
import pathlib
import shutil
from collections.abc import Iterator

import pytest

from Fleet.fleet import Fleet
from Fleet.home import Home


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--programs", type=pathlib.Path, help="the folder with jackdaw and jackdaw-fleet")
    parser.addoption("--out", type=pathlib.Path, default=pathlib.Path(".build/fleet"), help="for logs")
    parser.addoption("--home", help="the command that starts Home Assistant in the folder `home` of --out")


def pytest_ignore_collect(collection_path: pathlib.Path, config: pytest.Config) -> bool | None:
    return True if collection_path.name == "test_home.py" and not config.option.home else None


@pytest.fixture(scope="session")
def out(pytestconfig: pytest.Config) -> Iterator[pathlib.Path]:
    folder = pytestconfig.option.out.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Two that write into one folder take turns.
    with open(folder.with_suffix(".lock"), "w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        yield folder


@pytest.fixture(scope="session")
def fleet(pytestconfig: pytest.Config, out: pathlib.Path) -> Iterator[Fleet]:
    found = Fleet(pytestconfig.option.programs.resolve(), out, _make_music(out / "music"))
    yield found
    found.close()


@pytest.fixture(scope="session")
def home(pytestconfig: pytest.Config, out: pathlib.Path, fleet: Fleet) -> Iterator[Home]:
    found = Home(pytestconfig.option.home.split(), out / "home")
    try:
        found.set_up(fleet.centre.plain)
        yield found
    finally:
        found.close()


def _make_music(folder: pathlib.Path) -> pathlib.Path:
    """Two playlists, the first with all tracks of the simulated board."""
    tracks = sorted(pathlib.Path("board/sim/music").glob("*.mp3"))
    for playlist, some in (("Hall", tracks), ("Study", tracks[1:])):
        (folder / playlist).mkdir(parents=True)
        for track in some:
            shutil.copy(track, folder / playlist)
    return folder

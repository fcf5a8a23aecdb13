"""What the checks of a card are made of."""

import pathlib

import pytest

from Board import sound

MUSIC = "1 signs.wav"


def pytest_addoption(parser: pytest.Parser) -> None:
    for name, what in (("image", "not compressed"), ("emulator", "a tree with QEMU"), ("out", "for cards, logs and sound"),
                       ("user-emulator", "a qemu-aarch64 that needs no libraries"), ("package", "the package for arm64")):
        parser.addoption(f"--{name}", type=pathlib.Path, help=what)
    parser.addoption("--script", help="the command that runs a script of this folder")
    parser.addoption("--times", type=int, help="how many power cuts at random instants in each check of them")
    parser.addoption("--boots", type=int, default=2, help="after how many more of them the board is started as a whole")


def pytest_sessionstart(session: pytest.Session) -> None:
    config = session.config
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        config.option.out.mkdir(parents=True, exist_ok=True)
        sound.make_track(1, 65, config.option.out / MUSIC)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # The tests that take longest begin.
    items.sort(key=lambda item: "cuts" not in item.name)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput") and session.config.option.out:
        for card in session.config.option.out.glob("*.img"):
            card.unlink()

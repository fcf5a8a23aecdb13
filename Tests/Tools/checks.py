"""What marks a check for pytest."""

import pytest


def check(rows: str, title: str):
    """Rows of the contract, and what the check shows. It raises AssertionError where they do not hold."""
    return pytest.mark.check(rows, title)


def rows_of(item: pytest.Item) -> list[str]:
    mark = item.get_closest_marker("check")
    return mark.args[0].split() if mark else []


def title_of(item: pytest.Item) -> str:
    mark = item.get_closest_marker("check")
    name = item.name.removeprefix("test_")
    if not mark:
        return f"{name:<12} {item.obj.__doc__}"
    return f"{mark.args[0] or name:<12} {mark.args[1]}"

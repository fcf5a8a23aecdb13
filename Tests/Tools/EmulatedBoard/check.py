"""A check: what it shows, for which rows of the contract, and its result."""

import dataclasses
import inspect
import time
import traceback
from typing import Callable


@dataclasses.dataclass
class Check:
    rows: str
    title: str
    run: Callable


@dataclasses.dataclass
class Result:
    check: Check
    figure: str
    error: str = ""

    @property
    def line(self) -> str:
        word = "FAIL" if self.error else "PASS"
        return f"{word}  {self.check.rows:<12} {self.check.title}" + (f": {self.figure}" if self.figure else "")


def check(rows: str, title: str):
    """Marks a function that takes a bench, raises AssertionError where the rows do not hold, and returns a figure."""

    def mark(function: Callable) -> Callable:
        function.check = Check(rows, title, function)
        return function

    return mark


def of(module) -> list[Check]:
    """The checks of a module, in the order of their definition."""
    found = [value.check for _, value in inspect.getmembers(module, inspect.isfunction) if hasattr(value, "check")]
    return sorted(found, key=lambda one: one.run.__code__.co_firstlineno)


# A board that is really broken fails often, and trying again would only take time.
CONFIRMED_AT_MOST = 4


def carry_out(one: Check, bench) -> Result:
    result = _try(one, bench)
    # Now and then QEMU loses the pace of a card and records no more of it; that is not a fault of the board.
    if result.error and bench.revive_sound():
        result = _try(one, bench)
    if result.error and bench.confirmed < CONFIRMED_AT_MOST:
        bench.confirmed += 1
        return _confirm(result, bench)
    return result


def _confirm(failure: Result, bench) -> Result:
    """A host that is busy, or stops for a while, makes the emulated board miss milliseconds that a real one would not
    miss. So a check that failed once passes if it then holds twice; the failure is reported all the same."""
    for _ in range(2):
        result = _try(failure.check, bench)
        if result.error:
            return Result(result.check, "", f"{failure.error}\nand when it was tried again:\n{result.error}")
    return Result(result.check, f"{result.figure}; held twice after it had failed: {failure.error.splitlines()[-1]}")


def _try(one: Check, bench) -> Result:
    begin = time.monotonic()
    try:
        bench.settle()
        figure = one.run(bench) or ""
        return Result(one, f"{figure}{', ' if figure else ''}{time.monotonic() - begin:.0f} s")
    except AssertionError as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        what = str(error) or f"does not hold: {place.line}"
        return Result(one, "", f"{place.filename.rsplit('/', 1)[-1]}:{place.lineno}: {what}")
    except Exception:  # the check or the board is broken; the other checks still run
        return Result(one, "", traceback.format_exc(limit=-4))

"""A check: what it shows, for which rows of the behaviour, and what came out."""

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
        verdict = "FAIL" if self.error else "PASS"
        return f"{verdict}  {self.check.rows:<12} {self.check.title}" + (f": {self.figure}" if self.figure else "")


def check(rows: str, title: str):
    """Marks a function that takes a bench, throws AssertionError where the rows do not hold, and answers a figure."""

    def mark(function: Callable) -> Callable:
        function.check = Check(rows, title, function)
        return function

    return mark


def of(module) -> list[Check]:
    """The checks of a module, in the order in which they stand there."""
    found = [value.check for _, value in inspect.getmembers(module, inspect.isfunction) if hasattr(value, "check")]
    return sorted(found, key=lambda one: one.run.__code__.co_firstlineno)


# A board that is really broken fails often, and there it would only take time.
CONFIRMED_AT_MOST = 4


def carry_out(one: Check, bench) -> Result:
    result = _try(one, bench)
    # Now and then QEMU loses the pace of a card and records no more of it; that is no matter of the board's.
    if result.error and bench.revive_sound():
        result = _try(one, bench)
    if result.error and bench.confirmed < CONFIRMED_AT_MOST:
        bench.confirmed += 1
        return _confirm(result, bench)
    return result


def _confirm(failure: Result, bench) -> Result:
    """A machine with other work, or that stands still for a while, makes the emulated board miss milliseconds of which a
    real one would know nothing. So what failed once passes if it then holds twice; the failure is told all the same."""
    for _ in range(2):
        result = _try(failure.check, bench)
        if result.error:
            return result
    return Result(result.check, f"{result.figure}; held twice after it had failed: {failure.error.splitlines()[-1]}")


def _try(one: Check, bench) -> Result:
    begin = time.monotonic()
    try:
        bench.settle()
        figure = one.run(bench) or ""
        return Result(one, f"{figure}{', ' if figure else ''}{time.monotonic() - begin:.0f} s")
    except AssertionError as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        what = str(error) or f"not so: {place.line}"
        return Result(one, "", f"{place.filename.rsplit('/', 1)[-1]}:{place.lineno}: {what}")
    except Exception:  # the check itself is broken, or the board is; the others may still tell something
        return Result(one, "", traceback.format_exc(limit=-4))

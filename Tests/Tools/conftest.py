"""How checks run in pytest: which are chosen, one line for each, and which may be tried again.

A check is a function whose name begins with `test_`, marked with `@check(rows, title)`; it returns a figure, or nothing.
Before it runs, and before it is tried again, what it is given comes to rest: its `settle()`, where it has one, is called.
"""

import time
import traceback

import pytest

from checks import rows_of, title_of


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--only", action="append", default=[], metavar="ROW",
                     help="only the checks of this row of the contract, or those with this in their name; may be repeated")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "check(rows, title): the rows of the contract that it holds, and what it shows")
    config.addinivalue_line("markers", "first: is carried out whatever --only says, as all others begin with it")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(), "reporter")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    only = config.getoption("only")
    if unknown := [word for word in only if not any(_is_named(item, word) for item in items)]:
        known = sorted({row for item in items for row in rows_of(item)})
        problem = f"--only {' '.join(unknown)}: expected a part of a check's name, or one of {' '.join(known)}"
        if not hasattr(config, "workeroutput"):
            raise pytest.UsageError(problem)
        # A process of several: the first one says it for all.
        config.workeroutput["problem"] = problem
        items.clear()
    if only:
        items[:] = [item for item in items if any(_is_named(item, word) for word in only) or item.get_closest_marker("first")]


def _is_named(item: pytest.Item, word: str) -> bool:
    return word in rows_of(item) or word in f"{item.path.stem}:{item.name}"


# ---- Carrying one out ------------------------------------------------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    begin = time.monotonic()
    try:
        figures = _try(pyfuncitem, given)
    except Exception as error:
        if not (reason := _reason_to_try_again(given)):
            raise
        pyfuncitem.user_properties.append(("again", f"{reason}; first it said: {_last_line(error)}"))
        # It has to hold twice.
        for _ in range(2):
            figures = _try(pyfuncitem, given)
    pyfuncitem.user_properties.append(("figure", "; ".join([*figures, f"{time.monotonic() - begin:.0f} s"])))
    return True


def _try(item: pytest.Function, given: dict) -> list[str]:
    for value in given.values():
        if settle := getattr(value, "settle", None):
            settle()
    figure = item.obj(**given)
    return [figure] if figure else list(getattr(item.instance, "figures", []))


def _reason_to_try_again(given: dict) -> str:
    """What the board that it is given says in excuse. Without that, once is for all."""
    for value in given.values():
        if excuse := getattr(value, "excuse", None):
            if reason := excuse():
                return reason
    return ""


def _last_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    outcome = yield
    report = outcome.get_result()
    report.title = title_of(item)
    report.why = _explain(call.excinfo.value) if call.excinfo and report.failed else ""
    report.log = next((str(value.log) for value in getattr(item, "funcargs", {}).values() if hasattr(value, "log")), "")


def _explain(error: BaseException) -> str:
    """What a check found, and where; of anything else, which is a fault of the check or of the board, the way there."""
    if not isinstance(error, AssertionError):
        return "".join(traceback.format_exception(error)[-6:])
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{place.filename.rsplit('/', 1)[-1]}:{place.lineno}: {str(error) or place.line}"


# ---- Reporting -------------------------------------------------------------------------------------------------------


class Reporter:
    """One line a check as it ends, and at the end those that passed at their second try, by name and with the reason."""

    def __init__(self) -> None:
        self.passed = self.failed = self.skipped = 0
        self.again: list[str] = []
        self.problem = ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node) -> None:
        self.problem = getattr(node, "workeroutput", {}).get("problem", self.problem)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report):
        # None of pytest's letters; what was only set up is not counted.
        return (report.outcome if report.when == "call" or not report.passed else ""), "", ""

    def pytest_runtest_logreport(self, report) -> None:
        properties = dict(report.user_properties)
        if report.skipped:
            self.skipped += 1
            print(f"SKIP  {report.title}: {report.longrepr[2].removeprefix('Skipped: ')}", flush=True)
        elif report.failed:
            self.failed += 1
            print(f"FAIL  {report.title}", flush=True)
            print("".join(f"      {line}\n" for line in report.why.splitlines()), end="")
            if "again" in properties:
                print(f"      tried again because: {properties['again']}")
            print(f"      its log: {report.log}" if report.log else "", flush=True)
        elif report.when == "call":
            self.passed += 1
            figure = properties["figure"]
            if "again" in properties:
                self.again.append(f"{report.title}: {properties['again']}")
                figure += "; at its second try"
            print(f"PASS  {report.title}: {figure}", flush=True)

    def pytest_terminal_summary(self, terminalreporter) -> None:
        if self.problem:
            terminalreporter.write_line(f"error: {self.problem}")
        for line in self.again:
            terminalreporter.write_line(f"AGAIN passed at its second try: {line}")
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        terminalreporter.write_line(f"{self.passed} of {self.passed + self.failed} checks passed{skipped}")

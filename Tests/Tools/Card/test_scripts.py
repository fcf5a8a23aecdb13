"""What needs no boot: scripts beside this, each of which Tests/commands/card runs in the Debian 13 that it needs."""

import subprocess

import pytest

from checks import check

# They share those trees.
pytestmark = pytest.mark.xdist_group("scripts")


@pytest.fixture
def script(pytestconfig: pytest.Config):
    option = pytestconfig.option

    def run(name: str) -> str:
        log = option.out.resolve() / f"{name}.log"
        with open(log, "w") as output:
            done = subprocess.run([*option.script.split(), name, option.package, str(option.times or 200)],
                                  stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        lines = log.read_text(errors="replace").splitlines()
        last = "\n".join([line for line in lines if line.startswith("FAIL")] or lines[-15:])
        assert done.returncode == 0, f"status {done.returncode}, see {log}:\n{last}"
        return f"{sum(line.startswith('PASS') for line in lines)} parts"

    return run


@check("", "nobody gets in")
def test_closed(script):
    return script("closed")


@check("", "exhibitions are taken, and taken back")
def test_trials(script):
    return script("trials")


@check("", "exhibitions that are not signed are refused, and those whose unpacking is killed are whole")
def test_unpacking(script):
    return script("unpacking")


@check("", "exhibitions are made")
def test_making(script):
    return script("making")


@check("", "packages that are not signed are refused")
def test_signatures(script):
    return script("signatures")


@check("", "a fleet is told which versions there are")
def test_versions(script):
    return script("versions")

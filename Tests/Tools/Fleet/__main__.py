"""A board in its fleet, with the real Mosquitto: see Tests/run fleet, which builds the programs."""

import argparse
import fcntl
import pathlib
import shutil
import sys

import checks
import home_checks
from fleet import Fleet
from home import Home


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/run fleet")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(".build/fleet"), help="for logs")
    parser.add_argument("--only", help="the checks whose name contains this")
    parser.add_argument("--home", help="the command that starts Home Assistant in the folder `home` of --out")
    options = parser.parse_args()
    out = options.out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    # Two that write into one folder take turns.
    turn = open(out.with_suffix(".lock"), "w")
    fcntl.flock(turn, fcntl.LOCK_EX)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    fleet = Fleet(options.programs.resolve(), out, make_music(out / "music"))
    home = Home(options.home.split(), out / "home") if options.home else None
    try:
        failures = run(checks.ALL, (fleet,), options.only)
        if home:
            home.set_up(fleet.centre.plain)
            failures += run(home_checks.ALL, (fleet, home), options.only)
    finally:
        if home:
            home.close()
        fleet.close()
    return 1 if failures else 0


def make_music(folder: pathlib.Path) -> pathlib.Path:
    """Two playlists, the first with all tracks of the simulated board."""
    tracks = sorted(pathlib.Path("board/sim/music").glob("*.mp3"))
    for playlist, some in (("Hall", tracks), ("Study", tracks[1:])):
        (folder / playlist).mkdir(parents=True)
        for track in some:
            shutil.copy(track, folder / playlist)
    return folder


def run(all_checks: list, given: tuple, only: str | None) -> int:
    """Returns how many failed."""
    failures = 0
    for check in all_checks:
        # The first is what all others begin with.
        if only and only not in check.__name__ and check is not all_checks[0]:
            continue
        try:
            measured = check(*given)
            print(f"PASS  {check.__doc__}" + (f": {measured}" if measured else ""), flush=True)
        except AssertionError as error:
            failures += 1
            print(f"FAIL  {check.__doc__}: {error}", flush=True)
    return failures


if __name__ == "__main__":
    sys.exit(main())

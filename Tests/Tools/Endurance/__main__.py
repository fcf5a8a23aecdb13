"""What the firmware withstands over a long time or very often: see Tests/run endure, which builds it."""

import argparse
import pathlib
import random
import sys

import coins
import growth
import kills
import library


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/run endure")
    parser.add_argument("--program", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(".build/endure"), help="for logs and state")
    parts = parser.add_subparsers(required=True, metavar="PART")
    one = parts.add_parser("kills", help="kill it at random instants, and start it again")
    one.add_argument("--times", type=int, default=1_000)
    one.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    one.set_defaults(run=kills.run)
    one = parts.add_parser("coins", help="kill a jukebox while coins fall and requests play")
    one.add_argument("--times", type=int, default=1_000)
    one.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    one.set_defaults(run=coins.run)
    one = parts.add_parser("growth", help="watch its memory and its descriptors")
    one.add_argument("--hours", type=float, default=1, help="of a busy kiosk, in real time")
    one.add_argument("--days", type=int, default=30, help="of a simulated one; 0: none")
    one.set_defaults(run=growth.run)
    one = parts.add_parser("library", help="give it very many tracks, and commands as fast as they go")
    one.add_argument("--tracks", type=int, default=100_000)
    one.set_defaults(run=library.run)
    options = parser.parse_args()
    options.program, options.out = options.program.resolve(), options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())

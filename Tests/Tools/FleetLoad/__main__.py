"""What one Mosquitto carries: see deploy/fleet-load, which builds the boards."""

import argparse
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import time


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Broker:
    def __init__(self, folder: pathlib.Path):
        self.port, self.folder = free_port(), folder
        (folder / "mosquitto.conf").write_text(
            f"user root\npersistence true\npersistence_location {folder}/\nmax_queued_messages 0\n"
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")

    def start(self) -> None:
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            ["mosquitto", "-c", self.folder / "mosquitto.conf"], stdout=log, stderr=log)
        while socket.socket().connect_ex(("127.0.0.1", self.port)) != 0:
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    def processor(self) -> float:
        """Seconds of the processor so far."""
        words = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self) -> float:
        """MiB."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="deploy/fleet-load")
    parser.add_argument("--program", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--changes", type=int, default=60_000, help="of the state, in a day made short")
    parser.add_argument("--no-return", action="store_true", help="without the broker's restart, which takes 5 minutes")
    options = parser.parse_args()
    folder = pathlib.Path(".build/fleet-load").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # libmosquitto has three descriptors for a connection; root may have more than the limit.
    needed = 3 * options.boards + 200
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(most, needed), max(most, needed)))
    except (ValueError, OSError):
        print(f"{options.boards} boards need {needed} descriptors, and this machine allows {most}: "
              f"--boards {(most - 200) // 3}, or as root", file=sys.stderr)
        return 2
    broker = Broker(folder)
    broker.start()
    boards = subprocess.Popen(
        [options.program.resolve(), str(broker.port), str(options.boards)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True)
    print(f"{'what':34} {'seconds':>8} {'broker, s':>10} {'MiB':>6} {'messages':>9}")
    total = 0

    def run(what: str, command: str) -> None:
        nonlocal total
        before = broker.processor()
        boards.stdin.write(command + "\n")
        boards.stdin.flush()
        words = dict(word.split("=") for word in boards.stdout.readline().split()[1:])
        sent, total = int(words["messages"]) - total, int(words["messages"])
        print(
            f"{what:34} {float(words['seconds']):8.2f} {broker.processor() - before:10.2f} {broker.resident():6.1f} {sent:9}",
            flush=True)

    try:
        run(f"{options.boards} boards start", "connect")
        run(f"{options.changes} changes of the state", f"day {options.changes}")
        run("all cut at once, with their wills", "cut")
        run("all start again", "connect")
        if not options.no_return:
            broker.stop()
            broker.start()
            run("back after the broker's restart", "return")
    finally:
        boards.stdin.close()
        boards.wait()
        broker.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

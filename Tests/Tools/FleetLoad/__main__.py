"""What one Mosquitto carries: see Tests/run fleet-load, which builds the boards."""

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
    parser = argparse.ArgumentParser(prog="Tests/run fleet-load")
    parser.add_argument("--program", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--changes", type=int, default=60_000, help="of the state, in a day made short")
    parser.add_argument("--no-return", action="store_true", help="without the broker's restart, which takes 5 minutes")
    options = parser.parse_args()
    folder = pathlib.Path(".build/fleet-load").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # One descriptor a board at the broker, three in libmosquitto: the boards are spread over as many processes as needed.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if options.boards + 200 > most:
        print(f"a broker of {options.boards} boards needs as many descriptors, and this machine allows {most}",
              file=sys.stderr)
        return 2
    share = (most - 200) // 3
    broker = Broker(folder)
    broker.start()
    boards = [
        subprocess.Popen(
            [options.program.resolve()] + [str(number) for number in
                                           (broker.port, first, min(first + share, options.boards), options.boards)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for first in range(0, options.boards, share)]
    print(f"{'what':34} {'seconds':>8} {'broker, s':>10} {'MiB':>6} {'messages':>9}")
    total = 0

    def run(what: str, command: str) -> None:
        nonlocal total
        before = broker.processor()
        for process in boards:
            process.stdin.write(command + "\n")
            process.stdin.flush()
        done = [dict(word.split("=") for word in process.stdout.readline().split()[1:]) for process in boards]
        assert sum(int(words["up"]) for words in done) == (0 if command == "cut" else options.boards), done
        messages = sum(int(words["messages"]) for words in done)
        sent, total = messages - total, messages
        seconds = max(float(words["seconds"]) for words in done)
        print(
            f"{what:34} {seconds:8.2f} {broker.processor() - before:10.2f} {broker.resident():6.1f} {sent:9}",
            flush=True)

    try:
        run(f"{options.boards} boards start", "connect")
        run(f"{options.changes} changes of the state", f"day {options.changes // len(boards)}")
        run("all cut at once, with their wills", "cut")
        run("all start again", "connect")
        if not options.no_return:
            broker.stop()
            broker.start()
            run("back after the broker's restart", "return")
    finally:
        for process in boards:
            process.stdin.close()
            process.wait()
        broker.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

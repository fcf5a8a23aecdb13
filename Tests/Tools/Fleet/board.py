"""A board: the firmware on a simulated board, the fleet program beside it, and the board's own broker."""

import os
import pathlib
import subprocess
import time

from Fleet.brokers import Broker, Centre, Certificates, end, wait_until


class Board:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path, identity: str, music: pathlib.Path):
        self.programs, self.folder, self.identity, self.music = programs, folder, identity, music
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = dict(
            os.environ, HOME=str(folder), XDG_RUNTIME_DIR=str(folder), XDG_STATE_HOME=str(folder / "state"))
        self.socket, self.look, self.versions = folder / "broker", folder / "look", folder / "versions"
        self.settings = folder / "settings.toml"
        self.versions.mkdir(exist_ok=True)
        self.belong('groups = ["hall"]')
        self.firmware = self.fleet = self.broker = None

    def belong(self, *lines: str, clock: str = "auto") -> None:
        """Writes the settings, which say who the board is in its fleet."""
        self.settings.write_text("\n".join([f'clock = "{clock}"', "[fleet]", f'id = "{self.identity}"', *lines, ""]))

    def set_up(self, centre: Centre, certificates: Certificates, wrapper: tuple[str, ...] = ()) -> None:
        """Writes the broker's configuration as an owner would, but for a shorter time between two tries."""
        certificate, key = certificates.make(self.identity)
        text = subprocess.run(
            [self.programs / "jackdaw-fleet", "setup", "--settings", self.settings, "--broker", f"mqtts://{centre.address}:{centre.tls}",
             "--ca", certificates.folder / "ca.pem", "--cert", certificate, "--key", key, "--socket", self.socket],
            check=True, capture_output=True, text=True, timeout=60).stdout
        assert "\nrestart_timeout " in text, text
        text = "".join(
            "restart_timeout 1 2\n" if line.startswith("restart_timeout ") else line for line in text.splitlines(True))
        self.broker = Broker(
            self.folder / "mosquitto", f"user root\npersistence_location {self.folder}/mosquitto/\n{text}", wrapper)

    def start_broker(self) -> None:
        self.socket.unlink(missing_ok=True)
        self.broker.start(self.socket.exists)

    def start_firmware(self, **variables: str) -> None:
        self.log = open(self.folder / "events.log", "ab")
        self.firmware = subprocess.Popen(
            [self.programs / "jackdaw", "run", "--board", "sim", "--settings", self.settings, "--music", self.music,
             "--output", "file:/dev/null"],
            cwd=self.folder, env={**self.environment, **variables}, stdin=subprocess.PIPE, stdout=self.log, stderr=self.log)
        wait_until("the control socket", 30, lambda: self.ctl("status").returncode == 0)

    def start_fleet(self, **variables: str) -> None:
        log = open(self.folder / "fleet.log", "ab")
        self.fleet = subprocess.Popen(
            [self.programs / "jackdaw-fleet", "run", "--settings", self.settings, "--broker", self.socket, "--control",
             self.folder / "jackdaw" / "control", "--look", self.look, "--versions", self.versions],
            stdout=log, stderr=log, env={**self.environment, **variables})

    def press(self, key: str) -> float:
        """Returns when."""
        now = time.monotonic()
        self.firmware.stdin.write(key.encode())
        self.firmware.stdin.flush()
        return now

    def ctl(self, *words: str) -> subprocess.CompletedProcess:
        return self.run("ctl", *words)

    def run(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.programs / "jackdaw", *words], env=self.environment, capture_output=True, text=True, timeout=60)

    def fleet_log(self) -> str:
        return (self.folder / "fleet.log").read_text()

    def topic(self, name: str) -> str:
        return f"jackdaw/{self.identity}/{name}"

    def close(self) -> None:
        for process in (self.fleet, self.firmware):
            end(process)
        if self.broker:
            self.broker.close()

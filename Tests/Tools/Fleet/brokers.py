"""Mosquitto, as the fleet's centre and as a board's own broker, and who listens and speaks there."""

import os
import pathlib
import queue
import socket
import struct
import subprocess
import threading
import time


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(what, seconds: float, is_true) -> None:
    """Looks again and again, for processes of others that report nothing."""
    end = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.02)


def end(process: subprocess.Popen | None, kill: bool = True, seconds: float = 30) -> None:
    """Ends a process that may have ended already, and waits until it has."""
    if not process or process.poll() is not None:
        return
    (process.kill if kill else process.terminate)()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise AssertionError(f"{process.args} did not end within {seconds} s") from None


class Clock:
    """What has programs believe in another time than the machine's: in 1970, or in days to come."""

    def __init__(self, folder: pathlib.Path):
        folder.mkdir(parents=True, exist_ok=True)
        library, self._later = folder / "clock.so", folder / "later"
        subprocess.run(
            ["clang", "-shared", "-fPIC", "-O1", "-o", library, pathlib.Path(__file__).with_name("clock.c")], check=True)
        self.old = {"LD_PRELOAD": str(library)}
        self.moved = {**self.old, "CLOCK_FILE": str(self._later)}
        self.move(0)

    def move(self, days: int) -> None:
        """For all programs that run with `moved`, at once."""
        with open(self._later, "r+b" if self._later.exists() else "w+b") as file:
            file.write(struct.pack("=q", days * 86_400))


def wrapper(variables: dict[str, str]) -> tuple[str, ...]:
    """What starts a program with these variables."""
    return ("env", *(f"{name}={value}" for name, value in variables.items()))


class Certificates:
    """A certificate authority of our own, with certificates for the centre and for boards, valid from 1970 on."""

    def __init__(self, folder: pathlib.Path, clock: Clock):
        self.folder, self.clock = folder, clock
        folder.mkdir(parents=True, exist_ok=True)
        self._openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "36500",
            "-subj", "/CN=Fleet", "-keyout", "ca.key", "-out", "ca.pem")

    def make(self, name: str, alternative: str = "") -> tuple[pathlib.Path, pathlib.Path]:
        """Returns the certificate and its key."""
        self._openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{name}.key")
        self._openssl("req", "-new", "-key", f"{name}.key", "-subj", f"/CN={name}", "-out", f"{name}.csr")
        extension = self.folder / f"{name}.ext"
        extension.write_text(f"subjectAltName = {alternative}\n" if alternative else "")
        self._openssl(
            "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-days", "36500", "-extfile", extension.name, "-out", f"{name}.pem")
        return self.folder / f"{name}.pem", self.folder / f"{name}.key"

    def _openssl(self, *words: str) -> None:
        subprocess.run(
            ["openssl", *words], cwd=self.folder, check=True, capture_output=True,
            env={**os.environ, **self.clock.old})


ACCESS = """
pattern write jackdaw/%u/#
pattern read jackdaw/%u/set/#
pattern read jackdaw/all/set/#
pattern read jackdaw/group/+/set/#
pattern write homeassistant/device/%u/config
pattern read homeassistant/status
"""


class Broker:
    """A Mosquitto that can be killed and started again."""

    def __init__(self, folder: pathlib.Path, text: str, wrapper: tuple[str, ...] = ()):
        self.folder, self.wrapper = folder, wrapper
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "mosquitto.conf").write_text(text)
        self.process = None

    def start(self, ready) -> None:
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [*self.wrapper, "mosquitto", "-c", str(self.folder / "mosquitto.conf")], stdout=log, stderr=log)
        wait_until(f"the broker in {self.folder}", 30, ready)

    def stop(self, kill: bool = False) -> None:
        process, self.process = self.process, None
        end(process, kill)

    def close(self) -> None:
        self.stop(kill=True)


class Centre(Broker):
    """Boards come with certificates, whose names their topics have to have; staff come without, from this machine."""

    def __init__(self, folder: pathlib.Path, certificates: Certificates, address: str = "127.0.0.1", also: str | None = None):
        """- also: another name of it."""
        certificate, key = certificates.make("centre", f"IP:{address},DNS:localhost" + (f",DNS:{also}" if also else ""))
        self.address, self.tls, self.plain = address, free_port(), free_port()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "access").write_text(ACCESS)
        (folder / "access").chmod(0o600)
        super().__init__(folder, f"""
user root
per_listener_settings true
persistence true
persistence_location {folder}/
max_queued_messages 0
listener {self.tls} {address}
cafile {certificates.folder}/ca.pem
certfile {certificate}
keyfile {key}
require_certificate true
use_identity_as_username true
acl_file {folder}/access
listener {self.plain} 127.0.0.1
allow_anonymous true
""")

    def start(self) -> None:
        super().start(lambda: self._listens())

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.plain)) == 0

    def say(self, topic: str, payload: str, *more: str) -> None:
        subprocess.run(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.plain), "-q", "1", "-t", topic, "-m", payload, *more],
            check=True, timeout=60)


class Listener:
    """Everything that is published at the centre, as (time, is retained, topic, payload)."""

    def __init__(self, centre: Centre):
        self.heard: list[tuple[float, bool, str, str]] = []
        self._new: queue.Queue = queue.Queue()
        self._process = subprocess.Popen(
            ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(centre.plain), "-q", "1", "-t", "#", "-F", "%r %t %p"],
            stdout=subprocess.PIPE, text=True, bufsize=1)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._process.stdout:
            retained, topic, payload = (line.rstrip("\n").split(" ", 2) + [""])[:3]
            self._new.put((time.monotonic(), retained == "1", topic, payload))

    def wait(self, what: str, matches, seconds: float = 10) -> tuple[float, bool, str, str]:
        """The next message that matches; those before it are passed over."""
        end = time.monotonic() + seconds
        while True:
            try:
                message = self._new.get(timeout=max(0.001, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"{what}: not within {seconds} s") from None
            self.heard.append(message)
            if matches(message[2], message[3]):
                return message

    def drain(self) -> None:
        while not self._new.empty():
            self.heard.append(self._new.get())

    def close(self) -> None:
        # It is no longer read; and now and then mosquitto_sub does not heed a SIGTERM.
        end(self._process)

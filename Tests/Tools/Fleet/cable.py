"""A network cable between a board and its centre: two ends of a veth pair, one of them in a network namespace."""

import os
import shutil
import subprocess


class Cable:
    def __init__(self):
        self.name = f"jd{os.getpid()}"
        # A network of four addresses of its own, because others may check at the same time.
        network = os.getpid() % (1 << 14) << 2
        self.centre, self.board = (f"10.213.{(network | host) >> 8}.{(network | host) & 255}" for host in (1, 2))
        self._ip("netns", "add", self.name)
        self._ip("link", "add", self.name, "type", "veth", "peer", "name", "board", "netns", self.name)
        self._ip("addr", "add", f"{self.centre}/30", "dev", self.name)
        self._ip("link", "set", self.name, "up")
        self.wrapper = ("ip", "netns", "exec", self.name)
        for words in (("addr", "add", f"{self.board}/30", "dev", "board"), ("link", "set", "board", "up")):
            self._ip("-n", self.name, *words)

    @staticmethod
    def is_possible() -> bool:
        """Whether this user may make one here."""
        if os.geteuid() != 0 or not shutil.which("ip"):
            return False
        try:
            Cable().close()
            return True
        except subprocess.CalledProcessError:
            return False

    def pull(self) -> None:
        self._ip("link", "set", self.name, "down")

    def plug(self) -> None:
        self._ip("link", "set", self.name, "up")

    def close(self) -> None:
        subprocess.run(["ip", "link", "del", self.name], check=False, capture_output=True)
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)

    @staticmethod
    def _ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True)

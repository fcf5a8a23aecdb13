"""Home Assistant, started in a folder of its own and used by its REST interface, as no browser is needed for."""

import http.client
import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.parse

from brokers import free_port, wait_until

OWNER = {
    "client_id": "http://127.0.0.1/", "name": "Owner", "username": "owner", "password": "a good password",
    "language": "en",
}


class Home:
    """The command starts `hass` with the folder and the port given; the folder is the one in which it runs."""

    def __init__(self, command: list[str], folder: pathlib.Path):
        self.port, self.token = free_port(), None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "configuration.yaml").write_text(
            f"http:\n  server_host: 127.0.0.1\n  server_port: {self.port}\n"
            "api:\nconfig:\nonboarding:\nlogger:\n  default: warning\n")
        self.log = folder / "hass.log"
        with open(self.log, "wb") as log:
            # In a group of its own, as the command starts others that end with it.
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def ask(self, method: str, path: str, body=None, form: bool = False):
        text = self._send(method, path, body, form)
        return json.loads(text) if text else None

    def _send(self, method: str, path: str, body, form: bool = False) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        data = None
        if body is not None:
            data = urllib.parse.urlencode(body) if form else json.dumps(body)
            headers["Content-Type"] = "application/x-www-form-urlencoded" if form else "application/json"
        connection.request(method, path, data, headers)
        reply = connection.getresponse()
        text = reply.read()
        assert reply.status < 300, f"{method} {path}: {reply.status} {text[:300]}"
        return text

    def is_there(self) -> bool:
        try:
            self.ask("GET", "/api/onboarding")
            return True
        except (OSError, AssertionError, http.client.HTTPException):
            return False

    def set_up(self, broker_port: int) -> None:
        """As the owner does at the first start: an account, and the MQTT integration with its broker."""
        wait_until("Home Assistant", 240, self.is_there)
        code = self.ask("POST", "/api/onboarding/users", OWNER)["auth_code"]
        grant = {"grant_type": "authorization_code", "code": code, "client_id": OWNER["client_id"]}
        self.token = self.ask("POST", "/auth/token", grant, form=True)["access_token"]
        flow = self.ask("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
        for _ in range(3):
            if flow["type"] == "create_entry":
                return
            answer = {"next_step_id": "broker"} if flow["type"] == "menu" else {"broker": "127.0.0.1", "port": broker_port}
            flow = self.ask("POST", f"/api/config/config_entries/flow/{flow['flow_id']}", answer)
        assert flow["type"] == "create_entry", flow

    def states(self) -> dict[str, dict]:
        return {state["entity_id"]: state for state in self.ask("GET", "/api/states")}

    def render(self, template: str) -> str:
        """What a card with this template shows."""
        return self._send("POST", "/api/template", {"template": template}).decode()

    def call(self, service: str, entity: str, **data) -> None:
        self.ask("POST", f"/api/services/{service}", {"entity_id": entity, **data})

    def wait(self, entity: str, is_right, seconds: float = 10) -> dict:
        """Waits until an entity is as it has to be."""
        end = time.monotonic() + seconds
        while True:
            state = self.states().get(entity)
            if state and is_right(state):
                return state
            assert time.monotonic() < end, f"{entity} is {state}"
            time.sleep(0.1)

    def close(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

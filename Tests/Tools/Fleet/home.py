"""Home Assistant, started in a folder of its own and used by its REST interface, as no browser is needed for."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import urllib.parse

from Fleet.brokers import free_port, wait_until

OWNER = {
    "client_id": "http://127.0.0.1/", "name": "Owner", "username": "owner", "password": "a good password",
    "language": "en",
}


# Where its programs are in its tree, and where that has this repository.
PROGRAMS, SOURCES = "/opt/homeassistant/bin", "/src"


class Home:
    """The command runs what follows it in Home Assistant's tree."""

    def __init__(self, command: list[str], folder: pathlib.Path):
        self.command, self.folder = command, folder
        self.port, self.token, self.grant = free_port(), None, {}
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy("deploy/home-assistant.yaml", folder)
        (folder / "configuration.yaml").write_text(
            f"http:\n  server_host: 127.0.0.1\n  server_port: {self.port}\n"
            "api:\nconfig:\nonboarding:\nfrontend:\nlogger:\n  default: warning\n"
            "lovelace:\n  dashboards:\n    jackdaw-posts:\n      mode: yaml\n      title: Posts\n"
            "      filename: home-assistant.yaml\n")
        self.log = folder / "hass.log"
        with open(self.log, "wb") as log:
            # In a group of its own, because the command starts others that end with it.
            self.process = subprocess.Popen(
                [*command, f"{PROGRAMS}/hass", "--config", self._inside(folder), "--skip-pip"], stdout=log, stderr=log,
                start_new_session=True)

    @staticmethod
    def _inside(path: pathlib.Path) -> str:
        return f"{SOURCES}/{path.relative_to(pathlib.Path.cwd())}"

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
        self.grant = self.ask("POST", "/auth/token", grant, form=True)
        self.token = self.grant["access_token"]
        # The other pages that a browser would show first.
        for page in ("core_config", "analytics"):
            self.ask("POST", f"/api/onboarding/{page}", {})
        client = OWNER["client_id"]
        self.ask("POST", "/api/onboarding/integration", {"client_id": client, "redirect_uri": client})
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

    def photograph(self, path: str, text: str) -> pathlib.Path:
        """Returns a picture of the page, which has to show the text."""
        address, picture = f"http://127.0.0.1:{self.port}", self.folder.parent / "dashboard.png"
        tokens = {
            **self.grant, "hassUrl": address, "clientId": OWNER["client_id"],
            "expires": int(time.time() * 1000) + 1000 * self.grant["expires_in"]}
        done = subprocess.run(
            [*self.command, f"{PROGRAMS}/python", "Tests/Tools/Fleet/browser.py", address + path, self._inside(picture), text],
            input=json.dumps(tokens), capture_output=True, text=True)
        assert done.returncode == 0, f"{path} does not show {text}; see {picture}: {done.stderr[-500:]}"
        return picture

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

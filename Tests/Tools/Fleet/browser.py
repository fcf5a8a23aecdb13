"""Writes a picture of a page of Home Assistant as a headless Chromium shows it: run by Home Assistant's own Python.

    browser.py PAGE PICTURE TEXT <TOKENS    waits until the page shows the text; TOKENS is what the page keeps of a login
"""

import asyncio
import base64
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import aiohttp

# All text of the page, also of what its elements keep to themselves.
SHOWN = """(function texts(node) {
  let text = node.nodeType == Node.TEXT_NODE ? node.data : "";
  if (node.shadowRoot) text += texts(node.shadowRoot);
  for (const child of node.childNodes) text += texts(child);
  return text;
})(document)"""


class Page:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse):
        self.socket, self.numbers = socket, itertools.count(1)

    async def call(self, method: str, **parameters) -> dict:
        number = next(self.numbers)
        await self.socket.send_json({"id": number, "method": method, "params": parameters})
        while True:
            reply = await self.socket.receive_json()
            if reply.get("id") == number:
                return reply.get("result", {})

    async def text(self) -> str:
        result = await self.call("Runtime.evaluate", expression=SHOWN)
        return str(result.get("result", {}).get("value", ""))


async def photograph(port: str, page: str, picture: pathlib.Path, text: str, tokens: str) -> bool:
    async with aiohttp.ClientSession() as session:
        async with session.put(f"http://127.0.0.1:{port}/json/new?about:blank") as reply:
            address = json.loads(await reply.text())["webSocketDebuggerUrl"]
        async with session.ws_connect(address, max_msg_size=0) as socket:
            shown = Page(socket)
            await shown.call("Page.enable")
            await shown.call(
                "Page.addScriptToEvaluateOnNewDocument",
                source=f"localStorage.setItem('hassTokens', {json.dumps(tokens)})")
            await shown.call(
                "Emulation.setDeviceMetricsOverride", width=1200, height=700, deviceScaleFactor=1, mobile=False)
            await shown.call("Page.navigate", url=page)
            is_there = False
            for _ in range(300):
                if is_there := text in await shown.text():
                    break
                await asyncio.sleep(0.2)
            # Whatever is drawn after its text, as icons.
            await asyncio.sleep(2)
            image = await shown.call("Page.captureScreenshot", format="png")
            picture.write_bytes(base64.b64decode(image["data"]))
            return is_there


def main() -> int:
    page, picture, text = sys.argv[1:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0",
             f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            port = next(found[1] for line in browser.stderr if (found := re.search(r"ws://127\.0\.0\.1:(\d+)/", line)))
            return 0 if asyncio.run(photograph(port, page, pathlib.Path(picture), text, sys.stdin.read())) else 1
        finally:
            browser.kill()
            browser.wait()


if __name__ == "__main__":
    sys.exit(main())

"""Prints what the parts of Home Assistant that are tested need beside its core: run by its own Python."""

import json
import pathlib

import homeassistant.components

PARTS = ["mqtt", "http", "api", "config", "onboarding", "logger", "frontend", "lovelace"]
# What a browser has listed, whether it is there or not: _base_components of its helpers/service.py.
PARTS += ["ai_task", "assist_satellite", "camera", "media_player"]


def main() -> None:
    folder = pathlib.Path(homeassistant.components.__file__).parent
    waiting, seen, needed = list(PARTS), set(), set()
    while waiting:
        part = waiting.pop()
        manifest = folder / part / "manifest.json"
        if part in seen or not manifest.exists():
            continue
        seen.add(part)
        words = json.loads(manifest.read_text())
        needed.update(words.get("requirements", []))
        waiting += words.get("dependencies", [])
    print("\n".join(sorted(needed)))


main()

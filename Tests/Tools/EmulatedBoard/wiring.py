"""What is wired to the emulated board, as its board file says."""

import dataclasses
import pathlib
import tomllib

from Board.lines import COUNT

OUTPUTS = ("lamp", "amp-mute", "signal", "coin-inhibit")


@dataclasses.dataclass
class Wiring:
    pins: dict[str, int]  # of each line
    lights: dict[str, int]  # of the kernel's, each on a line that the board file does not use
    inputs: list[str]
    readers: dict[str, str]  # the protocol of each that has one; on serial lines in the order of their devices
    console: str  # the serial device that the firmware's console is on

    @staticmethod
    def read(path: pathlib.Path) -> "Wiring":
        board = tomllib.loads(path.read_text())
        lines = {name: line for name, line in board["lines"].items() if "offset" in line}  # no keys of input devices
        knobs = {f"{name}.{contact}": knob[contact] for name, knob in board.get("knobs", {}).items()
                 for contact in "ab" if contact in knob}
        pins = {name: line["offset"] for name, line in lines.items()} | knobs
        free = iter(pin for pin in range(COUNT) if pin not in pins.values())
        lights = {line["led"]: next(free) for line in board["lines"].values() if "led" in line}
        return Wiring(
            pins | lights, lights,
            [name for name, line in lines.items() if line["role"] not in OUTPUTS],
            {name: reader["protocol"] for name, reader in board.get("readers", {}).items() if "protocol" in reader},
            board["console"]["device"].removeprefix("/dev/"))

"""Parses the lines of the firmware's log, as `jackdaw run` and the serial console write them."""

import dataclasses
import re

_EVENT = re.compile(r"(\d+\.\d{6}) (debug|info|notice|warn|error) ([a-z.]+)((?: [a-z-]+=(?:\"(?:[^\"\\]|\\.)*\"|\S*))*)$")
_FIELD = re.compile(r" ([a-z-]+)=(\"(?:[^\"\\]|\\.)*\"|\S*)")


@dataclasses.dataclass
class Event:
    at: float  # s since power on, by the board's clock
    level: str
    name: str
    fields: dict[str, str]
    text: str

    def __getitem__(self, key: str) -> str:
        return self.fields.get(key, "")

    def number(self, key: str) -> float:
        return float(self.fields[key])


def parse(line: str) -> Event | None:
    """The event of a line, or None where it is not a line of the log."""
    found = _EVENT.match(line)
    return Event(float(found[1]), found[2], found[3], fields(found[4]), line) if found else None


def fields(text: str) -> dict[str, str]:
    """The fields in ` key=value key="a value"`."""
    return {key: value.strip('"') for key, value in _FIELD.findall(text)}

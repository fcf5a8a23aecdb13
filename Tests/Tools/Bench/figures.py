"""What was measured: one row of the table each, with its goal."""

import dataclasses
import math
import statistics


@dataclasses.dataclass
class Figure:
    name: str
    unit: str
    values: dict[str, float]  # by player
    goal: float | None = None
    at_least: bool = False
    # Whether it needs no clock: then a missed goal is a fault on any machine.
    is_counted: bool = False

    @property
    def verdict(self) -> str:
        if self.goal is None:
            return ""
        value = self.values.get("Jackdaw", math.nan)
        return "met" if (value >= self.goal if self.at_least else value <= self.goal) else "MISSED"

    @property
    def words(self) -> str:
        if self.goal is None:
            return ""
        return f"{'≥' if self.at_least else '≤'} {self.goal:g}"


def number(value: float) -> str:
    if value == 0 or abs(value) >= 100 or (float(value).is_integer() and abs(value) >= 10):
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 2 else f"{value:.3f}"


def percentile(values: list[float], share: float) -> float:
    """The smallest of them that is not below this share."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def median(values: list[float]) -> float:
    return statistics.median(values)


def table(figures: list[Figure], players: list[str], is_markdown: bool = False) -> str:
    rows = [["figure", *players, "goal", ""]]
    for figure in figures:
        values = [number(figure.values[name]) if name in figure.values else "–" for name in players]
        rows.append([f"{figure.name}, {figure.unit}" if figure.unit else figure.name, *values, figure.words,
                     figure.verdict])
    if is_markdown:
        rows.insert(1, ["---"] + ["---:"] * len(players) + ["---:", "---"])
        return "".join("| " + " | ".join(row) + " |\n" for row in rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])]
        lines.append("  ".join([*cells, row[-1]]).rstrip() + "\n")
    return "".join(lines)

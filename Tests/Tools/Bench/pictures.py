"""The report's three pictures, as SVG written by hand: no library to install, and nothing in them but the figures."""

import math

WIDTH = 860
LEFT, RIGHT = 130, 24
COLOURS = {"Jackdaw": "#0b6e4f", "mpg123": "#c8553d", "mpd": "#3d5a80", "mpv": "#8a5a9e"}
INK, FAINT = "#222", "#d8d8d8"


class Picture:
    def __init__(self, title: str, subtitle: str, height: int):
        self.height = height
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="13">',
            f"<title>{title}</title>",
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        ]
        self.text(16, 28, title, size=17, weight="bold")
        self.text(16, 48, subtitle, colour="#555")

    def text(self, x, y, words, anchor="start", size=13, colour=INK, weight="normal") -> None:
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}" '
            f'font-weight="{weight}">{words}</text>')

    def line(self, x1, y1, x2, y2, colour=FAINT, width=1, dash="") -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"{dashes}/>')

    def path(self, points, colour, width=1.2) -> None:
        steps = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.parts.append(f'<path d="M{steps}" fill="none" stroke="{colour}" stroke-width="{width}"/>')

    def bar(self, x, y, width, height, colour) -> None:
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{height}" fill="{colour}"/>')

    def dot(self, x, y, colour) -> None:
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}" fill-opacity="0.45"/>')

    def __str__(self) -> str:
        return "\n".join([*self.parts, "</svg>"]) + "\n"


def silence(cuts: dict[str, dict], largest: float, before: float, after: float, rate: int, footer: str) -> str:
    """The end of sound after an unplug, one row a player, all on the same scales.

    A cut has its `wave`, samples around its end; the `step` there; and `seconds` from the unplug to its end.
    """
    row, top = 112, 76
    bottom = top + row * len(cuts)
    picture = Picture(
        "The last 20 ms before silence", "Headphones pulled while a chord plays: what the device played (left channel), "
        "for each player\u2019s median step", bottom + 62)
    peak = max((abs(sample) for cut in cuts.values() for sample in cut["wave"]), default=1) or 1

    def x(seconds: float) -> float:
        return LEFT + (seconds + before) / (before + after) * (WIDTH - LEFT - RIGHT)

    for ms in range(-20, 6, 5):
        picture.line(x(ms / 1000), top, x(ms / 1000), bottom)
        picture.text(x(ms / 1000), bottom + 18, f"{ms}".replace("-", "\u2212"), "middle", colour="#555")
    picture.text(x(-0.0075), bottom + 36, "ms from the last sample that is not silence", "middle", colour="#555")
    for number, (name, cut) in enumerate(cuts.items()):
        middle = top + row * (number + 0.5)
        picture.line(LEFT, middle, WIDTH - RIGHT, middle)
        picture.text(16, middle - 8, name, weight="bold", colour=COLOURS[name])
        picture.text(16, middle + 10, f"step {cut['step'] / largest:.1f} x", size=12, colour="#555")
        picture.text(16, middle + 25, "the music's", size=12, colour="#555")
        if cut["seconds"] < before:
            edge = x(-cut["seconds"])
            picture.line(edge, middle - row * 0.46, edge, middle + row * 0.46, "#b00020", 1.2)
            picture.text(edge - 4, middle + row * 0.42, "unplug", "end", 11, "#b00020")
        picture.path(
            [(x(index / rate - before), middle - sample / peak * row * 0.45)
             for index, sample in enumerate(cut["wave"])], COLOURS[name])
    picture.line(x(0), top, x(0), bottom, INK, 1, "4 3")
    picture.text(16, picture.height - 8, footer, size=11, colour="#777")
    return str(picture)


def latency(times: dict[str, list[float]], goal: float, footer: str) -> str:
    """Every unplug as a dot, on a logarithmic axis, with median and 99th percentile."""
    row, top = 74, 84
    picture = Picture(
        "From the unplug to silence", "Every dot is one unplug at a random moment; the thick bar is the median. "
        "Logarithmic axis", top + row * len(times) + 62)
    everything = [1000 * one for found in times.values() for one in found] + [goal]
    low, high = math.floor(math.log10(min(everything))), math.ceil(math.log10(max(everything)))
    width = WIDTH - LEFT - RIGHT - 130

    def x(ms: float) -> float:
        return LEFT + (math.log10(ms) - low) / (high - low) * width

    bottom = top + row * len(times)
    for decade in range(low, high + 1):
        for digit in (1, 2, 5):
            ms = digit * 10**decade
            if ms > 10**high:
                break
            picture.line(x(ms), top, x(ms), bottom)
            picture.text(x(ms), bottom + 18, f"{ms:g}", "middle", colour="#555")
    picture.text(LEFT + width / 2, bottom + 36, "ms", "middle", colour="#555")
    picture.text(WIDTH - RIGHT, top - 8, "99th percentile", "end", colour="#555")
    for number, (name, found) in enumerate(times.items()):
        middle = top + row * (number + 0.5)
        picture.text(16, middle, name, weight="bold", colour=COLOURS[name])
        picture.text(16, middle + 16, f"{len(found)} unplugs", size=11, colour="#555")
        for index, one in enumerate(found):
            # Spread in height only so that dots do not hide each other.
            picture.dot(x(1000 * one), middle + ((index * 37) % 41 - 20), COLOURS[name])
        ordered = sorted(1000 * one for one in found)
        if ordered:
            middle_value = ordered[(len(ordered) - 1) // 2]
            picture.line(x(middle_value), middle - 27, x(middle_value), middle + 27, INK, 3)
            last = ordered[max(0, math.ceil(0.99 * len(ordered)) - 1)]
            picture.text(WIDTH - RIGHT, middle + 4, f"{last:.1f} ms", "end")
    picture.line(x(goal), top - 4, x(goal), bottom, "#b00020", 1.4, "5 3")
    picture.text(x(goal) + 4, top - 8, f"goal {goal:g} ms", colour="#b00020", size=12)
    picture.text(16, picture.height - 8, footer, size=11, colour="#777")
    return str(picture)


def wakeups(playing: dict[str, float], paused: dict[str, float], goal: float, footer: str) -> str:
    """Wake-ups a second of the whole process."""
    row, top = 52, 84
    picture = Picture(
        "Wake-ups a second", "Voluntary context switches of all threads, playing to one and the same device",
        top + row * len(playing) + 56)
    width = WIDTH - LEFT - RIGHT - 150
    most = max([*playing.values(), goal])
    bottom = top + row * len(playing)
    step = 10 ** math.floor(math.log10(most))
    step = step if most / step > 4 else step / 2 if most / step > 2 else step / 5
    value = 0.0
    while value <= most:
        at = LEFT + value / most * width
        picture.line(at, top, at, bottom)
        picture.text(at, bottom + 18, f"{value:g}", "middle", colour="#555")
        value += step
    for number, name in enumerate(playing):
        middle = top + row * (number + 0.5)
        picture.text(16, middle + 4, name, weight="bold", colour=COLOURS[name])
        picture.bar(LEFT, middle - 12, playing[name] / most * width, 24, COLOURS[name])
        picture.text(
            LEFT + max(playing[name], goal) / most * width + 8, middle + 4,
            f"{playing[name]:.1f} (paused {paused[name]:.1f})")
    at = LEFT + goal / most * width
    picture.line(at, top - 4, at, bottom, "#b00020", 1.4, "5 3")
    picture.text(at + 4, top - 8, f"goal {goal:g} playing, 0 paused", colour="#b00020", size=12)
    picture.text(16, picture.height - 8, footer, size=11, colour="#777")
    return str(picture)

"""The paced PCM seen from outside: its ALSA configuration, and what its files say it played and when."""

import array
import bisect
import dataclasses
import math
import pathlib

# The events after which it plays, and those with which it stops (see Tests/Plugins/PacedPCM/plugin.c).
STARTS = ("start", "resume")
STOPS = ("stop", "pause", "underrun", "prepare", "close")


SILENCE = 44  # frames of 0 after which nothing is cut


@dataclasses.dataclass
class PCM:
    """One PCM of the plug-in, and the files that it keeps in `folder`."""

    folder: pathlib.Path
    name: str
    traits: str = ""  # further keys of its configuration
    behind: str = "%s"  # the plug-ins in front of it, with the card in place of %s

    @property
    def heard(self) -> pathlib.Path:
        return self.folder / f"{self.name}.raw"

    @property
    def log(self) -> pathlib.Path:
        return self.folder / f"{self.name}.log"

    def configuration(self) -> str:
        card = f'type paced file "{self.heard}" log "{self.log}" {self.traits}'
        return f"pcm.{self.name} {{ {self.behind % card} }}\n"


def configure(folder: pathlib.Path, plugin: pathlib.Path, pcms: list[PCM]) -> pathlib.Path:
    """Writes the file for ALSA_CONFIG_PATH: these PCMs and nothing else."""
    path = folder / "asound.conf"
    path.write_text(f'pcm_type.paced {{ lib "{plugin}" }}\n' + "".join(pcm.configuration() for pcm in pcms))
    return path


@dataclasses.dataclass
class Run:
    """A stretch that the device played without stopping."""

    begin: float  # s of the monotonic clock at its first frame
    first: int  # frame of the file
    frames: int
    rate: int
    stopped: float  # when it was stopped, or ended by itself
    started: float  # when it was started, which its first frame may follow late

    @property
    def end(self) -> float:
        return self.begin + self.frames / self.rate


class Timeline:
    """What a PCM played, on the monotonic clock. Between its runs it was silent."""

    def __init__(self, pcm: PCM):
        lines = pcm.log.read_text().splitlines() if pcm.log.exists() else []
        self.samples = _samples(pcm.heard.read_bytes() if pcm.heard.exists() else b"", _format(lines))
        self.runs: list[Run] = []
        self.underruns: list[float] = []  # when
        self._read(lines)

    def _read(self, lines: list[str]) -> None:
        rate, late, begin = 0, 0.0, None
        for line in lines:
            seconds, event, *fields = line.split()
            values = dict(field.split("=", 1) for field in fields)
            at, played = float(seconds), int(values["played"])
            if event == "configure":
                rate = int(values["rate"])
                late = int(values["latency"]) / rate
                if values["channels"] != "2":
                    raise ValueError(f"the player chose {line}, expected 2 channels")
            is_running = begin is not None
            if begin is not None and event in STOPS:
                self.runs.append(Run(begin[0], begin[1], played - begin[1], rate, at, begin[0] - late))
                begin = None
            if event in STARTS:
                begin = (at + late, played)
            # Before it was started, a card that cannot be rewound is tried (row P14), and nothing sounds.
            if event == "underrun" and is_running:
                self.underruns.append(at)
        if begin is not None:
            self.runs.append(Run(begin[0], begin[1], len(self.samples) // 2 - begin[1], rate, math.inf, begin[0] - late))

    def is_cut(self, underrun: float) -> bool:
        """Whether sound ended there, and not the silence behind it."""
        runs = [run for run in self.runs if run.stopped == underrun]
        return any(any(self.samples[2 * max(run.first, run.first + run.frames - SILENCE) : 2 * (run.first + run.frames)])
                   for run in runs)

    def first_sound(self, after: float) -> float | None:
        """When the first sample that is not 0 was heard from this moment on."""
        for run in self.runs:
            if run.end <= after:
                continue
            start = run.first + max(0, round((after - run.begin) * run.rate))
            for frame in range(start, run.first + run.frames):
                if self._sounds(frame):
                    return run.begin + (frame - run.first) / run.rate
        return None

    def last_sound(self, before: float) -> tuple[float, int] | None:
        """When the last sample that is not 0 was heard before this moment, and its frame of the file."""
        at = bisect.bisect_left([run.begin for run in self.runs], before)
        for run in reversed(self.runs[:at]):
            end = run.first + min(run.frames, int((before - run.begin) * run.rate))
            for frame in range(end - 1, run.first - 1, -1):
                if self._sounds(frame):
                    return run.begin + (frame - run.first) / run.rate, frame
        return None

    def _sounds(self, frame: int) -> bool:
        return 2 * frame + 1 < len(self.samples) and (
            self.samples[2 * frame] != 0 or self.samples[2 * frame + 1] != 0)

    def window(self, begin: float, end: float, rate: int) -> array.array:
        """Interleaved stereo samples of this time, 0 where nothing was played."""
        total = round((end - begin) * rate)
        samples = array.array("h", bytes(total * 4))
        for run in self.runs:
            offset = round((run.begin - begin) * rate)
            low, high = max(0, offset), min(total, offset + run.frames)
            if low < high:
                source = run.first + low - offset
                piece = self.samples[2 * source : 2 * (source + high - low)]
                samples[2 * low : 2 * low + len(piece)] = piece
        return samples


def _format(lines: list[str]) -> str:
    """That of a card's log; a card keeps to one."""
    found = {word.removeprefix("format=") for line in lines for word in line.split() if word.startswith("format=")}
    if found - {"S16_LE", "IEC958_SUBFRAME_LE"} or len(found) > 1:
        raise ValueError(f"the player chose {' and '.join(sorted(found))}, expected S16_LE or IEC958_SUBFRAME_LE")
    return found.pop() if found else "S16_LE"


def _samples(content: bytes, form: str) -> array.array:
    """S16, interleaved stereo."""
    samples = array.array("h")
    if form == "S16_LE":
        samples.frombytes(content[: len(content) // 4 * 4])
        return samples
    subframes = array.array("I")
    subframes.frombytes(content[: len(content) // 8 * 8])
    # 24 bits from the fifth on, of which the last 16 are ours; below them the preamble, above them flags.
    samples.extend((((subframe >> 12) & 0xFFFF) ^ 0x8000) - 0x8000 for subframe in subframes)
    return samples


def largest_step(samples: array.array) -> int:
    """The largest difference between neighbours of one channel."""
    return max(
        (max(map(_distance, side, side[1:]), default=0) for side in (samples[0::2], samples[1::2])), default=0)


FADE = 0.004  # s, the shortest that ends a sound in time


def fade_step(samples: array.array, rate: int) -> float:
    """What a fade steps at least, where it comes upon the loudest of these samples."""
    return max(map(abs, samples), default=0) / (FADE * rate)


def _distance(a: int, b: int) -> int:
    return abs(a - b)

"""The music that all players get: files made here, the same on every machine."""

import array
import math
import pathlib
import subprocess
import wave

RATE = 44_100
# Even, full and without onsets, so that the largest step of the music is known and every cut shows: whole hertz, so
# that one second repeats, and no two channels alike.
CHORD = {"left": (220, 277, 330, 440, 659), "right": (220, 262, 330, 523, 784)}


def chord(path: pathlib.Path, seconds: int) -> pathlib.Path:
    """Writes a chord of that length as an MP3 of 192 kbit/s. It rises and falls by itself in its first and last 50 ms."""
    sides = [_second(notes) for notes in CHORD.values()]
    second = array.array("h", (sample for frame in zip(*sides) for sample in frame))
    rise = RATE // 20
    first, last = second[:], second[:]
    for index in range(2 * rise):
        first[index] = first[index] * (index // 2) // rise
        last[-1 - index] = last[-1 - index] * (index // 2) // rise
    return _encode(path, first.tobytes() + second.tobytes() * (seconds - 2) + last.tobytes())


def tone(path: pathlib.Path, hertz: int, seconds: int, peak: int = 32_767) -> pathlib.Path:
    """Writes a tone as a WAV. One of a low pitch at full scale moves slowly, and a fade of it shows the most."""
    step = 2 * math.pi * hertz / RATE
    side = [round(peak * math.sin(step * frame)) for frame in range(RATE)]
    second = array.array("h", (sample for value in side for sample in (value, value)))
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        file.writeframes(second.tobytes() * seconds)
    return path


def pieces(source: pathlib.Path, path: pathlib.Path, seconds: int) -> pathlib.Path:
    """Writes the beginning of the simulated board's own music as an MP3 of 192 kbit/s."""
    decoded = b"".join(decode(track) for track in sorted(source.glob("*.mp3")))
    frames = decoded[: seconds * RATE * 4]
    if len(frames) < seconds * RATE * 4:
        raise ValueError(f"{source} holds less than {seconds} s of music")
    return _encode(path, frames)


def decode(path: pathlib.Path) -> bytes:
    """The frames of a file, stereo S16 at RATE, as the decoder of all players gives them."""
    command = ["mpg123", "-q", "-r", str(RATE), "--stereo", "-e", "s16", "-s", str(path)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def _second(notes: tuple[int, ...]) -> list[int]:
    step = 2 * math.pi / RATE
    return [
        round(28_000 / len(notes) * sum(math.sin(step * note * frame + note) for note in notes))
        for frame in range(RATE)
    ]


def _encode(path: pathlib.Path, frames: bytes) -> pathlib.Path:
    wav = path.with_suffix(".wav")
    with wave.open(str(wav), "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        file.writeframes(frames)
    subprocess.run(["lame", "--quiet", "--cbr", "-b", "192", str(wav), str(path)], check=True)
    wav.unlink()
    return path

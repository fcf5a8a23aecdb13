"""The instruments, the notation and the room of make-music."""

import array
import math
import sys
import wave

RATE = 44100
PEAK = 10 ** (-3.4 / 20)  # The encoder overshoots by up to 0.7 dB: about -3 dBFS when decoded.


# Notation: "D5:2 -:1 B4:0.5" is a D of two beats, a rest of one, a B of a half.

def pitch(name):
    steps = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
    accidental = {"#": 1, "b": -1}.get(name[1], 0)
    return 440 * 2 ** ((steps[name[0]] + accidental + 12 * int(name[-1]) - 57) / 12)


def melody(text, beat=0.0):
    """(beat it starts on, frequency, beats it lasts) of every note."""
    for token in text.replace("|", " ").split():
        name, beats = token.split(":")
        if name != "-":
            yield beat, pitch(name), float(beats)
        beat += float(beats)


# Instruments: each returns the samples of one note, starting and ending at nothing.

def release(samples, seconds=0.08):
    count = min(len(samples), int(seconds * RATE))
    for i in range(count):
        samples[-1 - i] *= i / count
    return samples


def string(frequency, seconds, dice, bright=0.5):
    """A plucked string (Karplus-Strong): a noise burst going round a delay line."""
    period = RATE / frequency - 0.5  # The averaging below costs half a sample.
    whole = int(period - 0.3)
    # An all-pass filter delays by what is left; without it high notes are out of tune.
    rest = period - whole
    tune = (1 - rest) / (1 + rest)
    burst, low = [], 0.0
    for _ in range(whole + 1):
        low += bright * (dice.uniform(-1, 1) - low)  # A softer plectrum is a darker burst.
        burst.append(low)
    mean = sum(burst) / len(burst)
    line = [x - mean for x in burst]
    keep = 0.5 * 10 ** (-3 / (frequency * 4.5))  # Down by 60 dB after 4.5 s.
    last = out = 0.0
    for i in range(int(seconds * RATE)):
        mix = keep * (line[i] + line[i + 1])
        out = tune * (mix - out) + last
        last = mix
        line.append(out)
    loudest = max(map(abs, line))
    rise = [min(1.0, i / 60) for i in range(60)]
    samples = [x / loudest for x in line[whole + 1:]]
    samples[:60] = [a * b for a, b in zip(samples, rise)]
    return release(samples)


def electric_piano(frequency, seconds, force=1.0):
    """Two FM pairs: the body, and the short bell of the tine being struck."""
    samples = []
    w = 2 * math.pi * frequency / RATE
    tine = min(14.0, 9000 / frequency)
    sin, exp = math.sin, math.exp
    for i in range(int(seconds * RATE)):
        t = i / RATE
        body = sin(w * i + 1.1 * force * exp(-2.2 * t) * sin(w * i))
        bell = 0.14 * force * exp(-9 * t) * sin(w * i + 0.4 * sin(w * tine * i))
        samples.append(min(1.0, t * 250) * exp(-1.3 * t) * (body + bell))
    return release(samples, 0.12)


def bass(frequency, seconds):
    """A round bass; its second and third harmonics carry it on small loudspeakers."""
    w, sin, exp = 2 * math.pi * frequency / RATE, math.sin, math.exp
    return release([min(1.0, i / 400) * exp(-1.6 * i / RATE)
                    * (sin(w * i) + exp(-3 * i / RATE) * (0.5 * sin(2 * w * i) + 0.2 * sin(3 * w * i)))
                    for i in range(int(seconds * RATE))])


def music_box(frequency, seconds):
    """A steel comb: a pure tone, with overtones that die away much sooner."""
    partials = [(1.0, 1.0, 1.5), (2.0, 0.25, 3.0), (3.0, 0.1, 6.0), (5.4, 0.15, 22.0)]
    samples = [0.0] * int(seconds * RATE)
    for ratio, level, decay in partials:
        w = 2 * math.pi * frequency * ratio / RATE
        if w < 2.5:  # Nothing near or above half the rate: it would fold back.
            for i in range(len(samples)):
                samples[i] += level * math.exp(-decay * i / RATE) * math.sin(w * i)
    samples[:80] = [x * i / 80 for i, x in enumerate(samples[:80])]
    return release(samples, 0.3)


class Stage:
    """Two channels to put notes on, from left (-1) to right (+1)."""

    def __init__(self, seconds):
        self.left = [0.0] * int(seconds * RATE)
        self.right = [0.0] * len(self.left)

    def put(self, seconds, samples, level, pan):
        start, angle = int(seconds * RATE), (pan + 1) * math.pi / 4
        left, right = level * math.cos(angle), level * math.sin(angle)
        for i, x in enumerate(samples[:len(self.left) - start], start):
            self.left[i] += left * x
            self.right[i] += right * x

    def sway(self, rate, depth):
        """The tremolo of a stage piano: the sound wanders between left and right."""
        for i in range(len(self.left)):
            swing = depth * math.sin(2 * math.pi * rate * i / RATE)
            self.left[i] *= 1 - swing
            self.right[i] *= 1 + swing

    def room(self, wet):
        """A small room (Schroeder's reverberator), a little different on each side."""
        self.left = reverberate(self.left, wet, 0)
        self.right = reverberate(self.right, wet, 37)

    def save(self, path):
        """Fade out over the last second, level, and write a WAV file."""
        for side in (self.left, self.right):
            for i in range(RATE):
                side[-1 - i] *= (i / RATE) ** 2
        scale = 32767 * PEAK / max(max(map(abs, self.left)), max(map(abs, self.right)))
        frames = array.array("h")
        for left, right in zip(self.left, self.right):
            frames.append(round(left * scale))
            frames.append(round(right * scale))
        if sys.byteorder == "big":
            frames.byteswap()
        with wave.open(str(path), "wb") as file:
            file.setparams((2, 2, RATE, 0, "NONE", ""))
            file.writeframes(frames.tobytes())


def reverberate(dry, wet, spread):
    total = [0.0] * len(dry)
    for length, feedback in ((1557, 0.78), (1617, 0.77), (1491, 0.79), (1422, 0.80)):
        line, size, low = [0.0] * (length + spread), length + spread, 0.0
        for i, x in enumerate(dry):
            echo = line[i % size]
            low += 0.6 * (echo - low)  # Walls and curtains take the treble first.
            line[i % size] = x + feedback * low
            total[i] += echo
    for size in (225 + spread, 556 + spread):
        line = [0.0] * size
        for i, x in enumerate(total):
            echo = line[i % size]
            line[i % size] = x + 0.5 * echo
            total[i] = echo - 0.5 * line[i % size]
    return [x + wet * 0.25 * y for x, y in zip(dry, total)]

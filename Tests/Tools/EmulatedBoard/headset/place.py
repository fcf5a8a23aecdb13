"""place.py SOUND TRACK…: what of the tracks stands in a recording that a codec has changed, as JSON.

SOUND is raw stereo S16; a TRACK is NUMBER=FILE of a WAV (sound.py makes them). The codec keeps no sample, so that places
are found by likeness: a row of random signs is like itself at one place only.

Prints [[track, begin, end, place, loudness], …]: stretches as in sound.py, exact to STEP; loudness is that of the stretch
against the track. The codec delays all by some 70 frames.
"""

import json
import pathlib
import sys
import wave

import numpy

STEP = 512  # frames that are placed at once
LIKE = 0.5  # of 1: certainly the same; no other place has 0.3


def main() -> None:
    tracks = {int(number): Track(path) for number, _, path in (word.partition("=") for word in sys.argv[2:])}
    data = pathlib.Path(sys.argv[1]).read_bytes()
    left = numpy.frombuffer(data[:len(data) // 4 * 4], dtype="<i2")[0::2].astype(numpy.float32)
    stretches: list[list[float]] = []
    for place in range(0, len(left) - STEP + 1, STEP):
        part = left[place:place + STEP]
        if numpy.abs(part).max() < 50:
            continue
        found = expected(part, place, tracks, stretches) or searched(part, tracks)
        if not found:
            continue
        number, begin, loudness = found
        last = stretches[-1] if stretches else None
        if last and last[0] == number and last[2] == begin and last[3] + last[2] - last[1] == place:
            last[2] = begin + STEP
            last[4] = max(last[4], loudness)
        else:
            stretches.append([number, begin, begin + STEP, place, loudness])
    print(json.dumps([[*map(int, one[:4]), float(one[4])] for one in stretches]))


class Track:
    def __init__(self, path: str) -> None:
        with wave.open(path) as file:
            frames = numpy.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
        self.left = frames.reshape(-1, 2)[:, 0].astype(numpy.float32)
        self.size = 1 << (len(self.left) + STEP).bit_length()
        self.spectrum = numpy.fft.rfft(self.left, self.size)

    def likeness(self, part, begin: int) -> tuple[float, float]:
        """How like, and how loud, a part is at a place."""
        own = self.left[begin:begin + STEP] if begin >= 0 else self.left[:0]
        if len(own) < STEP:
            return 0, 0
        product, power = float(part @ own), float(own @ own)
        return product / ((power * float(part @ part)) ** 0.5 or 1), product / power


def expected(part, place, tracks, stretches):
    """The part goes on where the last one ended."""
    if not stretches:
        return None
    number, begin, end, since, _ = stretches[-1]
    if since + end - begin != place:
        return None
    like, loudness = tracks[number].likeness(part, end)
    return (number, end, loudness) if like > LIKE else None


def searched(part, tracks):
    best = (LIKE, None)
    for number, track in tracks.items():
        product = numpy.fft.irfft(track.spectrum * numpy.conj(numpy.fft.rfft(part, track.size)), track.size)
        begin = int(numpy.argmax(product[: len(track.left)]))
        like, loudness = track.likeness(part, begin)
        if like > best[0]:
            best = (like, (number, begin, loudness))
    return best[1]


main()

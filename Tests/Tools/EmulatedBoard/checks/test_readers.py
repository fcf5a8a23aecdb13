"""L: readers that say whether a card lies on them: an RDM6300, which goes on talking while one does, a PN532, which is asked,
and one of PC/SC, of which Debian's pcscd tells."""

import random

from Board import sound
from checks import check
from EmulatedBoard.bench import milliseconds
from EmulatedBoard.boards import CARDS
from EmulatedBoard.readers import telegram
from EmulatedBoard.wakes import counted

BOX, SHELF, DESK = CARDS
LIFT = 0.7  # s, as by default
OFTEN, SELDOM = 0.6, 5  # s: how often it is looked whether a card still lies there, while music sounds and in silence
BESIDE = 10  # ms: how exactly the frame is known at which it is pausing
HOST = 0.4  # s: what a busy host may add
FLICKER = 0.2  # s
NOISE = {BOX: 100_000, SHELF: 20_000}  # bytes; megabytes of it are in CardReadersTests
LOOKED_AT = (BOX, SHELF)  # the others tell by themselves
SECONDS = 5  # of counting, with music and without cards
SILENT_SECONDS = 11
AFTERGLOW = 16  # s after the last sound, until it is looked seldom, and the visit is over and saved
# Wake-ups a second of the thread that decides for a card that lies there; and how many more in all, for timers of other rows.
SOUNDING_WAKES, SILENT_WAKES, OTHERS = 2, 0.2, 2


@check("L6 W2", "cards that lie there at power on were there before: read, and nothing plays")
def test_boot(bench):
    for reader, (card, _) in CARDS.items():
        read = [(one["token"], one["ignored"]) for one in bench.since_boot("token.read") if one["reader"] == reader]
        assert read == [(card, "boot")], f"{reader} has read {read}"
    assert not bench.since_boot("playback.started") + bench.since_boot("playback.resumed")
    return f"read {', '.join(f'{one.at:.1f}' for one in bench.since_boot('token.read'))} s after power on"


@check("L1 L2 L3 L5", "a card is laid on the RDM6300: it plays; lifted: it pauses; laid again: it goes on at the frame")
def test_telegrams(bench):
    return _laid_and_lifted(bench, BOX)


@check("L1 L2 L3 L5", "a card is laid on the PN532: it plays; lifted: it pauses; laid again: it goes on at the frame")
def test_asked(bench):
    found = _laid_and_lifted(bench, SHELF)
    assert not bench.board.readers[SHELF].faults, f"it was sent {bench.board.readers[SHELF].faults[:3]}"
    return found


@check("L1 L2 L3 L5", "a card is laid on the reader of PC/SC: it plays; lifted: it pauses; laid again: it goes on at the frame")
def test_told(bench):
    found = _laid_and_lifted(bench, DESK)
    desk = bench.board.readers[DESK]
    assert not desk.faults, f"it was sent {desk.faults[:3]}"
    # The log of the firmware has nothing of one that does not answer.
    desk.lay(CARDS[DESK][0], answers=False)
    bench.board.wait(3)
    bench.expect_nothing("token.read", "token.unknown", "token.lifted")
    desk.lift()
    bench.board.wait(LIFT)
    return found


def _laid_and_lifted(bench, reader):
    card, other = CARDS[reader]
    bench.loop_back.begin()
    bench.lay(reader, card)
    bench.console.wait("track.started", track="1", frame="0")
    bench.board.wait(1)
    bench.expect_nothing("token.read", "token.lifted")
    gone = bench.now()
    lifted = bench.lift(reader)
    paused = bench.console.wait("playback.paused", cause="lifted")
    assert LIFT - 0.1 <= lifted.at - gone <= LIFT + OFTEN + HOST, f"lifted after {lifted.at - gone:.2f} s"
    bench.board.wait(0.3)
    bench.lay(reader, card)
    resumed = bench.console.wait("playback.resumed")
    beside = milliseconds(resumed.number("frame") - paused.number("frame"))
    assert abs(beside) <= BESIDE, f"{paused.text}; {resumed.text}"
    bench.board.wait(0.5)
    parts = sound.stretches(bench.loop_back.end().frames, bench.tracks)
    missing = sound.largest_gap(parts)
    assert [part.track for part in parts] == [1, 1] and parts[0].begin == 0 and missing <= 0.005 * sound.RATE, (
        f"paused at {paused['frame']}, heard {parts}")
    # Laid in its place, on a reader of PC/SC a moment later: pcscd asks only when one is gone.
    bench.board.readers[reader].lay(other)
    bench.console.wait("token.lifted", reader=reader, token=card)
    bench.console.wait("token.read", reader=reader, token=other)
    bench.console.wait("track.started", track="2")
    bench.lift(reader)
    return (f"lifted {lifted.at - gone:.2f} s after it was; went on {beside:+.1f} ms from the frame of the log, "
            f"{milliseconds(missing):.1f} ms of the track missing")


@check("L7", "cards are not seen for 200 ms again and again: not a line, and nothing of the music is missing")
def test_flicker(bench):
    readers = bench.board.readers
    _lay_all(bench)
    bench.board.wait(0.5)
    bench.loop_back.begin()
    bench.console.keep()
    for turn in range(6):
        for reader in readers.values():
            reader.lift()
        bench.board.wait(FLICKER)
        for reader, (card, _) in CARDS.items():
            readers[reader].lay(card)
        # Not always at the same time after it is looked.
        bench.board.wait(0.3 + 0.07 * turn)
    bench.board.wait(LIFT + OFTEN)
    lines = [line for line in bench.console.heard() if line and " state.saved " not in line]
    assert not lines, lines
    parts = sound.stretches(bench.loop_back.end().frames, bench.tracks)
    assert len(parts) == 1, f"what was heard is in pieces: {parts}"
    _lift_all(bench)


@check("L12", "torn telegrams, wrong checksums and a hundred thousand bytes of noise: no card is read, and then the next one is")
def test_noise(bench):
    box = bench.board.readers[BOX]
    card, other = CARDS[BOX]
    good, strange = telegram(card), telegram(other)
    wrong = strange[:-3] + b"%02X" % (int(strange[-3:-1], 16) ^ 1) + strange[-1:]
    # The tail first: the head and the tail after it would be whole.
    torn = (strange[9:], strange[:9], strange[:5] + good[5:], strange[:-1] + b"\x00", strange.replace(b"0", b""))
    box.lay(card, wrong, *torn)
    bench.console.wait("token.read", reader=BOX, token=card)
    bench.console.wait("track.started", track="1")
    bench.board.wait(2)
    bench.expect_nothing("token.read", "token.unknown", "token.lifted", "playback.paused")
    bench.lift(BOX)
    bench.type("stop")
    bench.play(0.3)
    begin = bench.now()
    for reader, count in NOISE.items():
        bench.board.readers[reader].send(random.Random(12).randbytes(count))
    took = bench.now() - begin
    bench.board.wait(1)
    bench.expect_nothing("token.read", "token.unknown", "token.lifted", "playback.paused", "boot")
    bench.expect_steady()
    bench.board.press("BTN_STOP")
    bench.console.wait("playback.stopped")
    for reader in CARDS:
        bench.lay(reader, CARDS[reader][0])
        bench.console.wait("track.started", track="1")
        bench.lift(reader)
    return f"the noise took {took:.1f} s"


@check("L11", "the reader is pulled out while its card lies there: the music goes on; back with it nothing, without it a lift")
def test_pulled(bench):
    card, other = CARDS[BOX]
    bench.lay(BOX, card)
    bench.console.wait("track.started", track="1")
    bench.board.wait(0.5)
    bench.loop_back.begin()
    _pull(bench)
    bench.board.wait(LIFT + OFTEN)
    _plug(bench)
    bench.board.wait(LIFT + OFTEN)
    bench.expect_nothing("token.read", "token.lifted", "playback.paused")
    parts = sound.stretches(bench.loop_back.end().frames, bench.tracks)
    assert len(parts) == 1, f"what was heard is in pieces: {parts}"
    _pull(bench)
    bench.board.readers[BOX].lift()
    bench.board.wait(LIFT + OFTEN)
    bench.expect_nothing("token.lifted", "playback.paused")
    _plug(bench)
    lifted = bench.console.wait("token.lifted", reader=BOX, token=card)
    bench.console.wait("playback.paused", cause="lifted")
    bench.lay(BOX, card)
    bench.console.wait("playback.resumed")
    _pull(bench)
    bench.board.readers[BOX].lay(other)
    _plug(bench)
    bench.console.wait("token.lifted", reader=BOX, token=card)
    bench.console.wait("token.read", reader=BOX, token=other)
    bench.console.wait("track.started", track="2")
    bench.lift(BOX)
    return lifted.text


def _pull(bench):
    bench.board.unplug_reader(BOX)
    bench.console.wait_text(f"reader {BOX} is gone")


def _plug(bench):
    bench.board.plug_reader(BOX)
    bench.console.wait_text(f"reader {BOX} is there")


@check("L11", "the PN532 dies while its card lies there: the music goes on; alive again with it nothing, and the lift is found")
def test_dead(bench):
    shelf = bench.board.readers[SHELF]
    bench.lay(SHELF, CARDS[SHELF][0])
    bench.console.wait("track.started", track="1")
    shelf.set_power(False)
    bench.console.wait_text(f"reader {SHELF} is gone")
    bench.board.wait(LIFT + OFTEN)
    bench.expect_nothing("token.lifted", "playback.paused")
    shelf.set_power(True)
    bench.console.wait_text(f"reader {SHELF} is there")
    bench.board.wait(LIFT + OFTEN)
    bench.expect_nothing("token.read", "token.lifted", "playback.paused")
    bench.lift(SHELF)
    bench.console.wait("playback.paused", cause="lifted")


@check("L11", "the reader of PC/SC is pulled out, and pcscd is killed, while its card lies there: the music goes on, as before")
def test_without_pcscd(bench):
    card = CARDS[DESK][0]
    bench.lay(DESK, card)
    bench.console.wait("track.started", track="1")
    run = bench.board.run
    for lose, find in (
        (lambda: bench.board.unplug_reader(DESK), lambda: bench.board.plug_reader(DESK)),
        (lambda: run("touch /run/hold-pcscd; kill -9 $(cat /run/pcscd.pid)"), lambda: run("rm /run/hold-pcscd")),
    ):
        lose()
        bench.console.wait_text(f"reader {DESK} is gone")
        bench.board.wait(LIFT + OFTEN)
        find()
        bench.console.wait_text(f"reader {DESK} is there")
        bench.board.wait(LIFT + OFTEN)
        bench.expect_nothing("token.read", "token.lifted", "playback.paused")
    bench.lift(DESK)
    bench.console.wait("playback.paused", cause="lifted")


@check("L8 P1", "the headphones are out when the card is laid again: not a frame on the speaker; laid once more it plays there")
def test_private(bench):
    card = CARDS[BOX][0]
    bench.plug("headphones")
    bench.lay(BOX, card)
    bench.console.wait("playback.started", route="headphones")
    bench.board.wait(0.5)
    bench.loop_back.begin()
    bench.unplug("headphones")
    bench.console.wait("prompt.shown")
    bench.lift(BOX)
    bench.board.readers[BOX].lay(card)
    bench.console.wait("token.read", reader=BOX, token=card, ignored="unplugged")
    bench.board.wait(1)
    bench.expect_nothing("playback.started", "playback.resumed")
    assert not sound.loudest(bench.loop_back.end().frames), "the speaker was heard"
    bench.lift(BOX)
    bench.loop_back.begin()
    bench.lay(BOX, card)
    bench.board.wait(1)
    assert sound.loudest(bench.loop_back.end().frames), "the speaker was not heard"
    bench.lift(BOX)


@check("L10", "cards wake it up: never while none lies there, twice a second with music, once in five seconds in silence")
def test_wakes(bench):
    # Until all is saved.
    bench.board.wait(3)
    with counted(bench) as resting:
        bench.board.wait(SECONDS)
    assert resting.control == 0 and not any("cards" in name for name in resting.threads), f"no card lies there: {resting}"
    _lay_all(bench)
    bench.board.wait(1)
    with counted(bench) as sounding:
        bench.board.wait(SECONDS)
    most = SOUNDING_WAKES * len(LOOKED_AT) * sounding.seconds + OTHERS
    assert 0 < sounding.control <= most, f"with music, expected {most:.0f} at most: {sounding}"
    bench.board.press("BTN_STOP")
    bench.console.wait("playback.stopped")
    bench.board.wait(AFTERGLOW)
    with counted(bench) as silent:
        bench.board.wait(SILENT_SECONDS)
    most = SILENT_WAKES * len(LOOKED_AT) * silent.seconds + OTHERS
    assert 0 < silent.control <= most, f"in silence, expected {most:.0f} at most: {silent}"
    gone = bench.now()
    lifted = _lift_all(bench)
    # An RDM6300 may have spoken of it since the last look.
    assert lifted - gone <= 2 * SELDOM + LIFT + HOST, f"lifted after {lifted - gone:.2f} s"
    return (f"{resting.control} at rest; of {len(CARDS)} cards {sounding.control} in {sounding.seconds:.0f} s of music and "
            f"{silent.control} in {silent.seconds:.0f} s of silence; lifted {lifted - gone:.1f} s after they were")


def _lay_all(bench):
    for reader, (card, _) in CARDS.items():
        bench.lay(reader, card)
        bench.console.wait("track.started", track="1")


def _lift_all(bench):
    """Returns when the last one was lifted, as the log has it."""
    for reader in bench.board.readers.values():
        reader.lift()
    return max(bench.console.wait("token.lifted").at for _ in CARDS)

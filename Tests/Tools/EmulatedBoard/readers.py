"""Card readers on serial lines of the board, which say whether a card lies on them. Each answers on a thread of its own, by
the host's clock, and gets its power from the USB plug that it hangs on."""

import array
import fcntl
import itertools
import pathlib
import select
import termios
import threading
import time

from Board import sockets


class Reader:
    """What all have in common: a line, power and the card that lies there, by its token."""

    STEP = 0.0  # s between two turns

    def __init__(self, path: pathlib.Path) -> None:
        """
        - path: the socket of the serial line.
        """
        self.card: str | None = None
        self.has_power = True
        self._line = sockets.connect(path)
        self._lock = threading.Lock()
        threading.Thread(target=self._run, daemon=True).start()

    def lay(self, card: str) -> None:
        with self._lock:
            self.card = card

    def lift(self) -> None:
        with self._lock:
            self.card = None

    def set_power(self, is_on: bool) -> None:
        """Without, it is dead, whether or not its plug is in."""
        with self._lock:
            self.has_power = is_on
            self._forget()

    def send(self, data: bytes) -> None:
        """Returns when the board has got all of it."""
        self._line.sendall(data)
        while self._is_waiting():
            time.sleep(0.01)

    def close(self) -> None:
        self._line.close()

    def _run(self) -> None:
        try:
            while True:
                time.sleep(self.STEP)
                with self._lock:
                    self._turn()
        except (OSError, ValueError):
            return  # The board is gone.

    def _is_waiting(self) -> bool:
        """Whether something of what was sent was not taken yet."""
        count = array.array("i", [0])
        fcntl.ioctl(self._line, termios.TIOCOUTQ, count)
        return count[0] > 0

    def _forget(self) -> None:
        """What it knew when it lost its power."""

    def _turn(self) -> None:
        raise NotImplementedError


class RDM6300(Reader):
    """Sends the telegram of the card that lies there again and again, and takes nothing."""

    STEP = 0.065

    def lay(self, card: str, *between: bytes) -> None:
        """
        - between: sent between its telegrams, one by one, as long as it lies there.
        """
        with self._lock:
            self.card = card
            self._telegrams = itertools.cycle([telegram(card), *between])

    def _turn(self) -> None:
        # What nobody takes is lost, as on any serial line.
        if self.card and self.has_power and not self._is_waiting():
            self._line.sendall(next(self._telegrams))


def telegram(card: str) -> bytes:
    """STX, ten digits, two of their checksum, ETX."""
    checksum = 0
    for byte in bytes.fromhex(card):
        checksum ^= byte
    return b"\x02%s%02X\x03" % (card.encode(), checksum)


class PN532(Reader):
    """On its serial line (HSU), as NXP's UM0701-02 has it. The card's token is its UID."""

    STEP = 0.005
    ACK = bytes.fromhex("0000FF00FF00")
    # Instead of an answer, to what it does not know.
    ERROR = bytes.fromhex("0000FF01FF7F8100")
    ANSWER_TIME = 0.02  # s that it takes to find a card
    CONFIGURE, VERSION, LIST = 0x14, 0x02, 0x4A
    RADIO, PARAMETERS = 0x32, 0x12
    ANSWERS = {CONFIGURE: b"", VERSION: b"\x32\x01\x06\x07", RADIO: b"", PARAMETERS: b""}

    def __init__(self, path: pathlib.Path) -> None:
        self.faults: list[bytes] = []  # what it was sent that is not a frame
        self._forget()
        super().__init__(path)

    def _forget(self) -> None:
        self._is_awake = self._is_configured = False
        self._buffer = b""
        self._due: float | None = None  # when the question for a card may be answered; None: there is none

    def _turn(self) -> None:
        if select.select([self._line], [], [], 0)[0]:
            more = self._line.recv(4096)
            if not more:
                raise OSError("the board has hung up")
            if self.has_power:
                self._take(more)
        if self.card and self.has_power and self._due and time.monotonic() >= self._due:
            self._due = None
            uid = bytes.fromhex(self.card)
            # One card, the first; SENS_RES and SEL_RES of an NTAG or, with a short UID, of a MIFARE Classic.
            kind = b"\x00\x44\x00" if len(uid) > 4 else b"\x00\x04\x08"
            self._answer(self.LIST, b"\x01\x01" + kind + bytes([len(uid)]) + uid)

    def _take(self, more: bytes) -> None:
        # It sleeps until something comes; the 55 is lost, and the zeros after it give it time.
        self._is_awake = self._is_awake or b"\x55" in more
        self._buffer += more
        while (start := self._buffer.find(b"\x00\xFF")) >= 0 and len(self._buffer) >= start + 4:
            length, check = self._buffer[start + 2:start + 4]
            if (length, check) in ((0, 0xFF), (0xFF, 0)):
                # The host's ACK or NACK: what was asked is off.
                self._due, self._buffer = None, self._buffer[start + 4:]
                continue
            end = start + 4 + length + 2
            if (length + check) % 256 == 0 and len(self._buffer) < end:
                return
            frame, self._buffer = self._buffer[start:end], self._buffer[end:]
            if (length + check) % 256 or sum(frame[4:-1]) % 256 or frame[4] != 0xD4 or frame[-1] or length < 2:
                self.faults.append(frame)
            elif self._is_awake:
                self._obey(frame[5], frame[6:-2])

    def _obey(self, command: int, parameters: bytes) -> None:
        # A new command takes the place of one that is not answered.
        self._due = None
        self._line.sendall(self.ACK)
        if command == self.LIST and parameters == b"\x01\x00" and self._is_configured:
            self._due = time.monotonic() + self.ANSWER_TIME
        elif command in self.ANSWERS:
            self._is_configured = self._is_configured or command == self.CONFIGURE
            self._answer(command, self.ANSWERS[command])
        else:
            self._line.sendall(self.ERROR)

    def _answer(self, command: int, data: bytes) -> None:
        body = bytes([0xD5, command + 1]) + data
        self._line.sendall(b"\x00\x00\xFF" + bytes([len(body), -len(body) % 256]) + body + bytes([-sum(body) % 256, 0]))

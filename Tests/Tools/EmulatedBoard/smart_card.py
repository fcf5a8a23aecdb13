"""A card reader of PC/SC on the board's USB. QEMU's usb-redir has all that the device on this plug does done here, by
usbredir's protocol (Spice's usb-redirection-protocol.md). The device is a reader of cards without contacts, as USB's
class CCID has them (revision 1.1).

QEMU's own usb-ccid is none for this: it loses what has changed when the board does not wait for it at that instant, and
keeps a card powered that was taken away, so that pcscd does not see that another one lies there.
"""

import pathlib
import select
import struct
import time

from EmulatedBoard.readers import Reader

# usbredir's messages.
HELLO, CONNECT, DISCONNECT, RESET, INTERFACES, ENDPOINTS, SET_CONFIGURATION = 0, 1, 2, 3, 4, 5, 6
CONFIGURED, SET_ALTERNATE, ALTERNATE = 8, 9, 11
START_INTERRUPTS, STOP_INTERRUPTS, INTERRUPTS, CANCEL = 15, 16, 17, 21
CONTROL, BULK, INTERRUPT = 100, 101, 103
# What QEMU's xHCI asks for: the device's version, sizes of packets, long numbers of messages, long packets.
ABILITIES = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6
SUCCESS, CANCELLED, STALL = 0, 1, 4
FULL_SPEED = 1
CONTROL_TYPE, BULK_TYPE, INTERRUPT_TYPE, NO_TYPE = 0, 2, 3, 255

# USB: endpoints, and what the device says it is.
NEWS, FROM_READER, TO_READER = 0x81, 0x82, 0x02
ENDPOINT_TYPES = {NEWS: INTERRUPT_TYPE, FROM_READER: BULK_TYPE, TO_READER: BULK_TYPE}
PACKET = 64
INTERVAL = 10  # ms at most until the board has taken news
# libccid takes none of its firmware 1.00.
VENDOR, PRODUCT, VERSION = 0x072F, 0x2200, 0x0214
NAMES = ("ACS", "ACR122U PICC Interface")
CARD_CLASS = 0x0B
DEVICE = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0110, 0, 0, 0, PACKET, VENDOR, PRODUCT, VERSION, 1, 2, 0, 1)
# One slot, T=0 and T=1 at the reader's own choice, whole commands and answers of up to 261 bytes.
READER = struct.pack("<BBHBBIIIBIIBIIIIIBBHBB", 54, 0x21, 0x0110, 0, 7, 3, 4000, 4000, 0, 106_000, 106_000, 0, 254, 0,
                     0, 0x000204BA, 271, 0, 0, 0, 0, 1)
PLACES = b"".join(struct.pack("<BBBBHB", 7, 5, endpoint, kind, PACKET, INTERVAL if endpoint == NEWS else 0)
                  for endpoint, kind in ENDPOINT_TYPES.items())
CONFIGURATION = (struct.pack("<BBHBBBBB", 9, 2, 18 + len(READER) + len(PLACES), 1, 1, 0, 0x80, 100)
                 + struct.pack("<BBBBBBBBB", 9, 4, 0, 0, 3, CARD_CLASS, 0, 0, 0) + READER + PLACES)
STRINGS = [struct.pack("<BBH", 4, 3, 0x0409)] + [
    bytes([2 + 2 * len(name), 3]) + name.encode("utf-16-le") for name in NAMES]
DESCRIPTORS = {0x0100: DEVICE, 0x0200: CONFIGURATION} | {0x0300 + number: text for number, text in enumerate(STRINGS)}
GET_DESCRIPTOR, GET_STATUS = (0x80, 6), (0x80, 0)

# CCID: questions, and the kinds of their answers, which are the slot's state where nothing else is said.
POWER_ON, POWER_OFF, STATUS, EXCHANGE = 0x62, 0x63, 0x65, 0x6F
SET_PARAMETERS, GET_PARAMETERS, RESET_PARAMETERS = 0x61, 0x6C, 0x6D
DATA, SLOT, PARAMETERS, CHANGE = 0x80, 0x81, 0x82, 0x50
ANSWERS = {POWER_ON: DATA, EXCHANGE: DATA, SET_PARAMETERS: PARAMETERS, GET_PARAMETERS: PARAMETERS,
           RESET_PARAMETERS: PARAMETERS}
ACTIVE, INACTIVE, ABSENT, FAILED = 0, 1, 2, 0x40
NO_CARD, NOT_KNOWN = 0xFE, 0
GONE, LAID = 2, 3  # what has changed about the slot

# The ATR of a card that keeps data, by PC/SC part 3: a MIFARE Ultralight, which an NTAG is, too.
STORAGE_CARD = bytes.fromhex("3B8F8001804F0CA0000003060300030000000068")
GET_UID = bytes.fromhex("FFCA000000")


class PCSC(Reader):
    """The card's token is its UID. Without power its plug is out."""

    STEP = 0.002
    # s without a card between two: no hand is quicker, and pcscd could not tell such cards apart. The second one where
    # the board has not asked meanwhile, as one on a busy host is slow.
    GAP, LONGEST_GAP = 0.05, 0.3

    def __init__(self, path: pathlib.Path) -> None:
        self.answers = True  # whether the card has a UID to tell
        self.asked = 0  # how often it was asked for one
        self.faults: list[bytes] = []  # what it was sent that is neither known nor that question
        self._has_greeted = self._is_plugged = False
        self._buffer = b""
        self._seen: str | None = None  # the card that the slot has
        self._empty_since = 0.0
        self._is_known_empty = False  # whether the board has asked since
        self._forget()
        super().__init__(path)

    def lay(self, card: str, answers: bool = True) -> None:
        with self._lock:
            self.card, self.answers = card, answers

    def _forget(self) -> None:
        self._is_active = False
        self._is_listened_to = False
        self._news: list[int] = []  # of the slot, to be told
        self._replies: list[bytes] = []
        self._reads: list[int] = []  # the numbers of those that wait for a reply

    def _turn(self) -> None:
        while select.select([self._line], [], [], 0)[0]:
            more = self._line.recv(65536)
            if not more:
                raise OSError("the board has hung up")
            self._buffer += more
            while self._take_message():
                pass
        if self._has_greeted and self.has_power != self._is_plugged:
            self._is_plugged = self.has_power
            if self._is_plugged:
                self._plug()
            else:
                self._send(DISCONNECT)
        self._look()
        while self._is_listened_to and self._news:
            self._send(INTERRUPT, struct.pack("<BBH", NEWS, SUCCESS, 2) + bytes([CHANGE, self._news.pop(0)]))

    def _look(self) -> None:
        if self.card == self._seen:
            return
        now = time.monotonic()
        if self._seen:
            self._seen, self._is_active = None, False
            self._empty_since, self._is_known_empty = now, False
            self._news.append(GONE)
        elif now >= self._empty_since + (self.GAP if self._is_known_empty else self.LONGEST_GAP):
            self._seen = self.card
            self._news.append(LAID)

    # ---- usbredir ----------------------------------------------------------------------------------------------------

    def _take_message(self) -> bool:
        # Numbers are long when both have said that they can be.
        head = "<IIQ" if self._has_greeted else "<III"
        size = struct.calcsize(head)
        if len(self._buffer) < size:
            return False
        kind, length, number = struct.unpack(head, self._buffer[:size])
        if len(self._buffer) < size + length:
            return False
        body, self._buffer = self._buffer[size:size + length], self._buffer[size + length:]
        self._obey(kind, number, body)
        return True

    def _send(self, kind: int, body: bytes = b"", number: int = 0) -> None:
        head = "<IIQ" if self._has_greeted else "<III"
        self._line.sendall(struct.pack(head, kind, len(body), number) + body)

    def _plug(self) -> None:
        kinds, intervals, sizes = [NO_TYPE] * 32, [0] * 32, [0] * 32
        for endpoint, kind in ((0x00, CONTROL_TYPE), (0x80, CONTROL_TYPE), *ENDPOINT_TYPES.items()):
            place = endpoint >> 3 & 16 | endpoint & 15
            kinds[place], intervals[place], sizes[place] = kind, INTERVAL if endpoint == NEWS else 0, PACKET
        self._send(INTERFACES, struct.pack("<I32x", 1) + bytes([CARD_CLASS]).ljust(96, b"\0"))
        self._send(ENDPOINTS, bytes(kinds) + bytes(intervals) + bytes(32) + struct.pack("<32H", *sizes))
        self._send(CONNECT, struct.pack("<BBBBHHH", FULL_SPEED, 0, 0, 0, VENDOR, PRODUCT, VERSION))

    def _obey(self, kind: int, number: int, body: bytes) -> None:
        if kind == HELLO:
            self._send(HELLO, b"reader".ljust(64, b"\0") + struct.pack("<I", ABILITIES))
            self._has_greeted = True
        elif kind == RESET:
            self._forget()
        elif kind == SET_CONFIGURATION:
            self._send(CONFIGURED, bytes([SUCCESS]) + body, number)
        elif kind == SET_ALTERNATE:
            self._send(ALTERNATE, bytes([SUCCESS]) + body, number)
        elif kind in (START_INTERRUPTS, STOP_INTERRUPTS):
            self._is_listened_to = kind == START_INTERRUPTS
            self._send(INTERRUPTS, bytes([SUCCESS, NEWS]), number)
        elif kind == CONTROL:
            self._control(number, body)
        elif kind == BULK and body[0] == TO_READER:
            self._send(BULK, body[:1] + bytes([SUCCESS]) + body[2:10], number)
            self._replies.append(self._answer(body[10:]))
        elif kind == BULK:
            self._reads.append(number)
        elif kind == CANCEL and number in self._reads:
            self._reads.remove(number)
            self._send(BULK, struct.pack("<BBHIH", FROM_READER, CANCELLED, 0, 0, 0), number)
        while self._reads and self._replies:
            reply, number = self._replies.pop(0), self._reads.pop(0)
            self._send(BULK, struct.pack("<BBHIH", FROM_READER, SUCCESS, len(reply), 0, 0) + reply, number)

    def _control(self, number: int, body: bytes) -> None:
        endpoint, request, kind, _, value, index, length = struct.unpack("<BBBBHHH", body[:10])
        data = None
        if (kind, request) == GET_DESCRIPTOR:
            data = DESCRIPTORS.get(value)
        elif (kind, request) == GET_STATUS:
            data = bytes(2)
        status, data = (STALL, b"") if data is None else (SUCCESS, data[:length])
        head = struct.pack("<BBBBHHH", endpoint, request, kind, status, value, index, len(data))
        self._send(CONTROL, head + data, number)

    # ---- CCID --------------------------------------------------------------------------------------------------------

    def _answer(self, question: bytes) -> bytes:
        kind, _, slot, sequence = struct.unpack("<BIBB", question[:7])
        answer = ANSWERS.get(kind, SLOT)
        data, last, error = b"", 0, None
        if kind == POWER_ON and not self._seen or kind == EXCHANGE and not self._is_active:
            error = NO_CARD
        elif kind == POWER_ON:
            self._is_active, data = True, STORAGE_CARD
        elif kind == EXCHANGE:
            data = self._exchange(question[10:])
        elif kind == POWER_OFF:
            self._is_active = False
        elif answer == PARAMETERS:
            last, data = question[7], question[10:]
        elif kind == STATUS:
            self._is_known_empty = not self._seen
        else:
            error = NOT_KNOWN
            self.faults.append(question)
        state = ABSENT if not self._seen else ACTIVE if self._is_active else INACTIVE
        status = state if error is None else state | FAILED
        return struct.pack("<BIBBBBB", answer, len(data), slot, sequence, status, error or 0, last) + data

    def _exchange(self, command: bytes) -> bytes:
        if command != GET_UID:
            self.faults.append(command)
            return b"\x6D\x00"
        self.asked += 1
        return bytes.fromhex(self._seen) + b"\x90\x00" if self.answers else b"\x6A\x81"

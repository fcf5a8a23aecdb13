"""What is between the board's Bluetooth controller and all others: air.py CONTROLLER FOLDER

CONTROLLER is the socket of a virtual one (btvirt). The board connects to FOLDER/air. Takes lines on FOLDER/range:

  lost      out of range: nothing gets through. What the controller has taken to send, it keeps, as a real one does that
            repeats it until the link is given up; calls go unanswered
  give-up   the controller has heard nothing for too long (a real one: 20 s), and says that the link is gone
  back      in range again: what the controller kept is sent
  reset     the board's controller was pulled out, or lost its power: the others no longer hear of it, and what it had to
            say is lost, up to the board's first command to it
"""

import asyncio
import pathlib
import sys

COMMAND, SOUND, EVENT, ISOCHRONOUS = 1, 2, 4, 5  # kinds of packets; SOUND: and all other data
# For each kind, how long its header is, and how much follows it.
HEADERS = {
    COMMAND: (3, lambda head: head[2]), SOUND: (4, lambda head: head[2] | head[3] << 8), 3: (3, lambda head: head[2]),
    EVENT: (2, lambda head: head[1]), ISOCHRONOUS: (4, lambda head: head[2] | (head[3] & 0x3F) << 8)}
CONNECTED, DISCONNECTED, COMPLETE, STATUS, SENT = 0x03, 0x05, 0x0E, 0x0F, 0x13  # events
CREATE, DISCONNECT, BUFFER_SIZE, RESET = b"\x05\x04", b"\x06\x04", b"\x05\x10", b"\x03\x0C"  # commands
NOT_THERE, TIMED_OUT, BY_REMOTE = 4, 8, 0x13  # errors
PAGE_TIMEOUT = 5.12  # s
# How many packets a controller takes before one is sent. btvirt's would take seconds of music.
PACKETS = 8


class Air:
    def __init__(self) -> None:
        self.is_lost = False
        self.is_off = False
        self.kept: list[bytes] = []
        self.handles: set[bytes] = set()  # of connections
        self.hidden = 0  # replies to commands that were not the board's
        self.board: asyncio.StreamWriter | None = None
        self.controller: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        """Gets the board a controller, before others get theirs."""
        others, self.controller = await asyncio.open_unix_connection(sys.argv[1])
        asyncio.ensure_future(self._carry(others, self._from_controller))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The board has connected."""
        self.board = writer
        await self._carry(reader, self._from_board)

    async def _carry(self, reader: asyncio.StreamReader, take) -> None:
        try:
            while True:
                kind = await reader.readexactly(1)
                # A terminal that is not in raw mode yet echoes what it gets; control characters as a caret and a letter.
                if kind[0] not in HEADERS:
                    continue
                size, length = HEADERS[kind[0]]
                head = await reader.readexactly(size)
                take(kind + head + await reader.readexactly(length(head)))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass

    def _from_board(self, packet: bytes) -> None:
        self.is_off = self.is_off and packet[:3] != bytes([COMMAND]) + RESET
        if self.is_lost and packet[0] == SOUND:
            self.kept.append(packet)
        elif self.is_lost and packet[:3] == bytes([COMMAND]) + CREATE:
            asyncio.ensure_future(self._call_in_vain(packet[4:10]))
        else:
            self.controller.write(packet)

    def _from_controller(self, packet: bytes) -> None:
        if packet[0] == EVENT:
            event = packet[1]
            if event == CONNECTED and packet[3] == 0:
                self.handles.add(packet[4:6])
            elif event == DISCONNECTED:
                if packet[4:6] not in self.handles:
                    return  # the board knows already
                self.handles.discard(packet[4:6])
            elif event == STATUS and packet[5:7] == DISCONNECT and self.hidden:
                self.hidden -= 1
                return
            elif event == COMPLETE and packet[4:6] == BUFFER_SIZE:
                packet = packet[:10] + PACKETS.to_bytes(2, "little") + packet[12:]
        if not self.is_off and not (self.is_lost and packet[0] == SOUND):
            self.board.write(packet)

    async def _call_in_vain(self, address: bytes) -> None:
        self.board.write(bytes([EVENT, STATUS, 4, 0, 1]) + CREATE)
        await asyncio.sleep(PAGE_TIMEOUT)
        self.board.write(bytes([EVENT, CONNECTED, 11, NOT_THERE, 0, 0]) + address + b"\x01\x00")

    # ---- Commands ------------------------------------------------------------------------------------------------

    async def range(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            match line.decode().strip():
                case "lost":
                    self.is_lost = True
                case "give-up":
                    self._hang_up(tells_board=True)
                case "reset":
                    self._hang_up(tells_board=False)
                    self.is_off = True
                case "back":
                    self.is_lost = False
                    self._send_kept()
            writer.write(b"ok\n")

    def _hang_up(self, tells_board: bool) -> None:
        """btvirt ends when one leaves in the middle of a connection, so that is ended first."""
        self.kept = []
        for handle in self.handles:
            if tells_board:
                self.board.write(bytes([EVENT, DISCONNECTED, 4, 0]) + handle + bytes([TIMED_OUT]))
            self.hidden += 1
            self.controller.write(bytes([COMMAND]) + DISCONNECT + b"\x03" + handle + bytes([BY_REMOTE]))
        self.handles.clear()

    def _send_kept(self) -> None:
        for packet in self.kept:
            self.controller.write(packet)
        self.kept = []


async def main() -> None:
    air, folder = Air(), pathlib.Path(sys.argv[2])
    await air.open()
    for name, serve in (("air", air.serve), ("range", air.range)):
        (folder / name).unlink(missing_ok=True)
        await asyncio.start_unix_server(serve, str(folder / name))
    await asyncio.Event().wait()


asyncio.run(main())

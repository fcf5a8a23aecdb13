"""A Bluetooth headset, as a program: Google's Bumble is its host, btvirt its controller. headset.py CONTROLLER FOLDER NAME

Takes lines on the socket FOLDER/NAME, and replies to each with one line:

  address                       its own
  call ADDRESS                  connects to a board that it knows
  off | on                      switched off, as it is at first: hangs up, and cannot be called; on: can be found and called
  key play|pause|forward|…      a key is pressed and released
  volume 0…127                  turned by a person
  status                        its volume, how much it has heard, whether it is connected

What it hears is appended to FOLDER/NAME.sbc.
"""

import asyncio
import pathlib
import sys
import time

from bumble import a2dp, avc, avdtp, avrcp, hci
from bumble.core import PhysicalTransport
from bumble.device import Device, DeviceConfiguration
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

import records

HEADPHONES = 0x240404  # class of device
DELAY = 150  # ms, that it reports
CALL = 20  # s: who is not answered has been ignored
PATIENCE = 120  # s: a busy host makes the board slow
KINDS = a2dp.SbcMediaCodecInformation
CODEC = avdtp.MediaCodecCapabilities(
    media_type=avdtp.AVDTP_AUDIO_MEDIA_TYPE, media_codec_type=a2dp.A2DP_SBC_CODEC_TYPE,
    media_codec_information=KINDS(
        sampling_frequency=KINDS.SamplingFrequency.SF_44100 | KINDS.SamplingFrequency.SF_48000,
        channel_mode=KINDS.ChannelMode(15), block_length=KINDS.BlockLength(15), subbands=KINDS.Subbands(3),
        allocation_method=KINDS.AllocationMethod(3), minimum_bitpool_value=2, maximum_bitpool_value=53))


def say(*words) -> None:
    print(f"{time.time():.3f}", *words, flush=True)


class Volume(avrcp.Delegate):
    """What the player sets over AVRCP."""

    def __init__(self) -> None:
        super().__init__([avrcp.EventId.VOLUME_CHANGED])
        self.volume = 64

    async def set_absolute_volume(self, volume: int) -> None:
        self.volume = volume
        say("volume set by the player", volume)


class Headset:
    def __init__(self, folder: pathlib.Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.connection, self.sink, self.packets = None, None, 0
        self.heard = open(folder / f"{name}.sbc", "wb", buffering=0)

    async def run(self, controller: str) -> None:
        async with await open_transport(f"unix:{controller}") as transport:
            configuration = DeviceConfiguration(
                name=self.name, class_of_device=HEADPHONES, classic_enabled=True, le_enabled=False,
                keystore=f"JsonKeyStore:{self.folder}/{self.name}.json")
            device = self.device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
            device.sdp_service_records = records.services()
            device.pairing_config_factory = lambda _: PairingConfig(
                sc=True, mitm=False, bonding=True, delegate=PairingDelegate(PairingDelegate.NO_OUTPUT_NO_INPUT))
            self._tolerate_no_low_energy()
            await device.power_on()
            device.on("connection", self._connected)
            self.avdtp = avdtp.Listener.for_device(device)
            self.avdtp.on("connection", self._stream)
            self.control = avrcp.Protocol(Volume())
            self.control.listen(device)
            await self._make_reachable(False)
            (self.folder / self.name).unlink(missing_ok=True)
            await asyncio.start_unix_server(self._commands, str(self.folder / self.name))
            await transport.source.terminated

    def _tolerate_no_low_energy(self) -> None:
        """Bumble sets up Low Energy also on a controller that has none."""
        send = self.device.host.send_sync_command

        async def tolerant(command, *more, **named):
            try:
                return await send(command, *more, **named)
            except hci.HCI_Error:
                if not command.name.startswith("HCI_LE_"):
                    raise

        self.device.host.send_sync_command = tolerant

    async def _make_reachable(self, is_on: bool) -> None:
        await self.device.set_discoverable(is_on)
        await self.device.set_connectable(is_on)

    # ---- What the player does ------------------------------------------------------------------------------------

    def _connected(self, connection) -> None:
        say("connected", connection.peer_address)
        self.connection = connection

        def gone(reason) -> None:
            say("disconnected", hci.HCI_Constant.error_name(reason))
            self.connection = None
            self.avdtp.servers.clear()

        connection.on("disconnection", gone)

    def _stream(self, protocol) -> None:
        sink = self.sink = protocol.add_sink(CODEC)
        sink.capabilities = [
            *sink.capabilities, avdtp.ServiceCapabilities(avdtp.AVDTP_DELAY_REPORTING_SERVICE_CATEGORY)]
        for event in ("start", "stop", "suspend", "open", "close", "abort"):
            sink.on(event, lambda event=event: say("stream", event))
        sink.on("configuration", lambda: asyncio.ensure_future(self._report_delay()))
        sink.on("rtp_packet", self._hear)

    async def _report_delay(self) -> None:
        stream = self.sink.stream
        await stream.protocol.send_command(
            avdtp.DelayReport_Command(acp_seid=stream.remote_endpoint.seid, delay=DELAY * 10))

    def _hear(self, packet) -> None:
        self.packets += 1
        self.heard.write(packet.payload[1:])

    # ---- Commands ------------------------------------------------------------------------------------------------

    async def _commands(self, reader, writer) -> None:
        async for line in reader:
            words = line.decode().split()
            say(">", *words)
            try:
                reply = await asyncio.wait_for(self._do(*words), CALL if words[0] == "call" else PATIENCE)
            except Exception as error:
                reply = f"failed: {error!r}"
            say("<", reply or "ok")
            writer.write(f"{reply or 'ok'}\n".encode())

    async def _do(self, word: str, *more: str) -> str | None:
        match word:
            case "address":
                return str(self.device.public_address).split("/")[0]
            case "call":
                connection = await self.device.connect(more[0], transport=PhysicalTransport.BR_EDR)
                await connection.authenticate()
                await connection.encrypt()
                # Linux refuses a channel before it has read the size of the key.
                await asyncio.sleep(0.5)
                protocol = await avdtp.Protocol.connect(connection, (1, 3))
                self.avdtp.set_server(connection, protocol)
                self._stream(protocol)
            case "off":
                await self._make_reachable(False)
                if self.connection:
                    await self.connection.disconnect()
            case "on":
                await self._make_reachable(True)
            case "key":
                key = avc.PassThroughFrame.OperationId[more[0].upper()]
                for pressed in (True, False):
                    await self.control.send_key_event(key, pressed)
            case "volume":
                self.control.delegate.volume = int(more[0])
                if self.connection:
                    self.control.notify_volume_changed(int(more[0]))
            case "status":
                link = "connected" if self.connection else "alone"
                return f"{link} {self.control.delegate.volume} {self.packets}"
            case _:
                return f"failed: {word} is not known"


asyncio.run(Headset(pathlib.Path(sys.argv[2]), sys.argv[3]).run(sys.argv[1]))

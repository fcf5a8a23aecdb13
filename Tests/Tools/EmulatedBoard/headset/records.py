"""The services of a headset. Run as a program, prints them as BlueZ keeps them of a headset that it has paired with."""

from bumble import a2dp, avrcp, sdp

SINK, CONTROLLER, TARGET = 0x10001, 0x10002, 0x10003
VOLUME = 2  # the category of features that has it


def services() -> dict[int, list[sdp.ServiceAttribute]]:
    """By the handles of their records: it plays, has keys, and has a volume that can be set."""
    return {
        SINK: a2dp.make_audio_sink_service_sdp_records(SINK),
        CONTROLLER: avrcp.ControllerServiceSdpRecord(CONTROLLER).to_service_attributes(),
        TARGET: avrcp.TargetServiceSdpRecord(TARGET, supported_features=VOLUME).to_service_attributes()}


def _coded(attributes: list[sdp.ServiceAttribute]) -> str:
    parts = [part for one in attributes for part in (sdp.DataElement.unsigned_integer_16(one.id), one.value)]
    return bytes(sdp.DataElement.sequence(parts)).hex().upper()


if __name__ == "__main__":
    for handle, attributes in services().items():
        print(f"0x{handle:08X}={_coded(attributes)}")

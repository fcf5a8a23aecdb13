/// The faults of a port's sense and of a line of an input device.
extension BoardFaults {
  private static let codes =
    "headphone-insert, microphone-insert, dock, lineout-insert, jack-physical-insert, videoout-insert, linein-insert "
    + "or mute-device"

  private static let keys =
    "a key by the kernel's name or number, such as \"playpause\", \"btn-south\" or 304, or a switch: \(codes)"

  static let senses = [
    fault(
      "14: ports.headphones.code: found with sense = \"jack\", expected only with \"switch\"",
      [4: "", 5: "", 9: "sense = 'jack'\ncontrol = 'Jack'\ncard = 'A'\n\n\ncode = 'dock'"]),
    fault(
      "10: ports.headphones.debounce: found with sense = \"gpio\", expected only with \"switch\", \"jack\" or "
        + "\"bluetooth\"",
      [9: "sense = 'gpio'\ndebounce = 1"]),
    fault(
      "11: ports.headphones.address: \"00:1A:7D\" is no address, expected a Bluetooth address such as \"00:1A:7D:DA:71:13\"",
      [4: "", 5: "", 9: "sense = 'bluetooth'\n\naddress = '00:1A:7D'", 10: ""]),
    fault(
      "10: ports.headphones.address: found with sense = \"gpio\", expected only with \"bluetooth\"",
      [9: "sense = 'gpio'\naddress = '00:1A:7D:DA:71:13'"]),
    fault(
      "11: ports.headphones.device: missing, expected a whole name or a path in quotes",
      [4: "", 5: "", 8: "\n\n\n[ports.headphones]", 9: "sense = 'switch'\ncode = 'dock'", 10: ""]),
    fault(
      "10: ports.headphones.code: \"headphone\" is unknown, expected \(codes)",
      [4: "", 5: "", 9: "sense = 'switch'\ncode = 'headphone'\ndevice = 'keys'", 10: ""]),
    fault(
      "10: ports.headphones.code: \"play\" is unknown, expected \(codes)",
      [4: "", 5: "", 9: "sense = 'switch'\ncode = 'play'\ndevice = 'keys'", 10: ""]),
    fault(
      "8: ports.headphones.card: missing, expected the id of a sound card, as pcm names none",
      [4: "", 5: "", 9: "sense = 'jack'", 10: "control = 'Headphone Jack'"]),
    fault(
      "8: ports.headphones.control: missing, expected a text in quotes",
      [4: "", 5: "", 9: "sense = 'jack'", 10: "card = 'A'"]),
    fault(
      "8: lines.PLAY.code: missing, expected \(keys)", [6: "\n\n[lines.PLAY]", 7: "role = 'play'\ndevice = 'keys'"]),
    play(
      9, "code: \"KEY_PLAYPAUSED\" is unknown, the nearest is \"playpause\", expected \(keys)",
      "role = 'play'\ndevice = 'keys'\ncode = 'KEY_PLAYPAUSED'"),
    play(
      9, "code: \"SW_DOCKED_SOMEWHERE_ELSE\" is unknown, expected \(keys)",
      "role = 'play'\ndevice = 'keys'\ncode = 'SW_DOCKED_SOMEWHERE_ELSE'"),
    play(9, "code: 0 is out of range 1...767, expected \(keys)", "role = 'play'\ndevice = 'keys'\ncode = 0"),
    play(9, "code: 70000 is out of range 1...767, expected \(keys)", "role = 'play'\ndevice = 'keys'\ncode = 70000"),
    play(
      8, "device: found \"* (AVRCP)\", expected a whole name or a path in quotes",
      "role = 'play'\ndevice = '* (AVRCP)'\ncode = 'play'"),
    play(9, "code: found 1.5, expected \(keys)", "role = 'play'\ndevice = 'keys'\ncode = 1.5"),
    play(
      9, "bias: found beside device, expected only on a GPIO line", "role = 'play'\ndevice = 'keys'\nbias = 'as-is'"),
    play(8, "device: found on a lamp, expected only on inputs", "role = 'lamp'\ndevice = 'keys'"),
    fault(
      "6: lines.JACK.device: found on a sense, expected in the port's table, with sense = \"switch\"",
      [5: "role = 'sense'\ndevice = 'keys'"]),
    fault(
      "14: ports.headphones.code: mute-device of keys is taken by lines.PLAY on line 6, expected another",
      [
        4: "", 5: "", 7: "role = 'mute'\ndevice = 'keys'\ncode = 'mute-device'",
        9: "sense = 'switch'\n\ndevice = 'keys'\ncode = 'mute-device'", 10: "",
      ]),
    fault(
      "10: ports.headphones.line: \"PLAY\" is lines.PLAY on line 6 already, expected another name",
      [4: "", 5: "", 9: "sense = 'jack'", 10: "line = 'PLAY'\ncontrol = 'Jack'\ncard = 'A'"]),
    play(8, "settle: expected only with role = \"amp-mute\"", "role = 'lamp'\nsettle = 1"),
    play(8, "settle: \"2s\" is out of range, expected 0 or 1ms...1s", "role = 'amp-mute'\nsettle = '2s'"),
    play(8, "port: the board has no port usb, expected headphones or speaker", "role = 'amp-mute'\nport = 'usb'"),
    fault(
      "13: ports.headphones.card: found with sense = \"gpio\", expected only with \"jack\" or a mixer",
      [12: "pcm = 'hp'\ncard = 'A'"]),
    fault(
      "8: ports.headphones.card: missing, expected the id of a sound card, as pcm names none",
      [12: "pcm = 'hp'\nmixer = 'PCM'"]),
    fault(
      "17: ports.speaker.mixer: is that of ports.headphones on line 8, expected one of its own or none",
      [12: "pcm = 'hw:A'\nmixer = 'PCM'", 16: "mixer = 'PCM'\npcm = 'hw:A,1'"]),
    fault(
      "17: ports.speaker.pcm: \"hw:A\" is that of ports.headphones on line 8, expected another where a port has a mixer",
      [12: "pcm = 'hw:A'\nmixer = 'PCM'", 16: "pcm = 'hw:A'"]),
    fault(
      "16: ports.speaker.pcm: \"hw:A\" is that of ports.headphones on line 8, expected another where a port has a mixer",
      [12: "pcm = 'hw:A'", 16: "pcm = 'hw:A'\nmixer = 'PCM'"]),
  ]
}

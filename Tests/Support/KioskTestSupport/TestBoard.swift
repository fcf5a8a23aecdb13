import AudioSession
import BoardFiles
import Jukebox

/// A board like the simulated one that is shipped.
func testBoard(_ change: (inout BoardDescription) -> Void = { _ in }) -> BoardDescription {
  let buttons = ["PLAY", "STOP", "VOL_UP", "VOL_DOWN", "NEXT", "PREVIOUS", "RECORD", "CUE"]
  let lines =
    ["JACK_SENSE", "DOCK_SENSE"].map { LineDescription(name: $0, role: .sense) }
    + zip(buttons, Button.single).map { LineDescription(name: "BTN_\($0)", role: .button($1)) }
    + [
      LineDescription(name: "PAGE", role: .interrupter("page")), LineDescription(name: "MUTE", role: .mute),
      LineDescription(name: "LED_STATUS", role: .lamp), LineDescription(name: "AMP_MUTE", role: .ampMute),
    ]
  func port(_ port: Port, _ sense: OutputPort.Sense, _ priority: Int) -> PortDescription {
    PortDescription(
      output: OutputPort(port: port, sense: sense, priority: priority, isPrivate: sense != .always), pcm: "default")
  }
  var board = BoardDescription(
    name: "Simulated board", rate: 44_100, buffer: .milliseconds(200), lines: lines,
    ports: [
      port(.headphones, .line("JACK_SENSE"), 30), port(.lineOut, .line("DOCK_SENSE"), 20),
      port(.speaker, .always, 10),
    ], input: InputDescription(port: .microphone, pcm: "default"))
  change(&board)
  return board
}

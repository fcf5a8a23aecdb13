import BoardFiles
import Files
import JSON

/// What a watcher of the control socket gets of the board: what does not change while the firmware runs.
enum BoardFacts {
  static func json(_ kiosk: KioskConfiguration) -> JSONValue {
    [
      "version": .string(Product.version), "board": .string(kiosk.board.name), "rate": .integer(kiosk.board.rate),
      "ports": .array(
        kiosk.board.ports.map(\.output).map { port in
          [
            "port": .string(port.port.rawValue), "private": .bool(port.isPrivate), "ceiling": .integer(port.ceiling),
            "sensed": .bool(port.sense != .always),
          ]
        }), "cues": .strings(kiosk.cues.filter { !$0.isMissing }.map(\.name)),
    ]
  }
}

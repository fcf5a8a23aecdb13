import AudioSession
import Board
import Files
import Jukebox

/// The rules between the tables of a board file. An error is reported at the later of two tables that clash.
enum BoardChecks {
  /// Throws where two lines have the same name, place, button or client, and where there is a second lamp or the like. The
  /// lines of ports come after those of the tables.
  static func check(_ lines: [BoardFile.ReadLine]) throws(FileError) {
    for (index, entry) in lines.enumerated() {
      let (line, table) = (entry.line, entry.table)
      let earlier = lines[..<index]
      if let other = earlier.first(where: { isSame($0.line.source, line.source) }) {
        let (key, text) = place(line.source)
        throw table.error(key, "\(text) is taken by \(at(other.table)), expected another")
      }
      if let other = earlier.first(where: { $0.line.name == line.name }) {
        throw table.error("line", "\(Wording.quoted(line.name)) is \(at(other.table)) already, expected another name")
      }
      // A seat and a button may choose the same.
      guard !line.role.mayBeMany,
        let other = earlier.first(where: { isSame($0.line.role, line.role) && $0.line.manners == line.manners })
      else { continue }
      let key = ["client", "track", "playlist", "popular", "cue"].first(where: table.has)
      let subject = key.map { $0 == "popular" ? "for this place" : "for this \($0)" } ?? "of this role"
      throw table.error(key ?? "role", "is taken by \(at(other.table)), expected one line \(subject)")
    }
  }

  /// Throws where a reader's device, which it takes for itself, is that of a line or of another reader.
  static func check(_ readers: [BoardFile.ReadReader], lines: [BoardFile.ReadLine]) throws(FileError) {
    let ofPCSC = readers.filter { $0.reader.speech == .pcsc }
    if ofPCSC.count > 1, let unnamed = ofPCSC.first(where: { $0.reader.device == nil }) {
      throw unnamed.table.error(
        "device", "missing, expected how its name begins, as there are several readers of PC/SC")
    }
    for (index, entry) in readers.enumerated() {
      guard let device = entry.reader.device else { continue }
      let table = entry.table
      let line = lines.first { if case .input(let other, _) = $0.line.source { other == device } else { false } }
      guard let other = readers[..<index].first(where: { $0.reader.device == device })?.table ?? line?.table else {
        continue
      }
      throw table.error("device", "\(Wording.quoted(device)) is taken by \(at(other)), expected another")
    }
  }

  /// Throws where two ports have the same line, priority or mixer, and for a sense line without a port; warns where they
  /// say different things of one card.
  static func check(_ ports: [BoardFile.ReadPort], lines: [BoardFile.ReadLine]) throws(FileError) {
    for (index, entry) in ports.enumerated() {
      let (output, table) = (entry.port.output, entry.table)
      let earlier = ports[..<index]
      if output.sense != .always, let other = earlier.first(where: { $0.port.output.sense == output.sense }) {
        throw table.error("line", "is taken by \(at(other.table)), expected a line of its own")
      }
      if let other = earlier.first(where: { $0.port.output.priority == output.priority }) {
        throw table.error("priority", "\(output.priority) is taken by \(at(other.table)), expected another")
      }
      // The mixer would be moved for one port while the other still fades out.
      if let mixer = entry.port.mixer, let other = earlier.first(where: { $0.port.mixer == mixer }) {
        throw table.error("mixer", "is that of \(at(other.table)), expected one of its own or none")
      }
      let (port, mixer) = (entry.port, entry.port.mixer)
      for other in earlier where other.port.pcm == port.pcm {
        guard let key = port.card.contradiction(to: other.port.card) else { continue }
        table.warn(table.error(key, "is another than that of \(at(other.table)), which has the same pcm and counts"))
      }
      if let other = earlier.first(where: { $0.port.pcm == port.pcm && ($0.port.mixer != nil || mixer != nil) }) {
        throw table.error(
          "pcm", "\(Wording.quoted(port.pcm)) is that of \(at(other.table)), expected another where a port has a mixer")
      }
    }
    for line in lines {
      guard let port = line.line.serves, !ports.contains(where: { $0.port.output.port == port }) else { continue }
      let known = Wording.list(ports.map(\.port.output.port.rawValue))
      throw line.table.error("port", "the board has no port \(port.rawValue), expected \(known)")
    }
    for line in lines where line.line.role == .sense {
      let isUsed = ports.contains { $0.port.output.sense == .line(line.line.name) }
      if !isUsed { throw line.table.error("is used by no port, expected one with this line") }
    }
  }

  static func at(_ table: TOMLTable) -> String { "\(table.path) on line \(table.line)" }

  /// The same chip can be named `gpiochip0`, `/dev/gpiochip0` or `0`.
  static func canonical(_ place: ChipOffset) -> ChipOffset {
    var chip = Substring(place.chip)
    for prefix in ["/dev/", "gpiochip"] where chip.hasPrefix(prefix) { chip = chip.dropFirst(prefix.count) }
    return ChipOffset(chip: String(chip), offset: place.offset)
  }

  private static func isSame(_ one: Line.Role, _ other: Line.Role) -> Bool {
    // However long each of them counts.
    if case (.silence, .silence) = (one, other) { return true }
    return one == other
  }

  private static func isSame(_ one: LineDescription.Source, _ other: LineDescription.Source) -> Bool {
    guard case .gpio(let place) = one, case .gpio(let otherPlace) = other else { return one == other }
    // Lines without a place are told apart by their labels.
    return place != nil && place.map(canonical) == otherPlace.map(canonical)
  }

  /// The key that gives the place of a line, and the place as errors name it.
  private static func place(_ source: LineDescription.Source) -> (key: String, text: String) {
    switch source {
    case .gpio(let place): ("offset", place.map { "\($0.offset) on \($0.chip)" } ?? "")
    case .input(let device, let code): ("code", "\(code.name) of \(device)")
    case .headsetKey(let address, let code): ("keys", "\(code.name) of \(address.map(String.init) ?? "any headset")")
    case .jack(let card, let control): ("control", "\(control) of \(card)")
    case .headset(let address): ("address", address.map(String.init) ?? "any headset")
    case .led(let name): ("led", name)
    }
  }
}

extension KnownCard {
  /// The key of a board file that says something else than that of `other`, which is the same card.
  fileprivate func contradiction(to other: KnownCard) -> String? {
    func differ<Value: Equatable>(_ key: KeyPath<KnownCard, Value?>) -> Bool {
      self[keyPath: key] != nil && other[keyPath: key] != nil && self[keyPath: key] != other[keyPath: key]
    }
    return differ(\.takesBack) ? "take_back" : differ(\.positionStep) ? "position_step" : nil
  }
}

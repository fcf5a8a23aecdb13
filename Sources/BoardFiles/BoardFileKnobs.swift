import AudioSession
import Board
import Files
import Jukebox

/// The knobs of a board: two lines each, or an axis of an input device.
extension BoardFile {
  /// A knob, and the table it was read from for errors found later.
  struct ReadKnob {
    var knob: KnobDescription
    var table: TOMLTable
  }

  private static let lineKeys = ["a", "b", "chip", "active", "bias"]

  static func knobs(_ root: TOMLTable) throws(FileError) -> [ReadKnob] {
    let chip = try root.optional("chip", .text)
    var knobs: [ReadKnob] = []
    for (name, table) in try root.table("knobs")?.tables() ?? [] {
      if let knob = try table.attempt({ () throws(FileError) in try self.knob(name, table, boardChip: chip) }) {
        knobs.append(ReadKnob(knob: knob, table: table))
      }
    }
    return knobs
  }

  private static func knob(
    _ name: String, _ table: TOMLTable, boardChip: String?
  ) throws(FileError) -> KnobDescription {
    try checkLabel(name, table)
    try table.allowOnly(lineKeys + ["device", "axis", "turns", "steps", "by", "reversed", "faster"])
    let use = try table.attempt { () throws(FileError) in try self.use(table) } ?? .volume(points: nil)
    let isFaster = try table.optional("faster", .boolean)
    if isFaster != nil, use.word != "volume" {
      try table.keep(table.error("faster", "expected only with turns = \"volume\""))
    }
    var knob = Knob(name: name, use: use)
    (knob.isReversed, knob.isFaster) = (try table.optional("reversed", .boolean) ?? false, isFaster ?? false)
    if table.has("device") || table.has("axis") {
      for key in lineKeys where table.has(key) {
        try table.keep(table.error(key, "found beside device, expected only on a knob with two lines"))
      }
      knob.steps = try table.optional("steps", .integer(in: 1...1_000)) ?? 1
      return KnobDescription(knob: knob, source: try axis(table))
    }
    knob.steps = try table.optional("steps", .integer(of: [1, 2, 4])) ?? 4
    return KnobDescription(knob: knob, source: try contacts(of: name, table, boardChip: boardChip))
  }

  private static func axis(_ table: TOMLTable) throws(FileError) -> KnobDescription.Source {
    let device = try table.required("device", .inputDevice, or: "")
    let axes = InputCode.axes.map { ($0.name, $0) }
    return .axis(device: device, code: try table.required("axis", .choice(axes)))
  }

  private static func contacts(
    of name: String, _ table: TOMLTable, boardChip: String?
  ) throws(FileError) -> KnobDescription.Source {
    let ownChip = try table.optional("chip", .text)
    let (a, b) = (try table.required("a", .pin, or: .label("a")), try table.required("b", .pin, or: .label("b")))
    let activeLow = try table.optional("active", .choice([("high", false), ("low", true)])) ?? false
    let bias: LineRequest.Bias = try table.optional("bias", .word) ?? .asIs
    func contact(_ key: String, _ pin: Pin) throws(FileError) -> KnobDescription.Contact {
      switch pin {
      case .label(let label): return KnobDescription.Contact(name: label)
      case .offset(let offset):
        guard let chip = ownChip ?? boardChip else {
          throw table.error(key, "found without chip, expected one beside it or at the top of the file")
        }
        return KnobDescription.Contact(name: "\(name).\(key)", fallback: ChipOffset(chip: chip, offset: offset))
      }
    }
    if case (.label, .label) = (a, b), ownChip != nil {
      table.warn(table.error("chip", "says nothing without the number of a line, as a = 17"))
    }
    if a == b { throw table.error("b", "is the line of a, too, expected another") }
    return .contacts(a: try contact("a", a), b: try contact("b", b), activeLow: activeLow, bias: bias)
  }

  private static func use(_ table: TOMLTable) throws(FileError) -> Knob.Use {
    let uses: [(word: String, value: Knob.Use)] = [
      ("volume", .volume(points: nil)), ("track", .track), ("playlist", .playlist), ("seek", .seek(.seconds(5))),
    ]
    let use = try table.optional("turns", .choice(uses)) ?? .volume(points: nil)
    switch use {
    case .volume: return .volume(points: try table.optional("by", .integer(in: 1...100)))
    case .seek(let usual):
      return .seek(try table.optional("by", .duration(in: .milliseconds(100) ... .seconds(3_600))) ?? usual)
    case .track, .playlist:
      if table.has("by") { throw table.error("by", "expected only with turns = \"volume\" or \"seek\"") }
      return use
    }
  }
}

/// A line of a GPIO chip, by its number or label.
enum Pin: Hashable, Sendable {
  case offset(Int)
  case label(String)
}

extension TOMLShape where Value == Pin {
  static var pin: Self {
    .number(
      in: 0...511, Pin.offset, orText: Pin.label, expected: "an offset 0...511 or a line's label in quotes")
  }
}

extension BoardChecks {
  /// Throws where a knob has a line, an axis or a name that something else has already.
  static func check(
    _ knobs: [BoardFile.ReadKnob], lines: [BoardFile.ReadLine], readers: [BoardFile.ReadReader]
  ) throws(FileError) {
    for (index, entry) in knobs.enumerated() {
      let (knob, table) = (entry.knob, entry.table)
      if let other = lines.first(where: { $0.line.name == knob.knob.name }) {
        throw table.error("is called as \(at(other.table)), expected another name")
      }
      switch knob.source {
      case .axis(let device, let code):
        let knob = knobs[..<index].first { $0.knob.source == .axis(device: device, code: code) }
        if let other = knob?.table {
          throw table.error("axis", "\(code.name) of \(device) is taken by \(at(other)), expected another")
        }
        if let other = readers.first(where: { $0.reader.device == device })?.table {
          throw table.error("device", "\(Wording.quoted(device)) is taken by \(at(other)), expected another")
        }
      case .contacts(let a, let b, _, _):
        let taken = lines.map { (BoardDescription.contact(of: $0.line), $0.table) }
        let turned = knobs[..<index].flatMap { other in other.knob.contacts.map { ($0, other.table) } }
        for (key, contact) in [("a", a), ("b", b)] {
          guard let other = (taken + turned).first(where: { isSame($0.0, contact) })?.1 else { continue }
          throw table.error(key, "is taken by \(at(other)), expected a line of its own")
        }
      }
    }
  }

  private static func isSame(_ one: KnobDescription.Contact?, _ other: KnobDescription.Contact) -> Bool {
    guard let one else { return false }
    if let place = one.fallback, let otherPlace = other.fallback { return canonical(place) == canonical(otherPlace) }
    return one.name == other.name
  }
}

extension BoardDescription {
  fileprivate static func contact(of line: LineDescription) -> KnobDescription.Contact? {
    guard case .gpio(let fallback) = line.source else { return nil }
    return KnobDescription.Contact(name: line.name, fallback: fallback)
  }
}

extension KnobDescription {
  fileprivate var contacts: [Contact] {
    switch source {
    case .contacts(let a, let b, _, _): [a, b]
    case .axis: []
    }
  }
}

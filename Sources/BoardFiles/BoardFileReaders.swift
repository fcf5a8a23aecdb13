import Board
import Files

extension BoardFile {
  /// A reader, and the table it was read from for errors found later.
  struct ReadReader {
    var reader: ReaderDescription
    var table: TOMLTable
  }

  static func readers(_ root: TOMLTable) throws(FileError) -> [ReadReader] {
    var readers: [ReadReader] = []
    for (name, table) in try root.table("readers")?.tables() ?? [] {
      try checkLabel(name, table)
      try table.allowOnly(["kind", "device", "length", "protocol", "lift"])
      let isPresence = try table.optional("kind", .choice([("keys", false), ("presence", true)])) ?? false
      for key in isPresence ? ["length"] : ["protocol", "lift"] where table.has(key) {
        try table.keep(table.error(key, "expected only with kind = \"\(isPresence ? "keys" : "presence")\""))
      }
      let reader = isPresence ? try presence(name, table) : try keys(name, table)
      readers.append(ReadReader(reader: reader, table: table))
    }
    return readers
  }

  private static func keys(_ name: String, _ table: TOMLTable) throws(FileError) -> ReaderDescription {
    let device = try table.required("device", .inputDevice, or: "")
    let length = try table.optional("length", .integer(in: 1...64))
    return ReaderDescription(name: name, device: device, length: length)
  }

  private static func presence(_ name: String, _ table: TOMLTable) throws(FileError) -> ReaderDescription {
    let lift = TOMLShape<Duration>.duration(in: .milliseconds(50) ... .seconds(10))
    let time = try table.optional("lift", lift) ?? .milliseconds(700)
    guard table.has("protocol") else {
      if table.has("device") { try table.keep(table.error("device", "expected only with `protocol`")) }
      return ReaderDescription(name: name, lift: time)
    }
    let speech = try table.required("protocol", .word, or: CardReaderRequest.Speech.rdm6300)
    // One at PC/SC need not be named where it is the only one.
    let device = speech == .pcsc ? try table.optional("device", .text) : try table.required("device", .text, or: "")
    return ReaderDescription(name: name, lift: time, speech: speech, device: device)
  }

  /// The kernel keeps 31 bytes of a line's label; a reader's name is logged like those of lines.
  static func checkLabel(_ name: String, _ table: TOMLTable) throws(FileError) {
    if !(1...31).contains(name.utf8.count) || !name.utf8.allSatisfy({ (32..<127).contains($0) }) {
      try table.keep(table.error("not a label, expected 1...31 printable ASCII characters"))
    }
  }
}

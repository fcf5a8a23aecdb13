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
      try table.allowOnly(["device", "length"])
      let device = try table.required("device", .text, or: "")
      let length = try table.optional("length", .integer(in: 1...64))
      readers.append(ReadReader(reader: ReaderDescription(name: name, device: device, length: length), table: table))
    }
    return readers
  }

  /// The kernel keeps 31 bytes of a line's label; a reader's name stands beside those of lines in the log.
  static func checkLabel(_ name: String, _ table: TOMLTable) throws(FileError) {
    if !(1...31).contains(name.utf8.count) || !name.utf8.allSatisfy({ (32..<127).contains($0) }) {
      try table.keep(table.error("not a label, expected 1...31 printable ASCII characters"))
    }
  }
}

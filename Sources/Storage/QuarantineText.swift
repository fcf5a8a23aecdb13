import BoardFiles
import Files

/// The quarantine as a TOML text, a table for each file by its path, sealed with a checksum as `StateText` is.
enum QuarantineText {
  private static let version = 1
  private static let most = 1 << 40

  static func encode(_ quarantine: Quarantine) -> [UInt8] {
    var text = "version = \(version)\n"
    for entry in quarantine.entries {
      text += "[files.\(StateText.quoted(entry.mark.path))]\nsize = \(entry.mark.size)\n"
      text += "modified = \(entry.mark.modified)\ndied = \(entry.died)\nunopened = \(entry.unopened)\n"
      // Firmware that does not know it reads the rest.
      if entry.crashed > 0 { text += "crashed = \(entry.crashed)\n" }
      text += "reason = \(StateText.quoted(entry.reason))\n"
    }
    return StateText.sealed(Array(text.utf8))
  }

  /// Parses any bytes; throws at the first mistake in them. `file` is used in error messages only.
  static func decode(_ bytes: [UInt8], file: String) throws(FileError) -> Quarantine {
    guard try StateText.checkSum(bytes, file) else {
      throw FileError(file: file, message: "has no checksum: the file is damaged")
    }
    let table = try TOMLTable(parsing: bytes, file: file)
    try table.allowOnly(["version", "files"])
    _ = try table.required("version", .integer(in: version...version))
    var entries: [Quarantine.Entry] = []
    for (path, fields) in try table.table("files")?.tables() ?? [] {
      try fields.allowOnly(["size", "modified", "died", "unopened", "crashed", "reason"])
      let mark = FileMark(
        path: path, size: try fields.required("size", .integer(in: 0...Int.max)),
        modified: try fields.required("modified", .integer(in: Int.min...Int.max)))
      entries.append(
        Quarantine.Entry(
          mark: mark, died: try fields.required("died", .integer(in: 0...most)),
          unopened: try fields.required("unopened", .integer(in: 0...most)),
          crashed: try fields.optional("crashed", .integer(in: 0...most)) ?? 0,
          reason: try fields.required("reason", .anyText)))
    }
    return Quarantine(entries)
  }
}

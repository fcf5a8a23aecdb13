import AudioSession
import Files
import Jukebox

extension SettingsFile {
  private static let cueEvents = EventName.allCases.filter(\.canTriggerCue)

  /// `[cues.NAME]`; the clients must have been read.
  static func readCues(
    _ root: TOMLTable, _ interrupters: [ClientName]?, into kiosk: inout KioskSettings
  ) throws(FileError) {
    var speakers = [ClientName.cue, .page]
    let silent = [ClientName.music, .recorder]
    for name in (interrupters ?? []) + kiosk.clients.map(\.name) where !(speakers + silent).contains(name) {
      speakers.append(name)
    }
    let client = interrupters == nil ? TOMLShape<ClientName>.speaker : .choice(speakers.map { ($0.text, $0) })
    for (name, table) in try root.table("cues")?.tables() ?? [] {
      if let cue = try table.attempt({ () throws(FileError) in try self.cue(name, table, client) }) {
        kiosk.cues.append(cue)
        try readTimes(of: cue, table, into: &kiosk)
      }
    }
  }

  private static func cue(
    _ name: String, _ table: TOMLTable, _ client: TOMLShape<ClientName>
  ) throws(FileError) -> CueSettings {
    try table.allowOnly(["on", "at", "days", "dates", "client"])
    return try CueSettings(
      name: name,
      client: table.optional("client", client) ?? .cue,
      event: table.optional("on", .choice(cueEvents.map { ($0.rawValue, $0) })),
      line: table.line)
  }
}

extension TOMLShape where Value == TimeOfDay {
  /// Hour and minute with two digits each.
  package static var timeOfDay: Self {
    Self(type: "a time of day", expected: "\"00:00\"...\"23:59\"") { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      guard let time = TimeOfDay(text) else {
        let isShaped = text.utf8.count == 5 && text.utf8.dropFirst(2).first == UInt8(ascii: ":")
        let isNumber = isShaped && text.utf8.filter { (0x30..<0x3A).contains($0) }.count == 4
        return .bad("\(value.found) is \(isNumber ? "out of range" : "no time of day")", line: value.line)
      }
      return .good(time)
    }
  }
}

extension TOMLShape where Value == CalendarDay {
  /// A day that a calendar has.
  package static var calendarDay: Self {
    Self(expected: "a date such as \"2026-11-26\"") { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      return CalendarDay(text).map { .good($0) } ?? .bad("\(value.found) is no date", line: value.line)
    }
  }
}

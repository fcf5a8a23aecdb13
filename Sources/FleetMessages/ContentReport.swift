import JSON

/// What became of music, settings or software that somebody has brought (U1 to U4), as far as it was reported.
struct ContentReport: Hashable, Sendable {
  enum State: String, Hashable, Sendable { case idle, reading, installed, refused }

  /// How what installs software names it; all else is an exhibition.
  private static let software = "jackdaw "

  var state: State
  /// The exhibition that was installed last, as far as this board has ever published.
  var exhibition: String?
  /// What was installed, or why it was refused; of the last one that came.
  var name: String?
  var reason: String?

  /// With `offer`, the exhibition that is installed is the one which that names.
  func json(_ offer: Offer?) -> JSONValue {
    [
      "state": .string(state.rawValue), "exhibition": .optional(offer?.installed ?? exhibition),
      "latest": .optional(offer?.latest ?? exhibition), "name": .optional(name), "reason": .optional(reason),
    ]
  }

  init(_ state: State, after former: ContentReport?) {
    self.state = state
    (exhibition, name, reason) = (former?.exhibition, former?.name, former?.reason)
  }

  /// nil for what is not a report.
  init?(_ json: JSONValue) {
    guard let state = json["state"]?.string.flatMap(State.init) else { return nil }
    self.state = state
    (exhibition, name, reason) = (json["exhibition"]?.string, json["name"]?.string, json["reason"]?.string)
  }

  mutating func install(_ name: String) {
    (self.name, reason) = (name, nil)
    if !name.hasPrefix(Self.software) { exhibition = name }
  }
}

extension FleetAgent {
  mutating func note(contentEvent name: String, _ fields: JSONValue?) {
    switch name {
    case "content.reading": note(content: .reading)
    case "content.installed": note(content: .installed) { $0.install(fields?["name"]?.string ?? "") }
    case "content.refused": note(content: .refused) { ($0.name, $0.reason) = (nil, fields?["reason"]?.string) }
    default: break
    }
  }

  mutating func note(content state: ContentReport.State, _ change: (inout ContentReport) -> Void = { _ in }) {
    var report = ContentReport(state, after: content)
    change(&report)
    content = report
    tellContent()
  }

  /// What the board's broker has kept of an earlier run of this program.
  mutating func note(formerContent text: String) {
    guard content == nil, let json = try? JSONValue(parsing: text.utf8), let former = ContentReport(json) else {
      return
    }
    // A report from an earlier boot is stale.
    content = former.state == .reading ? ContentReport(.idle, after: former) : former
    retained[topics["content"]] = text
    tellContent()
  }

  mutating func tellContent() {
    guard content != nil || offers.exhibition != nil else { return }
    publish(topics["content"], (content ?? ContentReport(.idle, after: nil)).json(offers.exhibition).text)
  }
}

/// A line of a card's log.
public struct PacedEvent: Hashable {
  /// Nanoseconds of its clock.
  public var at: Int64
  public var name: String
  public var fields: [String: String]
  /// Frames that were heard until then.
  public var played: Int { number("played") }

  /// `SECONDS EVENT key=value…`
  public init?(_ line: Substring) {
    let words = line.split(separator: " ")
    let time = words.first?.split(separator: ".") ?? []
    guard words.count >= 2, time.count == 2, let seconds = Int64(time[0]), let rest = Int64(time[1]) else { return nil }
    at = seconds * 1_000_000_000 + rest
    name = String(words[1])
    fields = [:]
    for word in words.dropFirst(2) {
      guard let sign = word.firstIndex(of: "=") else { continue }
      fields[String(word[..<sign])] = String(word[word.index(after: sign)...])
    }
  }

  public func number(_ key: String) -> Int { Int(fields[key] ?? "") ?? -1 }
}

/// Frames that were heard one after the other without a pause.
public struct PacedStretch: Hashable {
  /// When the first of them was heard, nanoseconds.
  public var start: Int64
  /// Their numbers among all that were heard.
  public var frames: Range<Int>
  public var rate: Int
  /// When it was stopped, or ended by itself; `.max` while it plays. With standstills that is later than its frames say.
  public var stopped: Int64
  /// Whether it ran dry, or refused a rewind.
  public var isDry: Bool

  /// When the next frame would be heard.
  var end: Int64 { start + Int64(frames.count * 1_000_000_000 / rate) }
}

extension PacedCard {
  /// What was heard when, computed from the log alone, as for a card in another process.
  public var stretches: [PacedStretch] {
    var stretches: [PacedStretch] = []
    var start: PacedEvent?
    var rate = 1
    var latency = 0
    var delay: Int64 { Int64((latency * 1_000_000_000 + rate - 1) / rate) }
    func add(from begun: PacedEvent, to played: Int, by stopper: PacedEvent?) {
      let (stopped, isDry) = (stopper?.at ?? .max, stopper?.name == "underrun")
      guard played > begun.played else { return }
      let next = PacedStretch(
        start: begun.at + delay, frames: begun.played..<played, rate: rate, stopped: stopped, isDry: isDry)
      if let last = stretches.last, last.rate == rate, abs(next.start - last.end) < 1_000_000_000 / Int64(rate) {
        // Started again before anybody could hear it.
        stretches[stretches.count - 1].frames = last.frames.lowerBound..<played
        stretches[stretches.count - 1].stopped = stopped
        stretches[stretches.count - 1].isDry = isDry
      } else {
        stretches.append(next)
      }
    }
    func end(_ event: PacedEvent) {
      if let begun = start { add(from: begun, to: event.played, by: event) }
      start = nil
    }
    for event in events {
      switch event.name {
      case "configure": (rate, latency) = (event.number("rate"), event.number("latency"))
      case "start", "resume": start = event
      case "pause", "stop", "underrun", "close": end(event)
      case "fault": if ["suspend", "halt", "unplug"].contains(event.fields["kind"]) { end(event) }
      default: break
      }
    }
    if let begun = start { add(from: begun, to: Int(counts.played), by: nil) }
    return stretches
  }
}

import AudioSession
import Jukebox

/// What is typed at the reader, and what has to come of it (T5).
struct ReaderModel {
  /// A token that was ended in this instant.
  struct Token {
    var text: String
    var isOvertaken: Bool
  }

  let settings: Settings
  private var text = ""
  private var isOvertaken = false
  private var hasEndedItself = false
  /// How many tracks can be named by a number.
  var tracks = 0
  /// Tokens come as a whole.
  private let isGiven: Bool
  private var lastKey = Instant.powerOn
  /// What was read last, and when (T5.1).
  private var latest: (text: String, at: Instant)?
  /// What the log has not named yet.
  private(set) var due: Token?

  init(settings: Settings, isGiven: Bool = false) {
    self.settings = settings
    self.isGiven = isGiven
  }

  mutating func type(_ typed: String, isEnded: Bool, at now: Instant) {
    lastKey = now
    for character in typed.uppercased() {
      text.append(character)
      hasEndedItself = false
      guard !isGiven && endsItself else { continue }
      end(at: now)
      hasEndedItself = true
    }
    guard isEnded else { return }
    // After a token that has ended itself, an Enter does not count as a token (T5.3).
    if !hasEndedItself { end(at: now) }
    hasEndedItself = false
  }

  /// T5.3: nothing else begins so, neither a token nor a track's number.
  private var endsItself: Bool {
    guard settings.tokens[text] != nil else { return false }
    if settings.tokens.keys.contains(where: { $0 != text && $0.hasPrefix(text) }) { return false }
    return !(1...max(1, tracks)).contains { number in
      guard tracks > 0 else { return false }
      let digits = String(number)
      return (digits.count...7).contains { length in
        let typed = String(repeating: "0", count: length - digits.count) + digits
        return typed.count > text.count && typed.hasPrefix(text)
      }
    }
  }

  private mutating func end(at now: Instant) {
    defer { forget() }
    guard !text.isEmpty else { return due = nil }
    let isRepeated = latest.map { $0.text == text && now < $0.at + settings.readerRepeat } ?? false
    latest = (text, now)
    due = isRepeated ? nil : Token(text: text, isOvertaken: isOvertaken)
  }

  /// Whether what is typed may be a token that was read a moment ago: it does not count as use of the kiosk then (K8).
  func mayBeRepeated(_ typed: String, at now: Instant) -> Bool {
    let start = text + typed.uppercased()
    return latest.map { now < $0.at + settings.readerRepeat && $0.text.hasPrefix(start) } ?? false
  }

  /// Time asleep does not count.
  mutating func wake(slept: Duration) { latest = latest.map { ($0.text, $0.at + slept) } }

  /// In sleep, and without power.
  mutating func forget() {
    text = ""
    hasEndedItself = false
    isOvertaken = false
  }

  /// The private port is lost.
  mutating func overtake() { isOvertaken = !text.isEmpty }

  /// Checks a line of the log. Returns what the token chooses, if it is obeyed.
  /// - Parameter isRefused: it is closed (H1.3).
  mutating func check(_ event: Event, isRefused: Bool, at now: Instant) -> (mismatch: Mismatch?, choice: Choice?) {
    if event["reason"] == "not ended by Enter" {
      let isDue = !text.isEmpty && now >= lastKey + settings.typingTimeout && event["token"] == text
      forget()
      return (isDue ? nil : Mismatch("T5", "what is typed is forgotten too soon"), nil)
    }
    guard let token = due, event["token"] == token.text else {
      return (Mismatch("T5", "the log names a token that nobody typed"), nil)
    }
    due = nil
    let number = token.text.count <= 7 ? Int(token.text) : nil
    let choice = settings.tokens[token.text] ?? number.map { .track(.number($0)) }
    if (event.name == .tokenRead) != (choice != nil) {
      return (Mismatch("T5", "\(token.text) is logged as \(event.name.rawValue)"), nil)
    }
    let ignored = choice == nil ? nil : token.isOvertaken ? "unplugged" : isRefused ? "closed" : nil
    if event["ignored"] != ignored {
      return (Mismatch("P1", "\(token.text) is ignored: \(event["ignored"] ?? "no"), expected \(ignored ?? "no")"), nil)
    }
    return (nil, ignored == nil ? choice : nil)
  }

  /// Everything of this instant is over.
  mutating func settle() -> Mismatch? {
    defer { due = nil }
    return due.map { Mismatch("K5", "\($0.text) was typed, and the log says nothing") }
  }
}

import AudioSession

/// What has become of a card.
enum CardFact: Hashable, Sendable {
  /// `isAtBoot`: it was there when the power came.
  case laid(String, reader: String, isAtBoot: Bool)
  case lifted(String, reader: String)
}

/// The cards that lie on readers of kind `presence`, which say when one is lifted (L rows). It knows no music.
struct LaidCards: Hashable, Sendable {
  struct Reader: Hashable {
    let name: String
    /// How long a card may be gone that was not lifted.
    let lift: Duration
    var token: String?
    /// When it counts as lifted; nil: it lies there, or none does.
    var due: Instant?
  }

  /// A card that a reader reports first, this soon after power on, was there before.
  static let bootTime = Duration.seconds(10)

  private(set) var readers: [Reader]
  private(set) var bootEnd = Instant.powerOn
  private(set) var hasSpoken: Set<String> = []

  init(_ readers: [(name: String, lift: Duration)] = [], at now: Instant = .powerOn) {
    self.readers = readers.map { Reader(name: $0.name, lift: $0.lift) }
    bootEnd = now + Self.bootTime
  }

  var isEmpty: Bool { readers.isEmpty }

  /// A card lies on one of them, or is gone for a moment only.
  var isAnyThere: Bool { readers.contains { $0.token != nil } }

  func has(_ reader: String) -> Bool { readers.contains { $0.name == reader } }

  /// The only one; nil: there is none, or several.
  var only: String? { readers.count == 1 ? readers.first?.name : nil }

  var deadlines: [(index: Int, due: Instant)] {
    readers.enumerated().compactMap { index, reader in reader.due.map { (index, $0) } }
  }

  // MARK: - What happens

  /// A card lies there, whether or not that was said before.
  mutating func lay(_ token: String, on name: String, at now: Instant) -> [CardFact] {
    guard let index = readers.firstIndex(where: { $0.name == name }) else { return [] }
    let isAtBoot = hasSpoken.insert(name).inserted && now < bootEnd
    let former = readers[index].token
    (readers[index].token, readers[index].due) = (token, nil)
    if former == token { return [] }
    // Nobody lays one on another: the first one is gone.
    return (former.map { [.lifted($0, reader: name)] } ?? []) + [.laid(token, reader: name, isAtBoot: isAtBoot)]
  }

  /// No card lies there; one was seen at `last` for the last time.
  mutating func lift(on name: String, at last: Instant) {
    hasSpoken.insert(name)
    guard let index = readers.firstIndex(where: { $0.name == name }), readers[index].token != nil else { return }
    readers[index].due = readers[index].due ?? last + readers[index].lift
  }

  mutating func timerFired(_ index: Int) -> [CardFact] {
    guard readers.indices.contains(index), readers[index].due != nil, let token = readers[index].token else {
      return []
    }
    (readers[index].token, readers[index].due) = (nil, nil)
    return [.lifted(token, reader: readers[index].name)]
  }

  /// Time asleep does not count: a card that was gone then has its whole time again.
  mutating func wake(slept: Duration, at now: Instant) {
    bootEnd = bootEnd + slept
    for index in readers.indices where readers[index].due != nil { readers[index].due = now + readers[index].lift }
  }
}

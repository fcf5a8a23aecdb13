import AudioSession

/// The volumes that headsets make themselves, 0 to 127. They obey a tenth of a second after they are asked.
struct VirtualHeadsetVolumes {
  private static let answerTime = Duration.milliseconds(100)

  private(set) var levels: [Port: Int] = [:]
  private var answers: [(port: Port, level: Int, at: Instant)] = []

  /// When the next answer comes.
  var next: Instant? { answers.first?.at }

  /// nil: the headset takes no volume, as until this is set.
  subscript(port: Port) -> Int? {
    get { levels[port] }
    set { levels[port] = newValue }
  }

  mutating func ask(_ port: Port, for level: Int, at now: Instant) {
    answers.append((port, level, now + Self.answerTime))
  }

  /// Returns a port whose headset obeys now; nil if none does.
  mutating func obey(at now: Instant) -> Port? {
    guard let answer = answers.first, answer.at <= now else { return nil }
    answers.removeFirst()
    guard levels[answer.port] != nil else { return obey(at: now) }
    levels[answer.port] = answer.level
    return answer.port
  }

  /// The headset has gone, and obeys nobody.
  mutating func leave(_ port: Port) { answers.removeAll { $0.port == port } }

  /// The box has gone, and so have the answers to it.
  mutating func cutPower() { answers = [] }
}

import AudioSession

/// What has become of cues, in order.
enum CueFact {
  /// The engine is to fade out what it speaks.
  case silenced
  case started(cue: String, client: ClientName, at: Instant)
  /// - Parameter ending: nil: it was heard to its end.
  case ended(cue: String, CueEnding?)
  case failed(cue: String, CueFailure)
}

/// Cues: the one that is spoken, those that wait, and those that the time of day has asked for (D rows).
struct Cues: Hashable, Sendable {
  /// No cue speaks for longer, and nobody ducks for longer (D5).
  static let limit = Duration.seconds(60)

  private let cues: [Cue]
  private(set) var speech = Speech()
  private var daily: DailyCues

  /// - Parameters:
  ///   - cues: those of the settings, by whose index the engine and the clock name them.
  ///   - done: as it was saved.
  ///   - timetable: which of them have times of the day.
  init(_ cues: [Cue], done: [DoneCue] = [], timetable: [TimetableEntry] = []) {
    self.cues = cues
    daily = DailyCues(done, of: timetable)
  }

  var done: [DoneCue] { daily.done }

  var names: [String] { cues.map(\.name) }

  /// The names of those that are there.
  var namesThere: [String] { cues.filter { !$0.isMissing }.map(\.name) }

  /// The client that speaks; nil: none does.
  var speaker: ClientName? { speech.current?.client }

  /// The name of the cue that is spoken, or about to be.
  var current: String? { speech.current.map { cues[$0.cue].name } }

  /// Whether the cue of this name is heard.
  func isHeard(_ name: String) -> Bool {
    guard let current = speech.current, speech.phase == .heard else { return false }
    return FileName.index(meantBy: name, of: names) == current.cue
  }

  /// Whether a cue of this client is spoken, or waits.
  func need(_ client: ClientName) -> Bool { speaker == client || speech.waiting.contains { $0.client == client } }

  /// Whether a cue that this contact has asked for is spoken, or waits.
  func need(for contact: LineID) -> Bool {
    speech.current?.contact == contact || speech.waiting.contains { $0.contact == contact }
  }

  // MARK: - Asking

  /// - Parameter moment: the time that asks for it; nil: somebody or something else does.
  private func request(_ index: Int, at moment: TimetableMoment? = nil) -> Speech.Request {
    Speech.Request(cue: index, client: cues[index].client, moment: moment)
  }

  func request(meantBy name: String, at moment: TimetableMoment? = nil) -> Speech.Request? {
    FileName.index(meantBy: name, of: names).map { request($0, at: moment) }
  }

  func requests(triggeredBy event: EventName) -> [Speech.Request] {
    cues.indices.filter { cues[$0].event == event }.map { request($0) }
  }

  func isMissing(_ request: Speech.Request) -> Bool { cues[request.cue].isMissing }

  /// This time has asked for it before, and it needs nothing more (N6).
  func isDone(_ request: Speech.Request) -> Bool {
    request.moment.map { daily.isDone(cues[request.cue].name, at: $0) } ?? false
  }

  mutating func begin(_ request: Speech.Request, at now: Instant) { speech.begin(request, until: now + Self.limit) }

  /// Returns what has failed, where too many wait.
  mutating func wait(_ request: Speech.Request) -> CueFact? {
    if speech.isFull { return fail(request, .tooManyWaiting) }
    speech.wait(request)
    return nil
  }

  /// The one that has waited longest, unless one is spoken.
  mutating func takeNext() -> Speech.Request? { speech.takeNext() }

  mutating func fail(_ request: Speech.Request, _ failure: CueFailure) -> CueFact {
    if failure != .dropped(.shutdown) { noteDone(request) }
    return .failed(cue: cues[request.cue].name, failure)
  }

  /// The time that asked for it asks no more on that date.
  private mutating func noteDone(_ request: Speech.Request?) {
    if let request, let moment = request.moment { daily.note(cues[request.cue].name, at: moment) }
  }

  // MARK: - What the engine reports

  mutating func started(_ id: UInt8, at instant: Instant) -> CueFact? {
    guard let request = speech.current, id == speech.id, speech.phase == .told else { return nil }
    speech.started()
    return .started(cue: cues[request.cue].name, client: request.client, at: instant)
  }

  mutating func ended(_ id: UInt8) -> CueFact? {
    guard let request = takeCurrent(id) else { return nil }
    return .ended(cue: cues[request.cue].name, nil)
  }

  mutating func failed(_ id: UInt8, reason: String) -> CueFact? {
    guard let request = takeCurrent(id) else { return nil }
    return .failed(cue: cues[request.cue].name, .unplayable(reason))
  }

  private mutating func takeCurrent(_ id: UInt8) -> Speech.Request? {
    guard let request = speech.current, id == speech.id, speech.phase != .due else { return nil }
    noteDone(request)
    speech.end()
    return request
  }

  /// The engine was restarted: a cue that was heard in part is over, one that was not is spoken from its start.
  mutating func restart() -> [CueFact] {
    switch speech.phase {
    case .due: return []
    case .told:
      if speech.current != nil { speech.renew() }
      return []
    case .heard: return silence(.routeChanged)
    }
  }

  // MARK: - Ending

  /// Stops the current cue at once, and drops those of its client that wait.
  mutating func cancel(_ ending: CueEnding) -> [CueFact] {
    guard let request = speech.current else { return [] }
    let facts: [CueFact] = isCommanded ? [.silenced] : []
    if ending != .shutdown { noteDone(request) }
    speech.end()
    return facts + [.ended(cue: cues[request.cue].name, ending)] + dropWaiting(of: request.client, ending)
  }

  /// Drops the cues that wait: those of a client, or all.
  private mutating func dropWaiting(of client: ClientName? = nil, _ ending: CueEnding) -> [CueFact] {
    speech.drop(of: client).map { fail($0, .dropped(ending)) }
  }

  /// Ends all cues, because their port or output is gone: nothing of them may come out of another one (D7).
  mutating func silence(_ ending: CueEnding) -> [CueFact] { cancel(ending) + dropWaiting(ending) }

  /// The operator wants silence. A page is not theirs to stop.
  mutating func stop(_ ending: CueEnding = .stopped) -> [CueFact] {
    let client = ClientName.cue
    return (speaker == client ? cancel(ending) : []) + dropWaiting(of: client, ending)
  }

  /// Ends what a contact has asked for. The same cue for somebody else goes on.
  mutating func withdraw(for contact: LineID, _ ending: CueEnding) -> [CueFact] {
    let dropped = speech.drop(for: contact).map { fail($0, .dropped(ending)) }
    guard let current = speech.current, current.contact == contact else { return dropped }
    let facts: [CueFact] = isCommanded ? [.silenced] : []
    speech.end()
    return dropped + facts + [.ended(cue: cues[current.cue].name, ending)]
  }

  // MARK: - What the engine is told

  /// Whether the last command to the engine was to let a cue be heard.
  var isCommanded: Bool { speech.current != nil && speech.phase != .due && !speech.isPaused }

  /// Returns whether the engine needs a command.
  mutating func pause() -> Bool {
    guard isCommanded else { return false }
    speech.pause()
    return true
  }

  /// A cue may be heard at this port. Returns the command that the engine still needs.
  mutating func goOn(at port: Port?) -> AudioCommand? {
    guard let request = speech.current else { return nil }
    defer { speech.move(to: port) }
    if speech.phase == .due {
      speech.command()
      return .speak(id: speech.id, cue: request.cue)
    }
    guard speech.isPaused else { return nil }
    speech.resume()
    return .resumeCue
  }
}

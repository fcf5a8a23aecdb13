/// The requests that the storage has, as the music sees them: the one that plays, and those that wait for their turn
/// (J1).
///
/// While a request plays, the queue has nothing but its track. What the queue was before is the background.
struct Requests: Hashable, Sendable {
  /// The one that plays first, where one does.
  private(set) var list: [Request] = []
  /// nil: no request plays.
  var background: PlaceBehind?
  /// The request whose beginning the log has.
  private(set) var announced: Int?
  /// Frames of the current one that were heard before a power cut, or before it was begun again.
  private(set) var heardBefore = 0
  /// The numbers of the requests whose file broke off in the middle.
  private var broken: Set<Int> = []
  /// The number of the one that would have begun had it not closed then; nil: none would.
  private var delayed: Int?

  /// Where a request goes on once its folder of music is there again.
  private var placeOfWaiting: RequestPlace?

  var isPlaying: Bool { background != nil }
  var isEmpty: Bool { list.isEmpty }
  /// The one that plays, or would if nothing held it; nil: none does.
  var playing: Request? { isPlaying ? list.first : nil }
  /// The requests whose turn has not come.
  var waiting: [Request] { Array(list.dropFirst(isPlaying ? 1 : 0)) }

  mutating func append(_ request: Request) { list.append(request) }

  /// It closes: the first one begins when that is over.
  mutating func delay() { if !isPlaying { delayed = list.first?.number } }

  /// Somebody has decided otherwise.
  mutating func forgetDelay() { delayed = nil }

  /// Returns whether one was delayed and still waits.
  mutating func takeDelayed() -> Bool {
    defer { delayed = nil }
    return delayed != nil && delayed == list.first?.number && !isPlaying
  }

  /// Power on brings them back.
  mutating func restore(_ list: [Request]) { self.list = list }

  /// The power was cut, or its folder went, when this much of the first one had been heard.
  mutating func resume(at frame: Int) {
    heardBefore = frame
    if frame > 0 { announced = list.first?.number }
  }

  /// The folder of the first one is missing: it waits, and goes on at this frame.
  mutating func wait(at place: RequestPlace) { placeOfWaiting = place }

  /// The first one waits at a place.
  var hasPlace: Bool { placeOfWaiting != nil && placeOfWaiting?.number == list.first?.number }

  /// The place of the one that plays, or would if its folder were there.
  func place(at frame: Int) -> RequestPlace? {
    playing.map { RequestPlace(number: $0.number, frame: frame) } ?? placeOfWaiting
  }

  /// The first one plays from now on. Returns the frame at which it begins.
  mutating func goOnAtPlace() -> Int {
    defer { placeOfWaiting = nil }
    guard hasPlace, let frame = placeOfWaiting?.frame else { return 0 }
    resume(at: frame)
    return frame
  }

  /// Takes one out. Returns what has become of it, if its file broke off and it would count as heard otherwise.
  mutating func remove(at index: Int, _ ending: RequestEnding) -> (request: Request, ending: RequestEnding) {
    let request = list.remove(at: index)
    if index == 0 { heardBefore = 0 }
    if placeOfWaiting?.number == request.number { placeOfWaiting = nil }
    let isBroken = broken.remove(request.number) != nil
    return (request, isBroken && ending == .heard ? .failed : ending)
  }

  /// The one that plays begins again after this much of it was heard.
  mutating func noteHeard(_ frames: Int) { if isPlaying { heardBefore += frames } }

  mutating func noteBreak(at index: Int) {
    if list.indices.contains(index) { broken.insert(list[index].number) }
  }

  /// The first one is heard. Returns it where the log has not said so yet.
  mutating func announce() -> Request? {
    guard let playing, announced != playing.number else { return nil }
    announced = playing.number
    return playing
  }
}

/// How a request came to its end.
enum RequestEnding: Hashable, Sendable {
  /// It was heard, or as much of it as somebody wanted to hear.
  case heard
  /// A visitor's Stop.
  case stopped
  /// The timetable's.
  case timetable
  /// Staff went on to the next one.
  case skipped(early: Bool)
  /// It could not be played, or not to its end (P11).
  case failed
  /// The music no longer has its track (X1, X4).
  case gone
  /// Staff has cleared what waits.
  case cleared
  /// The kiosk was put back for the next visitor.
  case reset(ResetCause)

  /// Why its credit comes back; nil: it does not.
  var refund: String? {
    switch self {
    case .heard, .stopped, .skipped(early: false): nil
    case .skipped(early: true): "skipped"
    case .timetable: "timetable"
    case .failed: "failed"
    case .gone: "gone"
    case .cleared: "cleared"
    case .reset(let cause): cause.rawValue
    }
  }
}

extension StopCause {
  /// What becomes of the request that plays.
  var endingOfRequest: RequestEnding {
    switch self {
    case .user, .queueEnded, .trackEnded, .contact, .attract: .stopped
    case .timetable: .timetable
    case .reset(let cause): .reset(cause)
    }
  }
}

import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// One thing that happens to a jukebox.
enum RequestStep: Hashable {
  /// The track with this number in the music.
  case choose(Int, RequestChooser)
  case give(Int)
  case coin(pulses: Int)
  case type(String)
  case press(Button)
  /// A line changes.
  case toggle(String)
  case wait(milliseconds: Int)
  /// The music has these files now.
  case music([Int])
  /// This file can no longer be opened, or can again.
  case spoil(Int)
  case breaksOff
  /// The storage refuses the ledger, or takes it again.
  case refuses
  /// The storage does not answer about the ledger, or has answered everything.
  case isSlow
  /// The power is cut. `isWritten`: what the storage has not answered yet is on it.
  case cut(isWritten: Bool)
}

enum RequestChooser: Hashable, CaseIterable { case console, keypad, button }

/// A jukebox and random steps, which a seed decides together with the settings.
struct RequestWalk {
  static let files = ["1.mp3", "2.mp3", "3.mp3", "4.mp3", "5.mp3", "6.mp3"]
  private static let lengths = [3, 8, 13, 31, 60, 45]
  /// Sound is looked at this often.
  static let look = Duration.milliseconds(250)

  private let change: (inout Settings) -> Void
  private(set) var settings = Settings()
  private(set) var kiosk: Kiosk
  var books: RequestBooks
  private(set) var violations: [String] = []
  private(set) var asserted: Set<String> = []
  private(set) var music: [Int] = Array(0..<Self.files.count)
  /// The name of every track that was there since power on.
  private(set) var names: [TrackID: String] = [:]
  private(set) var spoiled: Set<Int> = []
  /// The last ledger that the storage has, and the last one that the firmware has asked it for.
  private(set) var stored = Ledger()
  private(set) var asked = Ledger()
  /// How many ledgers the storage has answered, and looked at here.
  private(set) var answered = 0
  /// How many it has answered, or has left without an answer for too long (J4.2).
  /// Whether what comes in the very instant in which it is given up is among them, nobody knows: without it, and with it.
  private(set) var told = (0, 0)
  private var compared = 0
  var isRefusing = false
  private(set) var saved: SavedState?
  /// The events that were looked at.
  var judged = 0
  /// How long requests have waited behind nothing but background music.
  var waited = Duration.zero
  /// Coins that the log has, since power on and before; and those of them that no power cut may take.
  var coins = (logged: 0, kept: 0)
  /// Where a request has cut the background, as long as nobody has gone elsewhere in it.
  var background: (file: String, frame: Int)?

  init(seed: UInt64) {
    var generator = SplitMix64(state: seed)
    let settings = Self.settings(&generator)
    change = { $0 = settings }
    self.settings = settings
    books = RequestBooks(settings.requests ?? RequestSettings())
    kiosk = Self.kiosk(change, .nothing, .nothing, [])
    prepare()
  }

  private static func kiosk(
    _ change: @escaping (inout Settings) -> Void, _ saved: PowerOn.Saved, _ ledger: SavedLedger, _ plugged: Set<String>,
    names: [String] = Self.files
  ) -> Kiosk {
    Kiosk(
      plugged: plugged, saved: saved, buttons: (1...3).map { .track(.number($0)) },
      selectors: [Line(name: "COIN", role: .coin(CoinLine()), debounce: .zero)], names: names, ledger: ledger, change
    )
  }

  private static func settings(_ generator: inout SplitMix64) -> Settings {
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    var settings = Settings()
    var requests = RequestSettings()
    requests.after = one(RequestSettings.After.allCases)
    requests.twice = one(RequestSettings.Twice.allCases)
    requests.limit = one([50, 50, 4, 2, 1])
    if one([true, true, true, false]) {
      var credits = CreditSettings()
      credits.coins = one([[1: 1], [1: 1, 2: 2, 5: 6], [2: 1], [1: 3, 5: 20]])
      credits.isFree = one([false, false, false, true])
      requests.credits = credits
    }
    settings.requests = requests
    settings.repeats = one(Settings.Repeat.allCases)
    settings.shuffle = one([false, false, true])
    settings.again = one(Settings.Again.allCases)
    settings.afterTrack = one(Settings.AfterTrack.allCases)
    settings.onConnect = one(Settings.OnConnect.allCases)
    settings.playOnBoot = one([false, true])
    settings.promptTimeout = one([.seconds(300), .seconds(5), .zero])
    settings.resumeWindow = one([.seconds(300), .seconds(5), .zero])
    settings.idleReset = one([.seconds(600), .seconds(20), .zero])
    settings.visitGap = one([.seconds(10), .seconds(1), .zero])
    settings.readerRepeat = one([.seconds(3), .zero])
    settings.interruptionLimit = one([.seconds(600), .seconds(10), .zero])
    return settings
  }

  private mutating func prepare() {
    for (file, length) in zip(Self.files, Self.lengths) {
      guard let id = kiosk.jukebox.library.id(named: file) else { continue }
      kiosk.times[id] = .seconds(length)
      names[id] = file
    }
    kiosk.bad = [:]
    for file in spoiled {
      if let id = kiosk.jukebox.library.id(named: Self.files[file]) { kiosk.bad[id] = "bad" }
    }
    kiosk.ledgerFault = isRefusing ? "full" : nil
  }

  static func length(of file: String) -> Duration {
    files.firstIndex(of: file).map { .seconds(lengths[$0]) } ?? .zero
  }

  // MARK: - Steps

  mutating func take(_ step: RequestStep) {
    if case .wait(let milliseconds) = step { return wait(.milliseconds(milliseconds)) }
    // So soon after power on there is no coin (J3).
    if case .coin = step, kiosk.now < .powerOn + .seconds(3) { wait(.seconds(3)) }
    var before = Sight(self)
    act(step)
    if case .cut = step { before = Sight(self) }
    takeLedgers()
    judge(step, before)
  }

  mutating func wait(_ time: Duration) {
    let end = kiosk.now + time
    while kiosk.now < end && violations.isEmpty {
      let before = Sight(self)
      kiosk.wait(min(Self.look, end - kiosk.now))
      takeLedgers()
      judge(.wait(milliseconds: 0), before)
    }
  }

  private mutating func act(_ step: RequestStep) {
    switch step {
    case .choose(let number, .console): kiosk.type("track \(number)")
    case .choose(let number, .keypad): kiosk.read("\(number)")
    case .choose(let number, .button): kiosk.press(.track(.number(number)))
    case .give(let credits): kiosk.type("credits +\(credits)")
    case .coin(let pulses):
      kiosk.drop(pulses, at: "COIN")
      kiosk.wait(.milliseconds(200))
    case .type(let command): kiosk.type(command)
    case .press(let button): kiosk.press(button)
    case .toggle(let name):
      asserted.formSymmetricDifference([name])
      kiosk.edge(name, asserted.contains(name), then: .milliseconds(30))
    case .wait: break
    case .music(let files):
      music = files
      kiosk.list(files.map { Self.files[$0] })
      prepare()
    case .spoil(let file):
      spoiled.formSymmetricDifference([file])
      prepare()
    case .breaksOff:
      // If two requests are for one file, the report does not say which it is about.
      if books.open.filter({ $0.file == soundingFile }).count > 1 { return }
      kiosk.engine.breaksOff(at: kiosk.now)
      kiosk.wait(.zero)
      if !kiosk.engine.reports.isEmpty { kiosk.feed(.audio(kiosk.engine.reports.removeFirst())) }
    case .refuses:
      isRefusing.toggle()
      prepare()
    case .isSlow: if kiosk.holdsLedger { answer() } else { kiosk.holdsLedger = true }
    case .cut(let isWritten): cut(isWritten)
    }
  }

  /// Answers everything that the storage was asked for.
  private mutating func answer() {
    takeLedgers()
    while answered < kiosk.ledgers.count {
      let number = answered + 1
      answered = number
      if !isRefusing { stored = kiosk.ledgers[number - 1] }
      kiosk.feed(.ledger(isRefusing ? .failed(number, reason: "full") : .kept(number)))
    }
    kiosk.holdsLedger = false
  }

  private mutating func takeLedgers() {
    for ledger in kiosk.ledgers.dropFirst(compared) {
      compared += 1
      asked = ledger
      if !(0...Ledger.mostCredits).contains(ledger.credits) { demand(false, "\(ledger.credits) credits") }
    }
    defer { giveUp() }
    guard !kiosk.holdsLedger else { return }
    if answered < kiosk.ledgers.count, !isRefusing { stored = asked }
    answered = kiosk.ledgers.count
  }

  /// What was not answered for 5 s is still reported, with all that was asked for before that instant.
  private mutating func giveUp() {
    told = (told(told.0) { $0 < $1 }, told(told.1) { $0 <= $1 })
  }

  /// How many are told by now, of which so many were before.
  private func told(_ before: Int, _ isBefore: (Instant, Instant) -> Bool) -> Int {
    var told = max(before, answered)
    while told < kiosk.ledgerTimes.count, kiosk.ledgerTimes[told] + .seconds(5) <= kiosk.now {
      let end = kiosk.ledgerTimes[told] + .seconds(5)
      told = kiosk.ledgerTimes.count { isBefore($0, end) }
    }
    return told
  }

  private mutating func cut(_ isWritten: Bool) {
    if isWritten && !isRefusing { stored = asked }
    saved = kiosk.saves.last ?? saved
    books.cut(to: stored)
    asked = stored
    (answered, compared, judged, waited) = (0, 0, 0, .zero)
    told = (0, 0)
    demand(coins.kept <= stored.totals.coins, "J4 \(coins.kept) coins were logged, and the storage has \(stored)")
    coins = (stored.totals.coins, stored.totals.coins)
    background = nil
    names = [:]
    kiosk = Self.kiosk(
      change, saved.map { .state($0) } ?? .nothing, stored == Ledger() ? .nothing : .ledger(stored), asserted,
      names: music.map { Self.files[$0] })
    prepare()
  }

  mutating func demand(_ holds: Bool, _ rule: String) {
    if !holds { violations.append(rule) }
  }

  // MARK: - Recovering

  /// Everything works again, and music is wanted: all that waits is heard, or its credit comes back.
  mutating func recover() {
    if isRefusing { take(.refuses) }
    if kiosk.holdsLedger { take(.isSlow) }
    for file in spoiled { take(.spoil(file)) }
    take(.music(Array(Self.files.indices)))
    for name in ["PAGE", "JACK", "DOCK"] where asserted.contains(name) { take(.toggle(name)) }
    for _ in 0..<(books.open.count + 2) where !books.open.isEmpty {
      if kiosk.sounding == nil { take(.type("play")) }
      take(.wait(milliseconds: 62_000))
    }
    demand(books.open.isEmpty, "requests wait for ever: \(books.open.map(\.file))")
  }
}

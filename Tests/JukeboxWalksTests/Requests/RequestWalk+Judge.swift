import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

extension RequestWalk {
  /// What was so before a step.
  struct Sight {
    let now: Instant
    let ledger: Ledger
    let sounding: String?
    /// Nothing sounds, and no music is wanted: idle time counts (J5.1, K8).
    let isIdle: Bool
    let frame: Int
    let playing: Int?
    let music: [String]

    init(_ walk: RequestWalk) {
      now = walk.kiosk.now
      ledger = walk.asked
      sounding = walk.soundingFile
      isIdle = walk.kiosk.sounding == nil && walk.kiosk.jukebox.player.transport.intent != .playing
      frame = walk.kiosk.heard?.frame ?? 0
      playing = walk.books.playing?.number
      music = walk.music.map { RequestWalk.files[$0] }
    }
  }

  /// The file that is heard now.
  var soundingFile: String? {
    guard kiosk.sounding != nil, let heard = kiosk.heard else { return nil }
    return names[heard.track]
  }

  mutating func judge(_ step: RequestStep, _ before: Sight) {
    let events = Array(kiosk.events.dropFirst(judged))
    judged = kiosk.events.count
    pay(step, events)
    measure(before)
    noteBreaks(events)
    if [.type("previous"), .press(.previous)].contains(step), let playing = before.playing {
      books.change(playing) { $0.isRestarted = true }
    }
    accept(step, before, events)
    end(step, before, events)
    judgeEvents(events)
    compare(step)
    judgeSound(step, before, events)
    books.endStep()
  }

  private mutating func compare(_ step: RequestStep) {
    if let difference = books.difference(from: asked) { demand(false, "J4 \(difference)") }
  }

  private mutating func pay(_ step: RequestStep, _ events: [Event]) {
    if case .give(let count) = step { books.give(count) }
    guard case .coin(let pulses) = step else { return }
    if !events.contains(where: { $0.name == .coinRefused }) { books.coin(pulses) }
  }

  private mutating func measure(_ before: Sight) {
    guard let playing = before.playing, let entry = books.playing, entry.number == playing,
      before.sounding == entry.file
    else { return }
    books.change(playing) { $0.heard += kiosk.now - before.now }
  }

  /// A track that breaks off is heard as far as it goes.
  private mutating func noteBreaks(_ events: [Event]) {
    for event in events where event.name == .trackFailed && event["frame"] != nil {
      if let playing = books.playing, playing.file == event["file"] {
        books.change(playing.number) { $0.isBroken = true }
      }
    }
  }

  // MARK: - What is taken

  private mutating func accept(_ step: RequestStep, _ before: Sight, _ events: [Event]) {
    let numbers = before.ledger.nextNumber..<max(before.ledger.nextNumber, asked.nextNumber)
    let refusals = events.filter { $0.name == .requestRefused }
    guard case .choose(let number, let chooser) = step else {
      demand(numbers.isEmpty && refusals.isEmpty, "J1 a request that nobody has made")
      return
    }
    guard before.music.indices.contains(number - 1) else {
      demand(numbers.isEmpty && refusals.isEmpty, "J1 a request for a track that is not there")
      return
    }
    let file = before.music[number - 1]
    let refusal = books.refusal(of: file)
    if let new = numbers.first {
      demand(numbers.count == 1, "J1 one choice, \(numbers.count) requests")
      demand(refusal == nil, "J2 \(file) is taken, and was to be refused: \(refusal ?? "")")
      let write = kiosk.ledgers.firstIndex { ledger in ledger.requests.contains { $0.number == new } }
      books.accept(file, number: new, write: write.map { $0 + 1 } ?? kiosk.ledgers.count)
    } else if let refused = refusals.first {
      demand(refused["reason"] == refusal, "J2 refused for \(refused["reason"] ?? ""), and not \(refusal ?? "at all")")
      demand(refused["file"] == file, "J2 \(refused["file"] ?? "") is refused, and \(file) was chosen")
    } else {
      // The log marks an ignored button, and has no `token.read` for a token that is read twice (T7).
      let isIgnored =
        switch chooser {
        case .console: false
        case .keypad: !events.contains { $0.name == .tokenRead }
        case .button: events.contains { $0["ignored"] != nil }
        }
      demand(isIgnored, "J1 \(file) is neither taken nor refused")
    }
  }

  // MARK: - What is over

  /// What becomes of the credit of a request that is over.
  private enum Fate {
    case returned
    case spent
    /// Measured by looking now and then, it is too close to tell.
    case either
    /// Nothing has ended it.
    case unknown
  }

  private mutating func end(_ step: RequestStep, _ before: Sight, _ events: [Event]) {
    let left = Set(asked.requests.map(\.number))
    let over = books.open.filter { !left.contains($0.number) }.map { ($0, fate(of: $0, step, before, events)) }
    let certain = over.count { $0.0.isPaid && $0.1 == .returned }
    var returned = asked.totals.returned - before.ledger.totals.returned - certain
    for (entry, fate) in over {
      if fate == .spent, isHeardOut(entry, events), entry.heard < Self.length(of: entry.file) - .seconds(1) {
        demand(false, "J4 \(entry.file) has ended, and was heard for \(entry.heard) only")
      }
      if fate == .unknown {
        demand(false, "J4 \(entry.file) is over, heard for \(entry.heard), and nothing has ended it")
      }
      // If either may be, the ledger decides.
      let isReturned = fate == .returned || fate != .spent && returned > 0
      if entry.isPaid && isReturned && fate != .returned { returned -= 1 }
      books.end(entry.number, isReturned: isReturned)
    }
  }

  private func fate(of entry: RequestBooks.Entry, _ step: RequestStep, _ before: Sight, _ events: [Event]) -> Fate {
    func isLogged(_ name: EventName) -> Bool { events.contains { $0.name == name && $0["file"] == entry.file } }
    let isFirst = entry.number == before.ledger.requests.first?.number
    let isEnded = isFirst && isEnding(step)
    if entry.isBroken { return isEnded ? .either : .returned }
    if isLogged(.trackEnded) && entry.hasBegun { return .spent }
    // If several requests are for one file, the log does not say which it is about.
    if isLogged(.trackEnded) && isLogged(.requestStarted) { return isLogged(.trackFailed) ? .either : .spent }
    let isGone = !music.contains { Self.files[$0] == entry.file }
    if isGone || isLogged(.trackFailed) { return isEnded ? .either : .returned }
    switch step {
    case .type("requests clear"): return entry.number == before.playing ? .unknown : .returned
    case .type("next"), .press(.next):
      if !isFirst { return .unknown }
      if entry.heard < .seconds(9) { return .returned }
      // It may know less well how much was heard before a power cut.
      return entry.heard > .seconds(11) && !entry.hadBegun && !entry.isRestarted ? .spent : .either
    case .type("stop"), .press(.stop): return isFirst ? .spent : .unknown
    case .wait, .toggle, .press, .choose, .coin:
      // The kiosk is put back for the next visitor.
      let isReset = events.contains {
        $0.name == .visitEnded && $0["reason"] != "idle" || $0["cause"] == "prompt-expired"
          || before.isIdle && [$0["cause"], $0["reason"]].contains("idle")
      }
      return isReset ? .returned : .unknown
    case .give, .type, .music, .spoil, .breaksOff, .refuses, .isSlow, .cut: return .unknown
    }
  }

  /// Whether it has come to its end, of which all must have been heard here.
  private func isHeardOut(_ entry: RequestBooks.Entry, _ events: [Event]) -> Bool {
    !entry.hadBegun && events.contains { $0.name == .trackEnded && $0["file"] == entry.file }
  }

  private func isEnding(_ step: RequestStep) -> Bool {
    [.type("next"), .press(.next), .type("stop"), .press(.stop)].contains(step)
  }

  // MARK: - The log

  private mutating func judgeEvents(_ events: [Event]) {
    for event in events {
      switch event.name {
      case .requestStarted: judgeStart(event)
      case .requestQueued:
        let entry = books.entries.last { $0.file == event["file"] && !$0.hasBegun }
        demand(entry.map(isTold) ?? false, "J4 \(event["file"] ?? "") is queued before the storage has it")
      case .creditReturned: judgeReturn(event)
      case .coinTaken:
        coins.logged += 1
        if event["kept"] == nil { coins.kept = coins.logged }
      default: break
      }
    }
    let isAll = kiosk.holdsLedger ? coins.logged <= books.totals.coins : coins.logged == books.totals.coins
    demand(isAll, "J4 the log has \(coins.logged) coins of \(books.totals.coins)")
    demand(coins.kept <= stored.totals.coins, "J4 a coin is logged before the storage has it")
  }

  /// Whether the storage has it, has refused it, or was waited for long enough.
  private func isTold(_ entry: RequestBooks.Entry) -> Bool { entry.write <= max(told.0, told.1) }

  private mutating func judgeStart(_ event: Event) {
    let file = event["file"] ?? ""
    // One that is over by now may have begun in the same step.
    guard let entry = books.entries.first(where: { $0.file == file && !$0.hasBegun && (!$0.isOver || $0.isJustOver) })
    else {
      return demand(false, "J1 \(file) begins, and nobody has asked for it")
    }
    demand(isTold(entry), "J4 \(file) begins before the storage has it")
    let passed = books.entries.filter { $0.number < entry.number && !$0.isOver }
    demand(passed.isEmpty, "J1 \(file) begins before \(passed.map(\.file))")
    demand(
      !books.entries.contains { $0.number > entry.number && $0.hasBegun },
      "J1 \(file) begins behind one that came later")
    books.change(entry.number) { $0.hasBegun = true }
  }

  private mutating func judgeReturn(_ event: Event) {
    let owed = books.entries.first { $0.isOwedReason && $0.file == event["file"] }
    guard let owed else { return demand(false, "J4 a credit for \(event["file"] ?? "") comes back that was not owed") }
    demand(event["reason"] != nil, "J4 a credit comes back without a reason")
    books.change(owed.number) { $0.isOwedReason = false }
  }
}

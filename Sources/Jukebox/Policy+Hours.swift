import AudioSession

/// What closing and opening mean for the others (H rows).
extension Jukebox {
  mutating func follow(_ facts: [HoursFact], _ turn: inout Turn) { for fact in facts { follow(fact, &turn) } }

  private mutating func follow(_ fact: HoursFact, _ turn: inout Turn) {
    switch fact {
    case .unknown: turn.log(.hoursUnknown, .notice)
    case .closed(let source):
      logHours(.hoursClosed, source, &turn)
      beginClosing(&turn)
    case .opened(let source, let isMissed):
      if isMissed { return makeUpForOpening(source, &turn) }
      logHours(.hoursOpened, source, &turn)
      open(by: source, &turn)
    }
  }

  private func logHours(_ name: EventName, _ source: HoursSource, _ turn: inout Turn) {
    turn.log(name, .info, ["by": source.rawValue, "until": hours.status?.until?.text])
  }

  // MARK: - Power on

  /// Before what was saved comes back: a boot while it is closed is silent from the first frame (H2).
  mutating func beginHours(_ state: PowerOn, _ turn: inout Turn) {
    hours = Hours(configuration.hours)
    let silence = configuration.lines.indices.first {
      configuration.lines[$0].closes && state.asserted.contains(LineID($0))
    }
    if let silence, case .silence(let backAfter) = configuration.lines[silence].role {
      _ = hours.silence(true, until: backAfter > .zero ? turn.now + backAfter : nil)
    }
    let facts = hours.powerOn(state.hours, state.saved.state?.hours)
    for fact in facts {
      guard case .closed(let source) = fact else { continue }
      player.transport.isClosed = true
      knobs.close(.closed)
      hours.close(keptAt: nil)
      logHours(.hoursClosed, source, &turn)
    }
    if facts.contains(.unknown) { follow(.unknown, &turn) }
    hours.noteMissedOpening(facts.contains { if case .opened = $0 { true } else { false } })
  }

  /// Whether music that was wanted when the power was cut is wanted now, if its port is there.
  var goesOnAtBoot: Bool {
    let isKept = (hours.refuses || hours.isOpeningMissed) && mayKeepRequests
    if isKept, configuration.hours?.opening == .resume, !routes.isPrivate { return true }
    return configuration.settings.playOnBoot && !hours.refuses
  }

  /// The saved state is back.
  /// - Parameter wasPlaying: music was wanted when the power was cut, and its port is there.
  mutating func endHoursAtBoot(_ saved: HoursMemory?, wasPlaying: Bool, _ turn: inout Turn) {
    if saved != hours.memory { saving.changeAtOnce(at: turn.now) }
    if hours.isOpeningMissed && !mayKeepRequests { endVisit(because: .closed, &turn) }
    if hours.refuses {
      if mayKeepIntent && !routes.isPrivate && mayKeepRequests {
        hours.close(keptAt: routes.route.port)
      } else {
        endVisit(because: .closed, &turn)
      }
    } else if hours.isOpeningMissed {
      follow(.opened(by: .clock, isMissed: true), &turn)
    } else if wasPlaying, configuration.hours?.opening == .resume {
      hours.awaitTime()
    }
    hours.noteMissedOpening(false)
  }

  // MARK: - Closing

  /// Nothing new begins from now on; what sounds comes to its end.
  private mutating func beginClosing(_ turn: inout Turn) {
    guard let settings = configuration.hours else { return }
    closePopular(&turn)
    contacts.forgetDelays()
    if hours.mayGoOn, player.transport.intent == .paused, !visit.isUnderWay {
      // Kept since before a power cut: only now is it known that the clock, or staff before the cut, has closed it.
      let port = routes.isPrivate || !mayKeepRequests ? nil : routes.route.port
      if port != nil { player.transport.intent = .playing }
      return shut(keeping: port, &turn)
    }
    switch settings.closing {
    case .now:
      hours.end(until: turn.now + settings.fade)
      guard player.engine.isSounding, settings.fade > .zero else { return }
      hours.fade(true)
    case .track:
      hours.end(until: nil)
      withPlayer(&turn) { $0.endWithTrack(&$1) }
    }
  }

  /// After every input: closes when what sounded has come to its end, and lets the music have its level again once nobody
  /// can hear that.
  mutating func settleHours(_ turn: inout Turn) {
    if case .ending(let due) = hours.phase {
      // It sounds again, after a cue that was heard out, or elsewhere: that is the last track then.
      if due == nil, player.wantsSound, !player.queue.endsHere { withPlayer(&turn) { $0.endWithTrack(&$1) } }
      let isOver = due.map { $0 <= turn.now } ?? false
      let isHeard = mayBeHeard || cues.speaker == .cue
      if isOver || !isHeard { shut(keeping: keptPort, &turn) }
    }
    // Its switch is released, and the clock keeps it closed; or somebody, or the timetable, has stopped it meanwhile.
    let isStopped = player.transport.intent == .stopped && accounts.ledger.requests.isEmpty
    if hours.phase == .closed, hours.keptAt != nil, !mayKeepRequests || !mayKeepClaim || isStopped {
      hours.close(keptAt: nil)
      endVisit(because: .closed, &turn)
    }
    if hours.isFaded, hours.phase == .open || hours.phase == .closed && player.engine.isSilent { hours.fade(false) }
  }

  /// Where music sounds that goes on when it opens; nil: none does. What somebody hears alone is over, because that one
  /// goes.
  private var keptPort: Port? {
    let transport = player.transport
    guard mayKeepIntent, transport.routeLoss == nil, transport.doubt == nil, mayKeepClaim, !player.isAttracting,
      !routes.isPrivate, mayKeepRequests
    else { return nil }
    return routes.route.port
  }

  /// Music goes on when it opens; what a person has paused stays where it is only while a switch has silenced it (H1.11).
  private var mayKeepIntent: Bool {
    guard configuration.hours?.opening == .resume else { return false }
    return player.transport.intent == .playing || player.transport.intent == .paused && hours.isSilenced
  }

  /// Nor does anybody sit on a contact until it opens.
  private var mayKeepClaim: Bool { player.queue.claim?.isHeld != true || hours.isSilenced }

  /// A visitor who has paid is gone when it opens, but not while a switch has silenced it (J5.1).
  private var mayKeepRequests: Bool { accounts.ledger.requests.isEmpty || hours.isSilenced }

  private mutating func shut(keeping port: Port?, _ turn: inout Turn) {
    hours.close(keptAt: port)
    knobs.close(.closed)
    follow(cues.stop(.closed), &turn)
    if player.transport.isPromptShown { turn.log(.promptExpired) }
    if port != nil {
      withPlayer(&turn) { $0.keepUntilOpening(&$1) }
      selectWhatIsDue(&turn)
    } else {
      player.transport.isClosed = true
    }
    player.queue.endsHere = false
    endVisit(because: .closed, keepsMusic: port != nil, &turn)
    _ = hours.takeSelection()
  }

  /// The music that goes on is that of the selector which was turned while it closed.
  private mutating func selectWhatIsDue(_ turn: inout Turn) {
    guard hours.takeSelection(), let selected else { return }
    withPlayer(&turn) { $0.select(playlist: selected, &$1) }
  }

  // MARK: - Opening

  private mutating func open(by source: HoursSource, _ turn: inout Turn) {
    let (wasClosed, keptAt) = (hours.phase == .closed, hours.keptAt)
    hours.open()
    withPlayer(&turn) { $0.goOnBehindTrack(&$1) }
    // The last track may have ended under a cue, after which it would have closed.
    player.transport.isClosed = false
    guard wasClosed else {
      withPlayer(&turn) { $0.beginDelayedRequest(&$1) }
      return selectWhatIsDue(&turn)
    }
    knobs.close(nil)
    touch(at: turn.now)
    if keptAt != nil, keptAt == routes.route.port, player.transport.intent == .playing {
      settleClients(&turn)
      withPlayer(&turn) { $0.compareFreed(.opened, &$1) }
    } else if keptAt != nil, source == .line, player.transport.intent == .paused {
      // Paused meanwhile, by the sleep timer or a card that was lifted: it was silenced, and not closed for the night.
    } else if player.transport.intent != .stopped {
      returnToStart(because: .closed, &turn)
    }
    if configuration.hours?.opening == .play { beginMusic(&turn) }
    withPlayer(&turn) { $0.beginDelayedRequest(&$1) }
  }

  private mutating func beginMusic(_ turn: inout Turn) {
    withPlayer(&turn) { [selection] in $0.play(because: .opened, selected: selection, &$1) }
  }

  /// It has opened while the board was off or did not know the time. Nobody who is there by now is disturbed.
  private mutating func makeUpForOpening(_ source: HoursSource, _ turn: inout Turn) {
    guard !visit.isUnderWay, player.transport.intent != .playing else { return hours.open() }
    let isKept = hours.mayGoOn && player.transport.intent == .paused && mayKeepRequests
    hours.open()
    if !mayKeepRequests { endVisit(because: .closed, &turn) }
    switch configuration.hours?.opening {
    case nil, .nothing: return
    case .play: break
    case .resume: if !isKept || routes.isPrivate { return }
    }
    logHours(.hoursOpened, source, &turn)
    beginMusic(&turn)
  }

  // MARK: - Staff

  mutating func obey(_ order: HoursOrder, _ turn: inout Turn) { follow(hours.obey(order), &turn) }

  /// The contact of role `silence` has moved.
  mutating func silence(_ isClosed: Bool, backAfter: Duration, _ turn: inout Turn) {
    follow(hours.silence(isClosed, until: isClosed && backAfter > .zero ? turn.now + backAfter : nil), &turn)
  }

  /// What the console says of the hours.
  var hoursReply: String {
    guard let status = hours.status else { return "always open" }
    let until = status.until.map { " until \($0.text)" } ?? ""
    return "\(status.state.rawValue)\(until), by \(status.by)"
  }
}

extension Configuration {
  /// When it is open, and what closing does: as the settings say, or where only a contact closes it, so that what it
  /// has silenced goes on afterwards.
  var hours: HoursSettings? {
    settings.hours ?? (lines.contains(where: \.closes) ? HoursSettings(WeekCalendar(), opening: .resume) : nil)
  }
}

extension Line {
  fileprivate var closes: Bool { if case .silence = role { true } else { false } }
}

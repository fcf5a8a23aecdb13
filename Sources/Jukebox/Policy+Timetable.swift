/// What the timetable means for the others (H3).
extension Jukebox {
  // MARK: - Power on

  /// Before what was saved comes back. Returns what was missed.
  mutating func beginTimetable(_ state: PowerOn) -> [TimetableFact] {
    timetable = Timetable(configuration.settings.timetable, state.saved.state?.timetable)
    let missed = state.timetable.map { timetable.take($0) } ?? []
    timetable.setPlaylistDue(hasPlaylist(missed) && selected == nil)
    volumes.begin(at: timetable.memory.volume ?? configuration.settings.startVolume)
    return missed
  }

  /// The playlist to begin with: a selector counts more than what was missed, and that more than what was saved.
  func playlist(at state: PowerOn, missed: [TimetableFact]) -> String? {
    guard let saved = state.saved.state, !hasPlaylist(missed), selected == nil else { return selection }
    return saved.playlist
  }

  private func hasPlaylist(_ facts: [TimetableFact]) -> Bool {
    facts.contains { if case .playlist = $0 { true } else { false } }
  }

  /// The music of a power cut is that of another playlist, and goes on in the one of the timetable.
  var hasMovedOn: Bool { timetable.isPlaylistDue && !player.queue.isEmpty }

  /// The saved state is back.
  mutating func endTimetableAtBoot(_ missed: [TimetableFact], _ turn: inout Turn) {
    if !missed.isEmpty { saving.changeAtOnce(at: turn.now) }
    follow(missed, &turn)
  }

  // MARK: - States

  mutating func follow(_ facts: [TimetableFact], _ turn: inout Turn) {
    for fact in facts {
      switch fact {
      case .playlist(let moment):
        timetable.setPlaylistDue(selected == nil)
        logTimetable(moment, ignored: selected == nil ? nil : .selector, waits: isMusicTaken, &turn)
      case .volume(let volume, let moment):
        logTimetable(moment, ignored: nil, &turn)
        begin(atVolume: volume ?? configuration.settings.startVolume, &turn)
      // `isFree` follows it.
      case .freePlay(let moment): logTimetable(moment, ignored: nil, &turn)
      }
    }
  }

  /// Every port has the volume from now on, and the next visitor finds it. What somebody who listens alone has set stays
  /// until that visit ends.
  private mutating func begin(atVolume volume: Int, _ turn: inout Turn) {
    let kept = isListeningAlone ? routes.ports.filter(\.isPrivate) : []
    let former = configuration.ports.map { ($0.port, volumes.volume(of: $0.port)) }
    volumes.begin(at: volume, keeping: kept.map(\.port))
    for (port, old) in former where volumes.volume(of: port) != old {
      logVolume(of: port, from: old, cause: .timetable, &turn)
    }
  }

  /// After every input: moves to the playlist of the timetable as soon as nobody has the music for himself.
  mutating func settleTimetable(_ turn: inout Turn) {
    guard isOn, timetable.isPlaylistDue, !isMusicTaken else { return }
    timetable.setPlaylistDue(false)
    // A selector was turned meanwhile.
    if selected != nil { return }
    withPlayer(&turn) { [name = timetable.memory.playlist] in $0.move(toPlaylist: name, &$1) }
  }

  /// Somebody listens alone, or will come back for what an unplug holds, or what sounds is about to end by itself.
  private var isMusicTaken: Bool {
    if isListeningAlone || isHeldByUnplug || player.queue.claim?.isHeld == true { return true }
    return sleep.isFading || hours.isEnding
  }

  /// A visitor's private port is in, or was a moment ago, so that the same one may come back (V3).
  private var isListeningAlone: Bool {
    switch visit.departure {
    // Where visits are not told apart, nothing is noted of a port that is out.
    case .none: visit.isUnderWay && hasPrivatePort
    case .waiting, .over: visit.isUnderWay
    case .without: false
    }
  }

  private var isHeldByUnplug: Bool {
    let transport = player.transport
    // A plug that only moves holds nothing that is not wanted.
    let isDoubted = transport.doubt != nil && transport.intent == .playing
    return transport.routeLoss != nil || transport.trial != nil || isDoubted
  }

  // MARK: - Moments

  /// The time of a cue, a start or a stop has come. After a restart that may be the second time.
  mutating func obey(_ moment: TimetableMoment, _ turn: inout Turn) {
    switch timetable.action(of: moment) {
    case .cue(let name):
      speak(name, at: moment, &turn)
      touch(at: turn.now)
    case .start: start(at: moment, &turn)
    case .stop: stop(at: moment, &turn)
    // They are what counts until the next of their kind: `TimetableState`.
    case .playlist, .volume, .freePlay, nil: break
    }
  }

  /// Nobody knows the time, so that it may be any other.
  mutating func miss(_ moment: TimetableMoment, _ turn: inout Turn) {
    switch timetable.action(of: moment) {
    case .cue(let name): missCue(name, &turn)
    case .start, .stop: logTimetable(moment, ignored: .clockUnknown, &turn)
    case .playlist, .volume, .freePlay, nil: break
    }
  }

  private mutating func start(at moment: TimetableMoment, _ turn: inout Turn) {
    guard timetable.note(moment, isStart: true) else { return }
    // Music that was meant for headphones that were pulled comes out of nothing else (P1).
    let ignored: IgnoredPress? = hours.refuses ? .closed : isHeldByUnplug ? .unplugged : nil
    logTimetable(moment, ignored: ignored, &turn)
    if ignored != nil { return }
    touch(at: turn.now)
    _ = stayAwake(&turn)
    contacts.forgetDelays()
    withPlayer(&turn) { [selection] in $0.play(because: .timetable, selected: selection, &$1) }
  }

  private mutating func stop(at moment: TimetableMoment, _ turn: inout Turn) {
    guard timetable.note(moment, isStart: false) else { return }
    logTimetable(moment, ignored: nil, &turn)
    contacts.forgetDelays()
    withPlayer(&turn) { $0.stop(because: .timetable, &$1) }
  }

  /// - Parameter waits: it is done as soon as nobody has the music for himself.
  private mutating func logTimetable(
    _ moment: TimetableMoment?, ignored: IgnoredPress?, waits: Bool = false, _ turn: inout Turn
  ) {
    guard let moment, let field = timetable.action(of: moment)?.field else { return }
    turn.log(
      .timetableDue, .info,
      [
        "at": moment.text, field.key: field.value, "ignored": ignored?.rawValue,
        "waits": waits && ignored == nil ? "true" : nil,
      ])
  }
}

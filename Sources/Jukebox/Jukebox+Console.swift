import AudioSession

/// Commands typed on the console (K7).
extension Jukebox {
  /// Returns whether it counts as use of the kiosk, which a question and a line that is not a command do not (K8).
  mutating func obey(_ line: String, _ turn: inout Turn) -> Bool {
    var known: ConsoleCommand?
    do throws(ConsoleCommand.Invalid) {
      let command = try ConsoleCommand(parsing: line)
      known = command
      if isClosed(to: command.whenClosed) {
        throw .init(message: "\(command.words(of: line)): \(RefusalReason.closed.reply)")
      }
      let perform = try act(on: command)
      turn.log(.consoleCommand, command.isQuestion ? .debug : .info, ["command": line])
      let isOfMusic =
        switch command {
        case .music, .transport: true
        case .question, .sound, .setting: false
        }
      if isOfMusic {
        contacts.forgetDelays()
        acted(&turn)
      }
      let isPromptShown = player.transport.isPromptShown
      let wasFading = isOfMusic && stayAwake(&turn)
      if !wasFading || !onlyWakes(command) { perform(&self, &turn) }
      if let objection = objection(to: command, wasPromptShown: isPromptShown, turn) {
        turn.replyError("\(command.words(of: line)): \(objection)")
      }
      return !command.isQuestion
    } catch {
      // Without Bluetooth, `paired` is still a question.
      turn.log(.consoleCommand, known?.isQuestion == true ? .debug : .warn, ["command": line, "error": error.message])
      turn.replyError(error.message)
      return known?.isQuestion == false
    }
  }

  /// What `reload` does, and what not (X5).
  public static let reloadReply = "the music is listed again; settings and board are read anew by a restart only"

  private typealias Act = (inout Jukebox, inout Turn) -> Void

  /// Returns what a command does, after looking up the names in it. Throws where it cannot be obeyed now.
  private func act(on command: ConsoleCommand) throws(ConsoleCommand.Invalid) -> Act {
    switch command {
    case .question(.status): return { $1.reply($0.status(at: $1.now).line) }
    case .question(.statusAsJSON): return { $1.reply($0.status(at: $1.now).json.text) }
    case .question(.statistics): return { brain, turn in brain.replyStatistics(.text, &turn) }
    case .question(.statisticsAsJSON): return { brain, turn in brain.replyStatistics(.json, &turn) }
    case .question(.help): return { _, turn in turn.reply(ConsoleCommand.helpText) }
    case .music(.play): return { $0.play(&$1) }
    case .music(.start):
      return { brain, turn in
        brain.withPlayer(&turn) { [selection = brain.selection] in $0.start(selected: selection, &$1) }
      }
    case .transport(.pause): return { $0.withPlayer(&$1) { $0.pause(&$1) } }
    case .transport(.stop): return { $0.stop(&$1) }
    case .transport(.next): return { $0.withPlayer(&$1) { $0.next(&$1) } }
    case .transport(.previous): return { $0.withPlayer(&$1) { $0.previous(&$1) } }
    case .music(.track(let name)): return try choice(of: name)
    case .music(.playlist(nil)): return { $0.withPlayer(&$1) { $0.choose(found: nil, &$1) } }
    case .music(.playlist(.some(let name))): return try choice(ofPlaylist: name)
    case .music(.playlistStep(let step)):
      if library.playlists.isEmpty { throw .init(message: "the music has no folders") }
      return { $0.withPlayer(&$1) { $0.choosePlaylist(step, &$1) } }
    case .music(.popular(let place)): return { $0.choose(popular: place, &$1) }
    case .transport(.seek(let place)):
      if player.queue.isEmpty { throw .init(message: TrackName.NotFound.number(1, count: 0).message) }
      return { $0.withPlayer(&$1) { $0.seek(place, &$1) } }
    case .setting(.volume(let change, let named)):
      let port = try port(named: named, toSet: "volume")
      return { brain, turn in brain.obeyVolume(change, of: port, &turn) }
    case .setting(.channels(let named, let mode)):
      let port = try port(named: named, toSet: "channels")
      let channels = PortChannels(mode, balance: channelControl.channels(of: port).balance)
      return { $0.obeyChannels(channels, of: port, &$1) }
    case .setting(.balance(let named, let balance)):
      let port = try port(named: named, toSet: "balance")
      let channels = PortChannels(channelControl.channels(of: port).mode, balance: balance)
      return { $0.obeyChannels(channels, of: port, &$1) }
    case .setting(.route(let port)):
      if let port, !routes.connected.contains(port) {
        let what = routes.setup(of: port) == nil ? "a port of this board" : "connected"
        throw .init(message: "\(port.rawValue) is not \(what)")
      }
      return { $0.force(port, &$1) }
    case .sound(.cue(let name)):
      if cues.request(meantBy: name) == nil { return { $0.refuse(unknownCue: name, &$1) } }
      return { $0.speak(named: name, &$1) }
    case .sound(.token(let text, let reader)):
      if let reader, !configuration.readers.contains(reader) { throw .init(message: unknown(reader: reader)) }
      if let reader, laidCards.has(reader) {
        return { brain, turn in brain.follow(brain.laidCards.lay(text, on: reader, at: turn.now), &turn) }
      }
      return { brain, turn in brain.follow(brain.readers.read(text, on: reader, at: turn.now), &turn) }
    case .sound(.cardLifted(let named)):
      let reader = try presenceReader(named)
      return { brain, turn in brain.laidCards.lift(on: reader, at: turn.now) }
    case .sound(.record): return { $0.record(&$1) }
    case .setting(.sleep(let request)):
      if request != .off && player.transport.intent != .playing { throw .init(message: "sleep: no music plays") }
      return { $0.obey(request, &$1) }
    case .sound(.beginInterruption(let name)):
      if sessions.isActive(name) { throw .init(message: "\(name) is active already") }
      return { brain, turn in brain.follow(brain.sessions.begin(name, nil), &turn) }
    case .setting(.endInterruption(let name, let shouldResume)):
      if !sessions.isActive(name) { throw .init(message: "\(name) is not active") }
      return { $0.end(name, shouldResume: shouldResume, &$1) }
    case .setting(.category(let category)): return { $0.obeyCategory(category, &$1) }
    case .setting(.content(let notice)): return { $0.tell(notice, &$1) }
    case .setting(.pair):
      if let reason = headsets.whyNoPairing { throw .init(message: "pair: \(reason)") }
      return { $0.obeyPair(&$1) }
    case .question(.paired):
      if let reason = headsets.whyNoPairing { throw .init(message: "paired: \(reason)") }
      return { brain, turn in turn.reply(brain.headsets.pairedList.map(Turn.plain).joined(separator: "\n")) }
    case .setting(.unpair(let name)):
      if let objection = headsets.objection(toUnpairing: name) { throw .init(message: objection) }
      return { brain, turn in brain.follow(brain.headsets.unpair(name), &turn) }
    case .question(.hours): return { brain, turn in turn.reply(brain.hoursReply) }
    case .setting(.order(let order)):
      if !hours.isSet { throw .init(message: "hours: the settings have none, expected [hours] in them") }
      return { brain, turn in
        brain.obey(order, &turn)
        turn.reply(brain.hoursReply)
      }
    case .question(.requests): return { brain, turn in turn.reply(brain.requestsReply) }
    case .setting(.clearRequests): return { $0.clearRequests(&$1) }
    case .question(.credits): return { brain, turn in turn.reply(brain.creditsReply) }
    case .setting(.give(let credits)):
      if !accounts.areCounted { throw .init(message: "credits: the settings have no [credits]") }
      return { brain, turn in
        let given = brain.accounts.give(credits)
        turn.reply("given=\(given) credits=\(brain.accounts.ledger.credits)")
      }
    case .setting(.reload):
      return { _, turn in
        turn.append(.listMusic)
        turn.reply(Self.reloadReply)
      }
    }
  }

  /// While the music is a guess, a track or a playlist that is not there is waited for (X6).
  private func choice(of name: TrackName) throws(ConsoleCommand.Invalid) -> Act {
    do throws(TrackName.NotFound) {
      let track = try player.find(name)
      return { $0.withPlayer(&$1) { $0.choose(found: track, name, &$1) } }
    } catch {
      if player.changes.kept == nil { throw .init(message: "track \(name.text): \(error.message)") }
      return { $0.withPlayer(&$1) { $0.awaitChoice(.track(name), &$1) } }
    }
  }

  private func choice(ofPlaylist name: String) throws(ConsoleCommand.Invalid) -> Act {
    if let found = library.playlist(called: name) { return { $0.withPlayer(&$1) { $0.choose(found: found, &$1) } } }
    if player.changes.kept == nil { throw .init(message: "playlist \(name): \(FailedChoice.playlist(name).logged)") }
    return { $0.withPlayer(&$1) { $0.awaitChoice(.playlist(name), &$1) } }
  }

  /// The port that a command names, or the route's.
  private func port(named name: Port?, toSet what: String) throws(ConsoleCommand.Invalid) -> Port {
    guard let port = name ?? routes.route.port else { throw .init(message: "no port to set the \(what) of") }
    if routes.setup(of: port) == nil { throw .init(message: "\(port.rawValue) is not a port of this board") }
    return port
  }

  private mutating func refuse(unknownCue name: String, _ turn: inout Turn) {
    speak(named: name, &turn)
    let names = cues.namesThere
    turn.replyError("cue \(name): expected \(names.isEmpty ? "a cue folder with cues" : names.joined(separator: ", "))")
  }

  func unknown(reader: String) -> String {
    let readers = configuration.readers
    return
      "token: \(reader) is no reader of this board, which has \(readers.isEmpty ? "none" : readers.joined(separator: ", "))"
  }

  private mutating func obeyVolume(_ change: VolumeChange, of port: Port, _ turn: inout Turn) {
    let wanted = change.volume(from: volumes.volume(of: port))
    _ = setVolume(wanted, of: port, &turn)
    if wanted > volumes.ceiling(of: port) {
      let isQuiet = volumes.quiet == volumes.ceiling(of: port)
      turn.reply("volume \(volumes.volume(of: port)): the ceiling of \(isQuiet ? "the quiet hours" : port.rawValue)")
    }
  }

  private mutating func obeyCategory(_ category: SessionCategory, _ turn: inout Turn) {
    visit.forgetCategory()
    change(to: category, &turn)
  }

  private mutating func obeyPair(_ turn: inout Turn) {
    follow(headsets.pair(at: turn.now), &turn)
    turn.reply(Headsets.pairReply)
  }
}

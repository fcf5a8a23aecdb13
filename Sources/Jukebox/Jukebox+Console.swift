import AudioSession

/// Commands typed on the console (K7).
extension Jukebox {
  mutating func obey(_ line: String, _ turn: inout Turn) {
    do throws(ConsoleCommand.Invalid) {
      let command = try ConsoleCommand(parsing: line)
      let perform = try act(on: command)
      turn.log(.consoleCommand, .info, ["command": line])
      if command.isOfMusic { acted(&turn) }
      perform(&self, &turn)
    } catch {
      turn.log(.consoleCommand, .warn, ["command": line, "error": error.message])
      turn.replyError(error.message)
    }
  }

  /// What `reload` does, and what not (X5).
  public static let reloadReply = "the music is listed again; settings and board are read anew by a restart only"

  private typealias Act = (inout Jukebox, inout Turn) -> Void

  /// Returns what a command does, after looking up the names in it. Throws where it cannot be obeyed now.
  private func act(on command: ConsoleCommand) throws(ConsoleCommand.Invalid) -> Act {
    switch command {
    case .status: return { $1.reply($0.status(at: $1.now).line) }
    case .statusAsJSON: return { $1.reply($0.status(at: $1.now).json.text) }
    case .statistics: return { brain, turn in brain.replyStatistics(.text, &turn) }
    case .statisticsAsJSON: return { brain, turn in brain.replyStatistics(.json, &turn) }
    case .help: return { _, turn in turn.reply(ConsoleCommand.helpText) }
    case .play: return { $0.play(&$1) }
    case .pause: return { $0.withPlayer(&$1) { $0.pause(&$1) } }
    case .stop: return { $0.stop(&$1) }
    case .next: return { $0.withPlayer(&$1) { $0.next(&$1) } }
    case .previous: return { $0.withPlayer(&$1) { $0.previous(&$1) } }
    case .track(let name): return try choice(of: name)
    case .playlist(nil): return { $0.withPlayer(&$1) { $0.choose(found: nil, &$1) } }
    case .playlist(.some(let name)): return try choice(ofPlaylist: name)
    case .playlistStep(let step):
      if library.playlists.isEmpty { throw .init(message: "the music has no folders") }
      return { $0.withPlayer(&$1) { $0.choosePlaylist(step, &$1) } }
    case .seek(let place):
      if player.queue.isEmpty { throw .init(message: TrackName.NotFound.number(1, count: 0).message) }
      return { $0.withPlayer(&$1) { $0.seek(place, &$1) } }
    case .volume(let volume):
      guard let port = routes.route.port else { throw .init(message: "no port to set the volume of") }
      return { brain, turn in brain.obeyVolume(volume, of: port, &turn) }
    case .channels(let named, let mode):
      let port = try port(named: named, for: "channels")
      let channels = PortChannels(mode, balance: channelControl.channels(of: port).balance)
      return { $0.obeyChannels(channels, of: port, &$1) }
    case .balance(let named, let balance):
      let port = try port(named: named, for: "balance")
      let channels = PortChannels(channelControl.channels(of: port).mode, balance: balance)
      return { $0.obeyChannels(channels, of: port, &$1) }
    case .route(let port):
      if let port, !routes.connected.contains(port) {
        let what = routes.setup(of: port) == nil ? "a port of this board" : "connected"
        throw .init(message: "\(port.rawValue) is not \(what)")
      }
      return { $0.force(port, &$1) }
    case .cue(let name):
      return { brain, turn in if !brain.speak(named: name, &turn) { turn.replyError(brain.unspoken(name)) } }
    case .record: return { brain, turn in if !brain.record(&turn) { turn.replyError("record: refused") } }
    case .beginInterruption(let name):
      if sessions.isActive(name) { throw .init(message: "\(name) is active already") }
      return { $0.obeyInterruption(by: name, &$1) }
    case .endInterruption(let name, let shouldResume):
      if !sessions.isActive(name) { throw .init(message: "\(name) is not active") }
      return { $0.end(name, shouldResume: shouldResume, &$1) }
    case .category(let category): return { $0.obeyCategory(category, &$1) }
    case .content(let notice): return { $0.tell(notice, &$1) }
    case .pair:
      if let reason = headsets.whyNoPairing { throw .init(message: "pair: \(reason)") }
      return { $0.obeyPair(&$1) }
    case .paired:
      if let reason = headsets.whyNoPairing { throw .init(message: "paired: \(reason)") }
      return { brain, turn in turn.reply(brain.headsets.pairedList.map(Turn.plain).joined(separator: "\n")) }
    case .unpair(let name):
      if let objection = headsets.objection(toUnpairing: name) { throw .init(message: objection) }
      return { brain, turn in brain.follow(brain.headsets.unpair(name), &turn) }
    case .reload:
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
      return { $0.withPlayer(&$1) { $0.choose(track: track, name, &$1) } }
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

  private func unspoken(_ name: String) -> String {
    let names = cues.names
    if names.contains(name) { return "cue \(name) cannot be spoken now" }
    return "cue \(name): expected \(names.isEmpty ? "a cue folder with cues" : names.joined(separator: ", "))"
  }

  private mutating func obeyVolume(_ volume: Int, of port: Port, _ turn: inout Turn) {
    _ = setVolume(volume, &turn)
    if volume > volumes.ceiling(of: port) {
      turn.reply("volume \(volumes.volume(of: port)): the ceiling of \(port.rawValue)")
    }
  }

  private mutating func obeyCategory(_ category: SessionCategory, _ turn: inout Turn) {
    visit.forgetCategory()
    change(to: category, &turn)
  }

  private mutating func obeyInterruption(by name: String, _ turn: inout Turn) {
    follow(sessions.begin(name, nil), &turn)
    if !sessions.isActive(name) { turn.replyError("interrupt begin \(name): refused") }
  }

  private mutating func obeyPair(_ turn: inout Turn) {
    follow(headsets.pair(at: turn.now), &turn)
    turn.reply(Headsets.pairReply)
  }
}

import AudioSession

/// Commands typed on the console (K7).
/// Changes: `visit`, `outbox`.
extension Jukebox {
  mutating func obey(_ line: String, at now: Instant) {
    do throws(ConsoleCommand.Invalid) {
      let command = try ConsoleCommand(parsing: line)
      let perform = try act(on: command)
      log(.consoleCommand, .info, ["command": line])
      if command.isOfMusic { acted(at: now) }
      perform(&self, now)
    } catch {
      log(.consoleCommand, .warn, ["command": line, "error": error.message])
      replyError(error.message)
    }
  }

  /// What `reload` does, and what not (X5).
  public static let reloadReply = "the music is listed again; settings and board are read anew by a restart only"

  private typealias Act = (inout Jukebox, Instant) -> Void

  /// Returns what a command does, after looking up the names in it. Throws where it cannot be obeyed now.
  private func act(on command: ConsoleCommand) throws(ConsoleCommand.Invalid) -> Act {
    switch command {
    case .status: return { $0.reply($0.status(at: $1).line) }
    case .statusAsJSON: return { $0.reply($0.status(at: $1).json.text) }
    case .statistics: return { brain, _ in brain.replyStatistics(.text) }
    case .statisticsAsJSON: return { brain, _ in brain.replyStatistics(.json) }
    case .help: return { brain, _ in brain.reply(ConsoleCommand.helpText) }
    case .play: return { $0.play(at: $1) }
    case .pause: return { $0.pause(at: $1) }
    case .stop: return { $0.stop(at: $1) }
    case .next: return { $0.next(at: $1) }
    case .previous: return { $0.previous(at: $1) }
    case .track(let name): return try choice(of: name)
    case .playlist(nil): return { $0.choose(found: nil, at: $1) }
    case .playlist(.some(let name)): return try choice(ofPlaylist: name)
    case .playlistStep(let step):
      if library.playlists.isEmpty { throw .init(message: "the music has no folders") }
      return { $0.choosePlaylist(step, at: $1) }
    case .seek(let place):
      if queue.isEmpty { throw .init(message: TrackName.NotFound.number(1, count: 0).message) }
      return { $0.seek(place, at: $1) }
    case .volume(let volume):
      guard let port = routes.route.port else { throw .init(message: "no port to set the volume of") }
      return { brain, _ in brain.obeyVolume(volume, of: port) }
    case .route(let port):
      if let port, !routes.connected.contains(port) {
        let what = routes.setup(of: port) == nil ? "a port of this board" : "connected"
        throw .init(message: "\(port.rawValue) is not \(what)")
      }
      return { $0.force(port, at: $1) }
    case .cue(let name):
      return { brain, now in if !brain.speak(named: name, at: now) { brain.replyError(brain.unspoken(name)) } }
    case .record: return { brain, now in if !brain.record(at: now) { brain.replyError("record: refused") } }
    case .beginInterruption(let name):
      if session.isActive(name) { throw .init(message: "\(name) is active already") }
      return { brain, now in
        if !brain.begin(name, nil, at: now) { brain.replyError("interrupt begin \(name): refused") }
      }
    case .endInterruption(let name, let shouldResume):
      if !session.isActive(name) { throw .init(message: "\(name) is not active") }
      return { $0.end(name, shouldResume: shouldResume, at: $1) }
    case .category(let category): return { $0.obeyCategory(category, at: $1) }
    case .content(let notice): return { $0.tell(notice, at: $1) }
    case .pair:
      if let reason = whyNoPairing { throw .init(message: "pair: \(reason)") }
      return { brain, now in
        brain.pair(at: now)
        brain.reply(Self.pairReply)
      }
    case .paired:
      if let reason = whyNoPairing { throw .init(message: "paired: \(reason)") }
      return { brain, _ in brain.reply(brain.pairedList.map(brain.plain).joined(separator: "\n")) }
    case .unpair(let name):
      if let objection = objection(toUnpairing: name) { throw .init(message: objection) }
      return { brain, _ in brain.unpair(name) }
    case .reload:
      return { brain, _ in
        brain.outbox.append(.listMusic)
        brain.reply(Self.reloadReply)
      }
    }
  }

  /// While the music is a guess, a track or a playlist that is not there is waited for (X6).
  private func choice(of name: TrackName) throws(ConsoleCommand.Invalid) -> Act {
    do throws(TrackName.NotFound) {
      let track = try find(name)
      return { $0.choose(track: track, name, at: $1) }
    } catch {
      if changes.kept == nil { throw .init(message: "track \(name.text): \(error.message)") }
      return { brain, _ in _ = brain.awaitChoice(.track(name)) }
    }
  }

  private func choice(ofPlaylist name: String) throws(ConsoleCommand.Invalid) -> Act {
    if let found = library.playlist(called: name) { return { $0.choose(found: found, at: $1) } }
    if changes.kept == nil { throw .init(message: "playlist \(name): \(FailedChoice.playlist(name).logged)") }
    return { brain, _ in _ = brain.awaitChoice(.playlist(name)) }
  }

  private func unspoken(_ name: String) -> String {
    let names = configuration.cues.map(\.name)
    if names.contains(name) { return "cue \(name) cannot be spoken now" }
    return "cue \(name): expected \(names.isEmpty ? "a cue folder with cues" : names.joined(separator: ", "))"
  }

  private mutating func obeyVolume(_ volume: Int, of port: Port) {
    _ = setVolume(volume)
    if volume > volumes.ceiling(of: port) {
      reply("volume \(volumes.volume(of: port)): the ceiling of \(port.rawValue)")
    }
  }

  private mutating func obeyCategory(_ category: SessionCategory, at now: Instant) {
    visit.forgetCategory()
    change(to: category, at: now)
  }

  private mutating func reply(_ text: String) { outbox.append(.reply(text)) }

  private mutating func replyError(_ message: String) { reply("error: \(plain(message))") }

  /// Escapes what could end the line or move a terminal's cursor: a cue's file name may hold anything.
  func plain(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { plain, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: plain += "\\u{\(String(scalar.value, radix: 16))}"
      default: plain.unicodeScalars.append(scalar)
      }
    }
  }
}

import AudioSession

/// Commands typed on the console (K7).
/// Changes: `visit`, `outbox`.
extension Jukebox {
  mutating func obey(_ line: String, at now: Instant) {
    let command: ConsoleCommand
    do {
      command = try ConsoleCommand(parsing: line)
    } catch {
      return refuse(line, error.message)
    }
    if let objection = objection(to: command) { return refuse(line, objection) }
    log(.consoleCommand, .info, ["command": line])
    if command.isOfMusic { acted(at: now) }
    switch command {
    case .status: outbox.append(.reply(status(at: now).line))
    case .statusAsJSON: outbox.append(.reply(status(at: now).json.text))
    case .statistics: replyStatistics(.text)
    case .statisticsAsJSON: replyStatistics(.json)
    case .help: outbox.append(.reply(ConsoleCommand.helpText))
    case .play: play(at: now)
    case .stop: stop(at: now)
    case .next: next(at: now)
    case .previous: previous(at: now)
    case .track(let name): choose(name, at: now)
    case .playlist(let name): choose(playlist: name, at: now)
    case .playlistStep(let step): choosePlaylist(step, at: now)
    case .seek(let place): seek(place, at: now)
    case .volume(let volume): obeyVolume(volume)
    case .route(let port): force(port, at: now)
    case .pause: pause(at: now)
    case .record: if !record(at: now) { replyError("record: refused") }
    case .cue(let name): if !speak(named: name, at: now) { replyError(unspoken(name)) }
    case .beginInterruption(let name): if !begin(name, nil, at: now) { replyError("interrupt begin \(name): refused") }
    case .endInterruption(let name, let shouldResume): end(name, shouldResume: shouldResume, at: now)
    case .category(let category):
      visit.forgetCategory()
      change(to: category, at: now)
    case .content(let notice): tell(notice, at: now)
    case .pair:
      pair(at: now)
      outbox.append(.reply(Self.pairReply))
    case .paired: outbox.append(.reply(pairedList.map(plain).joined(separator: "\n")))
    case .unpair(let name): unpair(name)
    case .reload:
      outbox.append(.listMusic)
      outbox.append(.reply(Self.reloadReply))
    }
  }

  /// What `reload` does, and what not (X5).
  public static let reloadReply = "the music is listed again; settings and board are read anew by a restart only"

  /// Why a command cannot be obeyed now, although it was parsed; nil where it can.
  private func objection(to command: ConsoleCommand) -> String? {
    switch command {
    case .status, .statusAsJSON, .statistics, .statisticsAsJSON, .help, .play, .pause, .stop, .next, .previous,
      .playlist(nil), .route(nil), .cue, .record, .category, .content, .reload:
      return nil
    case .pair: return whyNoPairing.map { "pair: \($0)" }
    case .paired: return whyNoPairing.map { "paired: \($0)" }
    case .unpair(let name): return objection(toUnpairing: name)
    case .beginInterruption(let name): return session.isActive(name) ? "\(name) is active already" : nil
    case .endInterruption(let name, _): return session.isActive(name) ? nil : "\(name) is not active"
    case .track(let name):
      do throws(TrackName.NotFound) {
        _ = try find(name)
        return nil
      } catch {
        if changes.kept != nil { return nil }
        return "track \(name.text): \(error.message)"
      }
    case .playlist(.some(let name)):
      if library.playlist(called: name) != nil || changes.kept != nil { return nil }
      return "playlist \(name): \(FailedChoice.playlist(name).logged)"
    case .playlistStep: return library.playlists.isEmpty ? "the music has no folders" : nil
    case .seek: return queue.isEmpty ? TrackName.NotFound.number(1, count: 0).message : nil
    case .volume: return routes.route.port == nil ? "no port to set the volume of" : nil
    case .route(.some(let port)):
      if routes.connected.contains(port) { return nil }
      return "\(port.rawValue) is not \(routes.setup(of: port) == nil ? "a port of this board" : "connected")"
    }
  }

  private func unspoken(_ name: String) -> String {
    let names = configuration.cues.map(\.name)
    if names.contains(name) { return "cue \(name) cannot be spoken now" }
    return "cue \(name): expected \(names.isEmpty ? "a cue folder with cues" : names.joined(separator: ", "))"
  }

  private mutating func obeyVolume(_ volume: Int) {
    guard let port = routes.route.port else { return }
    _ = setVolume(volume)
    if volume > volumes.ceiling(of: port) {
      outbox.append(.reply("volume \(volumes.volume(of: port)): the ceiling of \(port.rawValue)"))
    }
  }

  /// Logs a command that cannot be obeyed, and replies with the reason.
  private mutating func refuse(_ line: String, _ message: String) {
    log(.consoleCommand, .warn, ["command": line, "error": message])
    replyError(message)
  }

  private mutating func replyError(_ message: String) { outbox.append(.reply("error: \(plain(message))")) }

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

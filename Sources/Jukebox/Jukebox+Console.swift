import AudioSession

/// Commands typed on the console (K7).
extension Jukebox {
  mutating func obey(_ line: String, at now: Instant) {
    let command: ConsoleCommand
    do {
      command = try ConsoleCommand(parsing: line)
    } catch {
      log(.consoleCommand, .warn, ["command": line, "error": error.message])
      outbox.append(.reply("error: \(error.message)"))
      return
    }
    log(.consoleCommand, .info, ["command": line])
    switch command {
    case .status: outbox.append(.reply(status(at: now).line))
    case .help: outbox.append(.reply(ConsoleCommand.helpText))
    case .play: play(at: now)
    case .stop: stop(at: now)
    case .next: next(at: now)
    case .previous: previous(at: now)
    case .volume(let volume): obeyVolume(volume, at: now)
    case .route(let port):
      if let port, !force(port, at: now) {
        let known = routes.setup(of: port) != nil
        refuse("\(port.rawValue) is not \(known ? "connected" : "a port of this board")")
      } else if port == nil {
        _ = force(nil, at: now)
      }
    }
  }

  private mutating func obeyVolume(_ volume: Int, at now: Instant) {
    guard let port = routes.route.port else { return refuse("no port to set the volume of") }
    _ = setVolume(volume, at: now)
    if volume > volumes.ceiling(of: port) {
      outbox.append(.reply("volume \(volumes.volume(of: port)): the ceiling of \(port.rawValue)"))
    }
  }

  /// One clear line for what cannot be done.
  private mutating func refuse(_ message: String) {
    log(.consoleCommand, .warn, ["error": message])
    outbox.append(.reply("error: \(message)"))
  }
}

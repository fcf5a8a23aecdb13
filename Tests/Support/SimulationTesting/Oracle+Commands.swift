import AudioSession
import Jukebox

/// What presses, commands and interruptions in the log mean for what is wanted.
extension Oracle {
  func applyPress(_ event: Event) {
    guard let line = event["line"], let button = button(on: line) else {
      return demand(false, "K5", "button.pressed without a button and its line")
    }
    let contact = lines[line]
    let manners = contacts.manners[line]
    let isIgnored = event["ignored"] == "unplugged" || manners == nil && event["ignored"] != nil
    demand(event["button"] == button.word, "K5", "\(line) is logged as \(event["button"] ?? "no button")")
    let isOvertaken = presses.isOvertaken(line, button, gesture: event["gesture"])
    let isUseless = button == .sleep && intentModel.intent != .playing
    let (isClosed, isRecording) = (event["ignored"] == "closed", intentModel.isRecording)
    let isRefused =
      hours?.refuses(button, isAudible: intentModel.isAudible, isRecording: isRecording) ?? false
    demand(
      isOvertaken || isClosed == isRefused, "H1.3", "a press of \(button.word) is \(isClosed ? "" : "not ")refused")
    demand(
      isOvertaken || isClosed || isIgnored == isUseless, "Q2",
      "a press of \(button.word) is ignored, which no unplug overtook")
    demand(isIgnored || !isOvertaken, "P1", "a press of \(button.word) is obeyed, which began before the unplug")
    if event["gesture"] == "held" {
      demand(contact.level, "K3", "\(line) is held, though it is up")
      let since = latest(downSince[line], wokeAt) ?? now
      demand(now >= since + .milliseconds(999), "K3", "\(line) is held, and went down at \(since.logStamp)")
    } else {
      demand(contact.isDue(at: now) && contact.seen && !contact.level, "K1", "\(line) was not pressed")
      lines[line].settle()
      downSince[line] = now
      presses.press(button, gesture: event["gesture"], on: line, at: now)
    }
    choice = nil
    if isIgnored || isClosed { return }
    if let manners { return pressContact(line, button, manners, ignored: event["ignored"]) }
    if !presses.isHarmless(button) { contacts.delays = [:] }
    if button == .pair { pairing.ask(at: now) }
    if case .choose(.track(let name)) = button {
      choose(name.text)
      return
    }
    if case .choose(.playlist(let name)) = button {
      choosePlaylist(name)
      return
    }
    let wasPlaying = intentModel.intent == .playing
    // It only brings back the music that fades (H5.3).
    if button == .play && isHeardToFade && event["gesture"] == nil { return intentModel.settleSkip() }
    if intentModel.press(button, gesture: event["gesture"]) {
      noteSkip(thenPlays: event["gesture"] != nil && !wasPlaying)
    }
    if button == .play && event["gesture"] == nil { noteWord() }
    if button == .stop || button == .play { noteWish() }
  }

  /// The music fades for the sleep timer, and nothing but a plug that moves may keep it from being heard.
  var isHeardToFade: Bool {
    sleep.isFading && intentModel.intent == .playing && intentModel.steadyHolds.isEmpty
  }

  func button(on line: String) -> Button? {
    guard case .button(let button) = kiosk.board.lines.first(where: { $0.name == line })?.role else { return nil }
    return button
  }

  func applyCommand(_ event: Event) {
    guard event["error"] == nil, let command = event["command"] else { return }
    commandedAt = now
    let words = command.split(separator: " ")
    let isRefused = hours?.refuses(words, isRecording: intentModel.isRecording) ?? false
    demand(!isRefused, "H1.3", "it is closed, and \(command) is obeyed")
    if words.count == 2, words[0] == "hours" { hours?.model.say(String(words[1]), at: now) }
    choice = nil
    channelCommands.type(words, route: loggedRoute)
    if isCommandOfMusic(event) { contacts.delays = [:] }
    volumeCommand = VolumeCommand(words, route: loggedRoute)
    if words == ["pair"] { pairing.ask(at: now) }
    if words.first == "seek" { soughtTime = words.last.map(String.init) }
    if words.first == "track" {
      choose(words.dropFirst().joined(separator: " "))
    } else if words.first == "playlist" {
      choosePlaylist(words.count > 1 ? words.dropFirst().joined(separator: " ") : nil)
    } else {
      if isHeardToFade && words.first == "play" {
        intentModel.settleSkip()
      } else if intentModel.obey(words) {
        noteSkip()
      }
      if ["play", "pause", "stop"].contains(words.first) { noteWish() }
      if ["play", "start"].contains(words.first) {
        noteWord()
        wanted = (stepLine, isHeld: intentModel.intent == .playing && !intentModel.steadyHolds.isEmpty)
      }
    }
    switch words.first {
    case "route":
      let forced = words.count > 1 ? Port(rawValue: String(words[1])) : nil
      routes.forced = forced
      persistence.note(route: forced)
      if forced != nil && intentModel.unsuited != nil && route == nil { intentModel.unsuited?.from = forced }
      updateIntent()
    case "category":
      if words.count > 1, let category = SessionCategory(rawValue: String(words[1])) {
        routes.category = category
        persistence.note(category: category)
      }
      updateIntent()
    case "interrupt":
      guard words.count > 2 else { return }
      if words[1] == "begin" {
        duckedSince = now
        typedInterrupters.insert(String(words[2]))
        dismissed.remove(words[2].uppercased())
      } else {
        typedInterrupters.remove(String(words[2]))
        let line = words[2].uppercased()
        if lines[line].level { dismissed.insert(line) }
      }
    case "reload": music.noteReload()
    default: break
    }
  }

  private func noteSkip(thenPlays: Bool = false) {
    if thenPlays { contacts.claim?.port = route }
    counting.noteLeft()
    music.awaited = nil
  }

  /// Whoever wants no music has not chosen any.
  func noteWish() { if intentModel.intent != .playing { music.awaited = nil } }

  func applyStop(_ event: Event) {
    let cause = event["cause"]
    stoppedAt = now
    choice = nil
    if cause == "track-ended" { intentModel.stopAtEnd() }
    if cause == "contact" { applyContactStop() }
    if cause == "closed" { intentModel.stopAtEnd() }
    if cause == "idle" || cause == "hung-up" {
      demand(!intentModel.isAudible, cause == "idle" ? "K8" : "V6", "a reset while music plays")
      intentModel.stopAtEnd()
    }
    demand(
      intentModel.intent == .stopped, "P9",
      "playback stops, cause \(cause ?? "none"), though the intent is to \(intentModel.intent.rawValue)")
    contacts.end(at: now)
    beginAtOpening()
  }

  func applyLimit() {
    demand(
      intentModel.intent == .playing && intentModel.isInterrupted, "I9",
      "a limit ends an interruption that does not exist")
    intentModel.pauseWithoutResume()
  }

  func loseOutput() {
    intentModel.isOutputLost = true
    // A loss that was over before anything played is noticed late, and retried from now on.
    if !isOutputFailing { restoredAt = now }
  }

  func beginInterruption(_ event: Event) {
    guard let reason = event["reason"] else { return }
    demand(!intentModel.interruptions.contains(reason), "I1", "\(reason) begins twice")
    intentModel.interruptions.insert(reason)
  }
}

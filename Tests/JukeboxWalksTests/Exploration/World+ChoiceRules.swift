import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// The rules on a track that is chosen by itself.
extension World {
  func checkChoice(_ input: Input, _ before: World, _ found: inout [String], _ setup: Setup) {
    if case .audio(.playback(.began)) = input { checkFollowing(before, &found) }
    guard let number = chosen(input, before, setup), (1...max(setup.tracks, 1)).contains(number) else { return }
    let old = before.brain.player.transport
    demand(brain.player.queue.track == TrackID(number - 1), "T1 track \(number) is not the current one", &found)
    if old.isPromptShown {
      demand(!observed.isCommanded, "T7 a choice sounds while a prompt waits", &found)
      demand(brain.player.transport.intent == .paused, "T7 the intent is \(brain.player.transport.intent)", &found)
      demand(!brain.player.transport.isPromptShown, "T7 the prompt is not answered", &found)
      return
    }
    let isAgain = before.brain.player.queue.track == TrackID(number - 1) && old.routeLoss == nil
    // The card before it was lifted in the same moment.
    let isCard = if case .card = input { true } else { false }
    if isAgain && isCard && before.token != nil { return }
    switch (setup.settings.again, old.intent) {
    case (.pause, .playing) where isAgain && isCard:
      demand(brain.player.transport == old, "L1 a card that is laid changes what plays", &found)
    case (.pause, .playing) where isAgain:
      demand(brain.player.transport.intent == .paused, "T2 it does not pause", &found)
    case (.ignore, .playing) where isAgain:
      demand(
        brain.player.stream == before.brain.player.stream && brain.player.transport == old, "T2 it is not ignored",
        &found)
    case (.pause, .paused) where isAgain && before.brain.player.queue.isChosen:
      demand(
        brain.player.playhead.frame == before.brain.player.playhead.frame, "T2 it does not go on where it was", &found)
    case (_, _):
      demand(brain.player.transport.intent == .playing, "T1 a chosen track is not wanted", &found)
      demand(brain.player.playhead.frame == 0, "T1 it does not begin at its start", &found)
    }
  }

  /// The number of the track that is asked for, which the music need not have.
  private func chosen(_ input: Input, _ before: World, _ setup: Setup) -> Int? {
    switch input {
    case .console(let command) where command.hasPrefix("track "): Int(command.dropFirst("track ".count))
    case .typed(_, .enter):
      before.observed.isTypedOvertaken || before.isTypedAgain(setup) ? nil : Int(before.observed.typed)
    case .card(_, let token?, _): begins(token, before) ? Int(token) : nil
    default: nil
    }
  }

  /// Whether what is typed was read within `reader_repeat` of its last reading.
  private func isTypedAgain(_ setup: Setup) -> Bool {
    guard let last = observed.read[observed.typed] else { return false }
    return now < last + setup.settings.readerRepeat
  }

  /// T5, P1: a key does nothing but the last one of a token that names something, was meant for this port and is no
  /// reading that is known already, which is not even logged.
  func checkKey(_ input: Input, _ before: World, _ logged: [Event], _ found: inout [String], _ setup: Setup) {
    if case .typed(_, .enter) = input, before.isTypedAgain(setup) {
      demand(logged.isEmpty, "T5 a token that is read again is logged", &found)
      demand(timers[.idleReset] == before.timers[.idleReset], "T5 a token that is read again is use", &found)
    }
    guard case .typed = input, chosen(input, before, setup).map({ !(1...brain.library.count).contains($0) }) ?? true
    else {
      return
    }
    demand(brain.player.transport == before.brain.player.transport, "T5 a key changes the transport", &found)
    demand(brain.player.queue == before.brain.player.queue, "T5 a key moves the queue", &found)
  }

  /// T6: another place of the same track, and neither sound nor silence that was not there before.
  func checkSeek(_ input: Input, _ before: World, _ found: inout [String]) {
    guard case .console(let command) = input, command.hasPrefix("seek "), !brain.player.queue.isEmpty else { return }
    let old = before.brain.player.transport
    demand(brain.player.queue == before.brain.player.queue, "T6 the queue moves", &found)
    demand(observed.isCommanded == before.observed.isCommanded, "T6 it starts or stops", &found)
    let isLost = old.routeLoss != nil
    let intent: Intent = old.intent == .stopped || isLost ? .paused : old.intent
    demand(brain.player.transport.intent == intent, "T6 the intent is \(brain.player.transport.intent)", &found)
    demand(!brain.player.transport.isPromptShown, "T6 the prompt is not answered", &found)
    guard !observed.isCommanded, command == "seek 1s" else { return }
    demand(brain.player.playhead.frame == 48_000, "T6 it stands at \(brain.player.playhead.frame)", &found)
  }

  /// T3: what is heard next.
  private func checkFollowing(_ before: World, _ found: inout [String]) {
    guard before.brain.player.queue.staysAtChosen, before.brain.player.stream.hasBegun,
      brain.player.stream.id == before.brain.player.stream.id
    else { return }
    demand(
      brain.player.queue.place == before.brain.player.queue.place, "T3 another track follows the chosen one", &found)
  }
}

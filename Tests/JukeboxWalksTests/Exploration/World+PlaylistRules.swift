@testable import Jukebox
@testable import JukeboxTestSupport

/// The rules on playlists (T4): which part of the music is the queue, who may change that, and where it goes on.
extension World {
  func checkPlaylist(
    _ input: Input, _ before: World, _ logged: [Event], _ found: inout [String], _ setup: Setup
  ) {
    let (former, current) = (before.brain.player.playlists.current, brain.player.playlists.current)
    let expected = brain.library.ids(in: current)
    demand(
      brain.player.queue.order == expected, "T4 the queue of \(current ?? "all") is \(brain.player.queue.order)", &found
    )
    checkChosenPlaylist(input, before, &found, setup)
    checkTurned(input, before, &found, setup)
    guard former != current else { return }
    let isForNext = endsVisit(logged)
    demand(
      mayChange(input, before, setup) || isForNext && current == turned(setup),
      "T4 \(input) made \(former ?? "all") \(current ?? "all")", &found)
    checkPlace(input, isForNext: isForNext, &found, setup)
  }

  private func mayChange(_ input: Input, _ before: World, _ setup: Setup) -> Bool {
    let current = brain.player.playlists.current
    switch input {
    case .console(let command):
      return command == "playlist \(current ?? "")" || command == "playlist" && current == nil
        || command.hasPrefix("track \(current ?? "/")/")
    case .timer(.settle(let line)): return line.index == setup.selectorLine && current == turned(setup)
    case .timer(.idleReset), .timer(.promptTimeout): return current == turned(setup)
    case .powerOn: return true
    case .edge, .typed, .card, .knob, .timer, .audio, .recorder, .storage, .ledger, .ranking, .coin, .health, .category,
      .library, .scheduled, .missed, .timetable, .hours, .quiet, .woke, .headsetVolume, .shutdown, .headset:
      return false
    }
  }

  /// What the switch says.
  private func turned(_ setup: Setup) -> String? {
    guard let line = setup.selectorLine, let selector = setup.selector else { return nil }
    return brain.lines[line].debouncer.level ? selector.asserted : selector.released
  }

  /// Where the queue has gone to another playlist: to its beginning, or to where it was left.
  private func checkPlace(_ input: Input, isForNext isNext: Bool, _ found: inout [String], _ setup: Setup) {
    let isForTrack = if case .console(let command) = input { command.hasPrefix("track") } else { false }
    let isForNext = isNext || input == .timer(.idleReset) || input == .timer(.promptTimeout)
    let first = brain.player.queue.order.first.map { Position(track: $0, frame: 0) }
    let isResumed = setup.settings.playlistStart == .resume && !isForTrack && !isForNext
    let left = isResumed ? brain.player.playlists.current.flatMap { observed.left[$0] } : nil
    let here = brain.player.queue.track.map { Position(track: $0, frame: brain.player.playhead.frame) }
    demand(isForTrack || here == left ?? first, "T4 it goes on at \(here as Any), left at \(left as Any)", &found)
  }

  /// A playlist is asked for by name, and plays, or does as `again` says; where a prompt waits, it only moves (T7).
  private func checkChosenPlaylist(_ input: Input, _ before: World, _ found: inout [String], _ setup: Setup) {
    guard case .console(let command) = input, command.hasPrefix("playlist") else { return }
    let name = command == "playlist" ? nil : String(command.dropFirst("playlist ".count))
    let (old, new) = (before.brain.player.transport, brain.player.transport)
    if let name, brain.library.playlist(called: name) == nil {
      let isSame = new == old && brain.player.queue == before.brain.player.queue
      demand(isSame, "T4 a playlist that is not there changes something", &found)
      return
    }
    demand(brain.player.playlists.current == name, "T4 \(name ?? "all") is not the playlist", &found)
    if old.isPromptShown {
      demand(!observed.isCommanded && new.intent == .paused && !new.isPromptShown, "T7 \(new) at a prompt", &found)
      return
    }
    let isLost = old.routeLoss != nil
    let isAgain = before.brain.player.playlists.current == name && !isLost
    let isSame =
      brain.player.queue == before.brain.player.queue
      && brain.player.playhead.frame == before.brain.player.playhead.frame
    switch (setup.settings.again, old.intent) {
    case (.pause, .playing) where isAgain: demand(new.intent == .paused, "T2 it does not pause", &found)
    case (.pause, .paused) where isAgain: demand(new.intent == .playing && isSame, "T2 it does not go on", &found)
    case (.ignore, .playing) where isAgain: demand(new == old && isSame, "T2 it is not ignored", &found)
    case (_, _):
      demand(new.intent == .playing, "T4 a chosen playlist is not wanted", &found)
      let isAtStart = brain.player.queue.track == brain.player.queue.order.first && brain.player.playhead.frame == 0
      demand(!isAgain || isAtStart, "T2 it does not begin anew", &found)
    }
  }

  /// A selector only moves: what plays goes on, and what is silent stays silent.
  private func checkTurned(_ input: Input, _ before: World, _ found: inout [String], _ setup: Setup) {
    guard case .timer(.settle(let line)) = input, line.index == setup.selectorLine else { return }
    demand(brain.player.playlists.current == turned(setup), "T4 the switch is not obeyed", &found)
    let old = before.brain.player.transport
    let isLost = old.routeLoss != nil
    let isMoved = before.brain.player.playlists.current != brain.player.playlists.current
    let waits = isMoved && (isLost || old.intent == .stopped && brain.player.playhead.frame > 0)
    demand(
      brain.player.transport.intent == (waits ? .paused : old.intent),
      "T4 the switch makes it \(brain.player.transport.intent)",
      &found)
    demand(observed.isCommanded == before.observed.isCommanded || isLost, "T4 the switch starts or stops it", &found)
    demand(!isMoved || !brain.player.transport.isPromptShown, "T7 the switch is no answer", &found)
  }

  /// Notes where a playlist was left, from the state before the input.
  mutating func notePlaylist(_ before: World) {
    guard let former = before.brain.player.playlists.current, former != brain.player.playlists.current,
      let track = before.brain.player.queue.track
    else { return }
    observed.left[former] = Position(track: track, frame: before.brain.player.playhead.frame)
  }
}

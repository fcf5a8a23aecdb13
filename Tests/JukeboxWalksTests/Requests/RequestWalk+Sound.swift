import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// What is heard must be what the books say.
extension RequestWalk {
  mutating func judgeSound(_ step: RequestStep, _ before: Sight, _ events: [Event]) {
    if !kiosk.holdsLedger {
      let silent = books.entries.filter(\.isOwedReason).map(\.file)
      demand(silent.isEmpty, "J4 nobody says why the credits of \(silent) came back")
    }
    judgeJoint(step, before, events)
    forgetBackground(step)
    guard let sounding = soundingFile else { return waited = .zero }
    // It goes on where the power was cut.
    if books.playing == nil, let first = books.open.first, first.hadBegun, first.file == sounding {
      books.change(first.number) { $0.hasBegun = true }
    }
    if let playing = books.playing {
      demand(sounding == playing.file, "J1 \(sounding) is heard, and \(playing.file) plays")
    }
    judgeChoice(step, before, events)
    judgeBackground(step, before, sounding)
    let isDue = books.playing == nil && !books.open.isEmpty && !kiosk.holdsLedger && !isRefusing
    waited = isDue ? waited + (kiosk.now - before.now) : .zero
    demand(waited <= .seconds(1), "J1 \(books.open.map(\.file)) wait, and \(sounding) is heard as background")
  }

  /// After a request that was heard to its end, the next one follows.
  private mutating func judgeJoint(_ step: RequestStep, _ before: Sight, _ events: [Event]) {
    guard case .wait = step, before.playing != nil, before.sounding != nil,
      events.contains(where: { $0.name == .trackEnded }), !events.contains(where: { $0.name == .playbackPaused }),
      !books.open.filter({ $0.write <= min(told.0, told.1) }).isEmpty
    else { return }
    demand(soundingFile != nil, "J1 nothing follows behind \(before.sounding ?? ""), and requests wait")
  }

  private mutating func judgeChoice(_ step: RequestStep, _ before: Sight, _ events: [Event]) {
    guard case .choose = step, let playing = before.playing, before.sounding != nil else { return }
    let isStill = books.playing?.number == playing && (kiosk.heard?.frame ?? 0) >= before.frame
    demand(isStill || events.contains { $0.name == .trackEnded }, "J1 a choice has cut the request that plays")
  }

  private mutating func forgetBackground(_ step: RequestStep) {
    switch step {
    case .choose, .give, .coin, .wait, .refuses, .isSlow: break
    case .type, .press, .toggle, .music, .spoil, .breaksOff, .cut: background = nil
    }
  }

  /// After the last request, the background goes on where it was left.
  private mutating func judgeBackground(_ step: RequestStep, _ before: Sight, _ sounding: String) {
    if books.playing != nil {
      guard before.playing == nil, let former = before.sounding else { return }
      if case .cut = step { return }
      background = (former, before.frame)
    } else if let left = background {
      background = nil
      // It goes on from a file that can no longer be opened.
      let isSpoiled =
        spoiled.contains { Self.files[$0] == left.file } || !music.contains { Self.files[$0] == left.file }
      // Nor does this know what came at the end of its track between two looks.
      let isAtEnd = left.frame > (Self.length(of: left.file) - .milliseconds(500)).frames(rate: Kiosk.rate)
      guard books.open.isEmpty, !isSpoiled, !isAtEnd else { return }
      let frame = kiosk.heard?.frame ?? 0
      let isThere = sounding == left.file && (left.frame - Kiosk.rate / 10...left.frame + Kiosk.rate).contains(frame)
      demand(isThere, "J1 the background goes on in \(sounding) at \(frame), left in \(left.file) at \(left.frame)")
    }
  }
}

@testable import Jukebox
@testable import JukeboxTestSupport

/// Outputs that follow what is heard: BUSY is `playing`, ONE is `track:1` (E rows).
extension World {
  static let signals = [
    Line(name: "BUSY", role: .signal(OutputSignal(whileAny: [.playing]))),
    Line(name: "ONE", role: .signal(OutputSignal(whileAny: [.track(.number(1))]))),
  ]

  func addSignals(to key: inout [UInt8]) {
    let hearing = brain.signals.hearing
    key.append((isShown("BUSY") ? 1 : 0) | (isShown("ONE") ? 2 : 0) | (hearing.isPlaying ? 4 : 0))
    key.append(hearing.listen.track.map { UInt8($0.number) } ?? 99)
    key.append(hearing.stream.map { $0 == brain.player.stream.id ? 1 : 2 } ?? 0)
  }

  func isShown(_ name: String) -> Bool { brain.signals.shown.contains { $0.name == name && $0.pattern != .off } }

  mutating func checkSignals(_ input: Input, _ before: World, _ found: inout [String]) {
    let player = brain.player
    let goesOn = player.wantsSound || player.transport.isHeldByDoubtOnly
    let (isBusy, wasBusy) = (isShown("BUSY"), before.isShown("BUSY"))
    let (isOne, wasOne) = (isShown("ONE"), before.isShown("ONE"))
    demand(!wasBusy || isBusy || !goesOn, "E2 BUSY ends, and the music goes on", &found)
    if isBusy && !wasBusy { demand(isFirstFrame(input), "E1 BUSY begins after \(input)", &found) }
    if isOne && !wasOne { demand(isFirstFrame(input), "E4 ONE begins after \(input)", &found) }
    // The stream that is heard may be the one before.
    guard engine.reports.isEmpty else { return }
    let isHeard = engine.phase == .running && engine.stream == player.stream.id
    demand(isBusy || !isHeard, "E1 music is heard without BUSY", &found)
    demand(!isBusy || isHeard || goesOn, "E1 BUSY, and no music is heard or wanted", &found)
    let isFirst = player.queue.track.map { player.index(of: $0) == 0 } ?? false
    demand(!isHeard || isOne == isFirst, "E4 ONE is \(isOne), and the track is the first: \(isFirst)", &found)
    demand(
      !isOne || isFirst && player.transport.intent != .stopped, "E4 the listen is over, and ONE is asserted", &found)
  }

  private func isFirstFrame(_ input: Input) -> Bool {
    switch input {
    case .audio(.playback(.started)), .audio(.playback(.began)): true
    case _: false
    }
  }
}

import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Contacts with manners among everything else that happens at a kiosk, at random (O rows).
@Suite struct ContactWalkTests {
  private static func line(_ name: String, _ button: Button, _ manners: Manners) -> Line {
    Line(name: name, role: .button(button), manners: manners)
  }

  private static func kiosk(_ seed: Int) -> Kiosk {
    Kiosk(
      selectors: [
        line("SEAT", .track(.number(2)), Manners(.while)),
        line("MAT", .playlist("english"), Manners(.while, delay: .seconds(1), limit: .seconds(40))),
        line("PIR", .track(.number(1)), Manners(.finish, rearm: .milliseconds(50), inhibit: .seconds(5))),
        line("MORE", .playlist("deutsch"), Manners(seed % 2 == 0 ? .next : .random)),
      ],
      names: Kiosk.folders
    ) {
      $0.onConnect = Settings.OnConnect.allCases[seed % 3]
      $0.again = Settings.Again.allCases[seed / 3 % 3]
      $0.afterTrack = seed % 5 == 0 ? .stop : .next
      $0.playlistStart = seed % 7 == 0 ? .resume : .beginning
      $0.visitGap = seed % 4 == 0 ? .zero : .seconds(10)
    }
  }

  /// What happens next. Returns whether somebody asks for music by it.
  private static func step(_ kiosk: Kiosk, _ levels: inout [String: Bool], _ random: inout SplitMix64) -> Bool {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<12:
      let name = ["SEAT", "SEAT", "SEAT", "MAT", "PIR", "MORE", "JACK", "JACK", "DOCK", "PAGE"].randomElement(
        using: &random)
      let level = !(levels[name ?? ""] ?? false)
      levels[name ?? ""] = level
      kiosk.edge(name ?? "", level)
    case 12: kiosk.edge("play", true)
    case 13:
      kiosk.edge("play", false)
    case 14:
      kiosk.type("start")
      return true
    case 15:
      let command =
        ["stop", "next", "pause", "track 2", "playlist", "seek 50s"].randomElement(using: &random) ?? "stop"
      kiosk.type(command)
      return command == "track 2" || command == "playlist"
    case 16:
      let asserted = Set(levels.filter(\.value).keys.map(kiosk.line))
      kiosk.feed(.woke(asserted: asserted, slept: .seconds(3)))
    case 17:
      kiosk.list(Bool.random(using: &random) ? Kiosk.folders : Array(Kiosk.folders.dropFirst(2)))
    default:
      // Whatever has begun to move rests first.
      if levels.isEmpty || kiosk.timers.keys.contains(where: { if case .settle = $0 { true } else { false } }) { break }
      kiosk.wait(.seconds(Int.random(in: 1...70, using: &random)))
    }
    return false
  }

  /// Watches what a closed contact keeps sounding, after every millisecond in which something may happen.
  private struct Watch {
    /// Where it may begin to sound: where the contact closed, where it was heard last, or where somebody asked for it.
    var port: Port?
    var before: Port?
    var past: [String] = []

    mutating func look(_ kiosk: Kiosk, isAsked: Bool = false, _ place: String) {
      let events = kiosk.events
      past = (past + events.map { $0.line(at: kiosk.now) }).suffix(30)
      kiosk.forget()
      defer { before = kiosk.sounding }
      guard let claim = kiosk.jukebox.player.queue.claim, claim.isHeld else { return }
      let name = kiosk.jukebox.configuration.lines[claim.line.index].name
      #expect(kiosk.jukebox.lines.isAsserted(name), "\(place): \(name) is open")
      let isBegun = events.contains { event in
        let isPress = event.name == .buttonPressed && event["ignored"] == nil
        return isPress && (event["line"] == name || event["button"] == "play") || event.name == .playlistChanged
      }
      if isAsked || isBegun { port = kiosk.status.route.port }
      guard let sounding = kiosk.sounding else { return }
      if before == nil { #expect(sounding == port, "\(place): \(name)\n\(past.joined(separator: "\n"))") }
      port = sounding
    }
  }

  @Test(
    "O3, O8, R3: what a closed contact keeps sounding begins at its port only, and is over when it is open",
    arguments: 0..<60)
  func walk(seed: Int) {
    var random = SplitMix64(state: UInt64(seed))
    let kiosk = Self.kiosk(seed)
    var levels: [String: Bool] = [:]
    var watch = Watch()
    for step in 0..<300 {
      let place = "seed \(seed), step \(step)"
      watch.look(kiosk, isAsked: Self.step(kiosk, &levels, &random), place)
      // Never two edges in one instant, so that each press has a route of its own.
      for _ in 0..<([1, 7, 29, 31, 62].randomElement(using: &random) ?? 1) {
        kiosk.wait(.milliseconds(1))
        watch.look(kiosk, place)
      }
    }
  }
}

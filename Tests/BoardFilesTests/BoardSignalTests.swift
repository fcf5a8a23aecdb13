import AudioSession
import BoardFiles
import Files
import Jukebox
import TestSupport
import Testing

/// Lines of role `signal` in board files.
@Suite struct BoardSignalTests {
  private func board(_ lines: String) throws(FileError) -> BoardDescription {
    let text = """
      name = "B"
      rate = 44100
      chip = "c"
      \(lines)
      [ports.speaker]
      sense = "always"
      priority = 10
      pcm = "out"
      """
    return try BoardFile.parse(Array(text.utf8), file: "b.toml")
  }

  @Test("E1, E3, E8, E9: every key of a signal")
  func keys() throws {
    let board = try board(
      """
      [lines.A]
      role = "signal"
      while = "playing"
      offset = 1
      active = "low"
      [lines.B]
      role = "signal"
      while = ["track:3", "track:3 Rain", "playlist:0", "cue:welcome", "port:speaker", "no-music"]
      and = ["visit", "fault"]
      on_delay = "250ms"
      off_delay = 2
      pattern = "triple-flash"
      led = "status:green"
      [lines.C]
      role = "signal"
      on = ["track.started", "boot"]
      pulse = "1s"
      pattern = "blink"
      offset = 2
      [lines.D]
      role = "signal"
      on = "visit.began"
      offset = 3
      [lines.E]
      role = "signal"
      while = "playing"
      offset = 4
      [lines.F]
      role = "signal"
      while = ["credits", "request", "requests-full", "no-coins"]
      offset = 5
      """)
    let roles = board.lines.map(\.role)
    #expect(roles[0] == .signal(OutputSignal(whileAny: [.playing])) && board.lines[0].activeLow)
    #expect(roles[4] == roles[0])
    #expect(roles[5] == .signal(OutputSignal(whileAny: [.credits, .request, .requestsFull, .noCoins])))
    let conditions: [OutputSignal.Condition] = [
      .track(.number(3)), .track(.file("3 Rain")), .playlist("0"), .cue("welcome"), .port(.speaker), .noMusic,
    ]
    #expect(
      roles[1]
        == .signal(
          OutputSignal(
            whileAny: conditions, alsoWhile: [.visit, .fault], onDelay: .milliseconds(250), offDelay: .seconds(2),
            pattern: .tripleFlash)))
    #expect(board.lines[1].source == .led("status:green"))
    #expect(
      roles[2] == .signal(OutputSignal(pulse: .seconds(1), on: [.trackStarted, .boot], pattern: .blink)))
    #expect(roles[3] == .signal(OutputSignal(pulse: .milliseconds(500), on: [.visitBegan])))
    // A light of the kernel is not a line of a chip, and the others are released until something is decided (E5).
    let requests = board.lineRequests()
    #expect(requests.map(\.name) == ["A", "C", "D", "E", "F"])
    #expect(requests.allSatisfy { $0.direction == .output(asserted: false) })
  }

  @Test("E7: sixty-four signals, and no more")
  func most() throws {
    func lines(_ count: Int) -> String {
      (0..<count).map { number in
        "[lines.LIGHT_\(number)]\nrole = 'signal'\nwhile = 'playing'\noffset = \(number)"
      }.joined(separator: "\n")
    }
    #expect(try board(lines(64)).lines.count == 64)
    let error = errorText { () throws(FileError) in try board(lines(65)) }
    #expect(error == "b.toml:261: lines.LIGHT_64.role: is that of 65 lines, expected 64 at most")
  }
}

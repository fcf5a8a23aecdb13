import Board
import BoardFiles
import Files
import Jukebox
import Testing

/// Lines of role `coin` and `coin-inhibit` in a board file.
@Suite struct CoinLineTests {
  private static let base = """
    name = "B"
    rate = 44100
    chip = "gpiochip0"
    [ports.speaker]
    sense = "always"
    priority = 10
    pcm = "out"

    """

  private func board(_ lines: String) throws(FileError) -> BoardDescription {
    try BoardFile.parse(Array((Self.base + lines + "\n").utf8), file: "b.toml")
  }

  private func errors(_ lines: String) -> [String] {
    errorTexts { () throws(FileError) in _ = try board(lines) }
  }

  @Test("J3: a coin line has times of its own and no debounce; a board may have several that are alike")
  func roles() throws {
    let board = try board(
      """
      [lines.A]
      role = "coin"
      offset = 1
      active = "low"
      bias = "pull-up"
      [lines.B]
      role = "coin"
      offset = 2
      [lines.C]
      role = "coin"
      device = "acceptor"
      code = "f1"
      pulse_min = "5ms"
      coin_gap = "300ms"
      stuck_after = "2s"
      """)
    #expect(board.lines.map(\.role).prefix(2) == [.coin(CoinLine()), .coin(CoinLine())])
    let own = CoinLine(pulseMin: .milliseconds(5), gap: .milliseconds(300), stuckAfter: .seconds(2))
    #expect(board.lines[2].role == .coin(own))
    #expect(board.lines.allSatisfy { $0.debounce == .zero })
    #expect(board.lineRequests().map(\.direction) == [.input(bias: .pullUp), .input(bias: .asIs)])
    #expect(board.inputRequests().map(\.name) == ["C"])
  }

  @Test("J3.6: an output that keeps coins out does so from the moment at which it is opened; there may be several")
  func inhibit() throws {
    let board = try board(
      """
      [lines.A]
      role = "coin-inhibit"
      active = "low"
      offset = 1
      [lines.B]
      role = "coin-inhibit"
      offset = 2
      """)
    #expect(board.lines.map(\.role) == [.coinInhibit, .coinInhibit])
    #expect(board.lineRequests().map(\.direction) == [.output(asserted: true), .output(asserted: true)])
  }

  @Test("J3: what a line of these roles does not have is named with its line")
  func faults() {
    let coin = "[lines.A]\nrole = \"coin\"\noffset = 1\n"
    #expect(
      errors(coin + "debounce = \"30ms\"")
        == ["b.toml:11: lines.A.debounce: found on a coin line, expected pulse_min instead"])
    #expect(
      errors(coin + "pulse_min = \"200ms\"")
        == ["b.toml:11: lines.A.pulse_min: \"200ms\" is out of range, expected 1ms...100ms"])
    #expect(
      errors(coin + "coin_gap = \"1h\"")
        == ["b.toml:11: lines.A.coin_gap: \"1h\" is out of range, expected 20ms...5s"])
    #expect(
      errors(coin + "stuck_after = \"2min\"")
        == ["b.toml:11: lines.A.stuck_after: \"2min\" is out of range, expected 100ms...1min"])
    #expect(
      errors(coin + "pulse_min = \"80ms\"")
        == ["b.toml:11: lines.A.pulse_min: coin_gap is 150ms, expected twice pulse_min at least, 160ms"])
    #expect(
      errors(coin + "pulse_min = \"20ms\"\ncoin_gap = \"39ms\"")
        == ["b.toml:12: lines.A.coin_gap: coin_gap is 39ms, expected twice pulse_min at least, 40ms"])
    for key in ["pulse_min", "coin_gap", "stuck_after"] {
      #expect(
        errors("[lines.A]\nrole = \"play\"\noffset = 1\n\(key) = \"150ms\"")
          == ["b.toml:11: lines.A.\(key): expected only with role = \"coin\""])
    }
    let inhibit = "[lines.A]\nrole = \"coin-inhibit\"\noffset = 1\n"
    #expect(
      errors(inhibit + "bias = \"pull-up\"")
        == ["b.toml:11: lines.A.bias: found on a coin-inhibit, expected only on inputs"])
    #expect(
      errors("[lines.A]\nrole = \"coin-inhibit\"\ndevice = \"d\"\ncode = \"f1\"")
        == ["b.toml:10: lines.A.device: found on a coin-inhibit, expected only on inputs"])
  }
}

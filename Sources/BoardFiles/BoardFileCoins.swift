import AudioSession
import Files
import Jukebox

/// Coin acceptors (J3).
extension BoardFile {
  /// `stuck_after` is a key of the settings, too; there it is that of buttons.
  static let coinKeys = ["pulse_min", "coin_gap", "stuck_after"]

  static func refuseCoinKeys(_ table: TOMLTable, _ role: Line.Role) throws(FileError) {
    if role.isCoin {
      // Its pulses are shorter than the bounce of a button.
      if table.has("debounce") {
        try table.keep(table.error("debounce", "found on a coin line, expected pulse_min instead"))
      }
      return
    }
    for key in coinKeys where table.has(key) {
      try table.keep(table.error(key, "expected only with role = \"coin\""))
    }
  }

  static func coin(_ table: TOMLTable) throws(FileError) -> Line.Role {
    var coin = CoinLine()
    coin.pulseMin =
      try table.optional("pulse_min", .duration(in: .milliseconds(1) ... .milliseconds(100))) ?? coin.pulseMin
    coin.gap = try table.optional("coin_gap", .duration(in: .milliseconds(20) ... .seconds(5))) ?? coin.gap
    coin.stuckAfter =
      try table.optional("stuck_after", .duration(in: .milliseconds(100) ... .seconds(60))) ?? coin.stuckAfter
    for (key, time) in [("coin_gap", coin.gap), ("stuck_after", coin.stuckAfter)] where time < coin.pulseMin * 2 {
      let (found, least) = (DurationText.format(time), DurationText.format(coin.pulseMin * 2))
      try table.keep(
        table.error(
          table.has(key) ? key : "pulse_min", "\(key) is \(found), expected twice pulse_min at least, \(least)"))
    }
    return .coin(coin)
  }
}

import Jukebox
import Simulator
// For strings in strings, which the product does without (Package.swift).
import _StringProcessing

/// What the console replies (K7).
extension Oracle {
  public func replied(_ text: String) {
    for line in text.split(separator: "\n") { console.append(line) }
    if text.hasPrefix("error: ") { refusedLines.insert(stepLine) }
  }

  /// K7.4: whoever wants music is told at once where something holds it, and only then.
  func checkHeld() -> Mismatch? {
    guard let wanted else { return nil }
    self.wanted = nil
    // Whoever was no stronger than the music has given way to it (I6).
    let isHeldNow = intentModel.intent == .playing && !intentModel.steadyHolds.isEmpty
    if wanted.isHeld != isHeldNow { return nil }
    if wanted.isHeld == refusedLines.contains(wanted.line) || music.listed.isEmpty { return nil }
    return Mismatch("K7.4", "music is wanted and \(wanted.isHeld ? "" : "not ")held, and the reply says otherwise")
  }

  /// K7: the outcome reports the lines of refused commands, and no others.
  func checkRefusals(_ outcome: Simulation.Outcome) -> Violation? {
    let reported = outcome.failures.filter { $0.contains(" to be obeyed, found error: ") }.compactMap {
      $0.split(separator: ":").dropFirst().first.flatMap { Int($0) }
    }
    if reported == refusedLines.sorted() { return nil }
    return Violation(
      row: "K7", at: now, message: "refused in the lines \(refusedLines.sorted()), reported for \(reported)")
  }
}

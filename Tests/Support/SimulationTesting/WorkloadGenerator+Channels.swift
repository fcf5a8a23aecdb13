/// Somebody sets at the console what the sides of a port play (M rows). Chosen apart from all else, and in one workload
/// of three, because music and cues cannot always be told apart then.
extension WorkloadGenerator {
  mutating func addChannels(seed: UInt64, until end: Int) {
    var choice = SeededGenerator(seed: seed &* 37)
    guard choice.chance(33) else { return }
    // Where a plug moves or somebody does something, or at any time.
    let moments = steps.filter { ["plug", "unplug", "press"].contains($0.words.prefix { $0 != " " }) }.map(\.at)
    for _ in 0..<choice.integer(3...30) {
      var now = choice.integer(1...end)
      if !moments.isEmpty && choice.chance(60) {
        now = max(1, moments[choice.integer(0...moments.count - 1)] + choice.integer(-400_000...2_000_000))
      }
      let port = choice.pick("", "", "headphones ", "speaker ", "line-out ")
      let mode = choice.pick("stereo", "mono", "mono", "left", "right", "swap")
      let command =
        choice.chance(25)
        ? "balance \(port)\(choice.pick(0, 0, choice.integer(-100...100)))" : "channels \(port)\(mode)"
      add(now, "console \"\(command)\"")
    }
  }
}

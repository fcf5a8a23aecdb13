import Jukebox

/// What is chosen by itself (T rows).
extension Oracle {
  /// A track was asked for by its number, or by its file's name with or without the ending.
  func choose(_ name: String) {
    guard let number = number(of: name) else { return intentModel.settleSkip() }
    if intentModel.choose(isCurrent: number == track) {
      logChecker.choose(number)
      choice = number
    }
  }

  private func number(of name: String) -> Int? {
    if let number = Int(name) { return (1...kiosk.library.count).contains(number) ? number : nil }
    return kiosk.library.firstIndex { $0.name == name || $0.name.hasPrefix("\(name).") }.map { $0 + 1 }
  }

  /// T1: the chosen track is the current one at once, at its start.
  func checkChoice(_ status: Status) {
    track = status.track
    guard let choice else { return }
    self.choice = nil
    // One that cannot be played is left at once (T8).
    guard TestMusic.frames(of: kiosk.library[choice - 1].name) != nil else { return }
    demand(status.track == choice, "T1", "track \(status.track ?? 0) is the current one, and \(choice) was chosen")
    if kiosk.settings.settings.again == .restart {
      demand(status.frame == 0, "T1", "the chosen track is at frame \(status.frame)")
    }
  }
}

import AudioSession

/// The last commands to engine, amplifier, lamp and timers, without the music. Only differences from them are sent.
struct Commanded: Hashable, Sendable {
  private(set) var port: Port?
  /// Ports before, at one of which the sound may still be heard until the device of this one is open (B1).
  private(set) var left: Set<Port> = []
  private var volume = 0
  private var others: [Port: Int] = [:]
  private var level = MusicLevel.own
  private(set) var isAmplifierMuted = true
  /// Nothing counts towards the idle reset.
  private(set) var isBusy = false
  private(set) var lamp = LampPattern.off
  /// The timers that run.
  private(set) var deadlines: [DueTimer] = []

  // MARK: - The engine

  /// The commands that bring the engine to a port and a volume, and other ports to theirs.
  ///
  /// - Parameter isSounding: music or a cue sounds, or is about to.
  mutating func move(to port: Port?, volume: Int, isSounding: Bool) -> AudioCommand? {
    defer { (self.port, self.volume) = (port, volume) }
    guard port != self.port else { return volume == self.volume ? nil : .volume(volume) }
    if !isSounding { left = [] } else if let former = self.port { left.insert(former) }
    if let port { left.remove(port) }
    return .route(port, volume: volume)
  }

  /// Silence at a port whose plug is being pulled; nil where nothing can be heard. Whether it still is, the engine knows:
  /// its reports from before the command to move do not count.
  mutating func vacate(_ port: Port) -> AudioCommand? { left.remove(port).map { .vacate($0) } }

  mutating func setOthers(_ others: [Port: Int]) -> AudioCommand? {
    defer { self.others = others }
    return others == self.others ? nil : .others(others)
  }

  /// Returns the level before; nil where it is the same.
  mutating func moveMusic(to level: MusicLevel) -> MusicLevel? {
    defer { self.level = level }
    return level == self.level ? nil : self.level
  }

  // MARK: - The others. False is returned where nothing changes

  mutating func muteAmplifier(_ isMuted: Bool) -> Bool {
    defer { isAmplifierMuted = isMuted }
    return isMuted != isAmplifierMuted
  }

  mutating func setBusy(_ isBusy: Bool) -> Bool {
    defer { self.isBusy = isBusy }
    return isBusy != self.isBusy
  }

  mutating func show(_ lamp: LampPattern) -> Bool {
    defer { self.lamp = lamp }
    return lamp != self.lamp
  }

  // MARK: - Timers

  mutating func fired(_ timer: TimerID) { deadlines.removeAll { $0.timer == timer } }

  func isDue(_ timer: TimerID, at now: Instant) -> Bool { deadlines.contains { $0.timer == timer && $0.at <= now } }

  /// Returns what has to be done for these timers, and no others, to run.
  mutating func runOnly(_ deadlines: [DueTimer]) -> [Effect] {
    if deadlines == self.deadlines { return [] }
    let former = self.deadlines
    self.deadlines = deadlines
    let ended = former.filter { old in !deadlines.contains { $0.timer == old.timer } }
    return ended.map { .cancelTimer($0.timer) }
      + deadlines.filter { !former.contains($0) }.map { .setTimer($0.timer, $0.at) }
  }
}

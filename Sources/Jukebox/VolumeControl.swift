import AudioSession

/// The listener's volume, 0...100, remembered for each port and never above the port's ceiling, nor above that of the quiet
/// hours.
struct VolumeControl: Hashable, Sendable {
  private(set) var start: Int
  let ceilings: [Port: Int]
  private let floors: [Port: Int]
  /// What somebody has set; a port without an entry plays at the start volume.
  private(set) var chosen: [Port: Int]
  /// The ceiling of the quiet hours; nil: it is not quiet.
  private(set) var quiet: Int?
  /// The one of what is heard, which follows it by a fade.
  private(set) var heardCeiling: Int?

  init(ports: [OutputPort], start: Int) {
    self.start = start
    ceilings = Dictionary(ports.map { ($0.port, $0.ceiling) }, uniquingKeysWith: min)
    floors = Dictionary(ports.map { ($0.port, $0.floor) }, uniquingKeysWith: max)
    chosen = [:]
  }

  /// The volume a step of a button further: not below the port's floor, and no louder for being below it already.
  func stepped(by step: Int, of port: Port) -> Int {
    let volume = volume(of: port)
    return max(volume + step, min(volume, floors[port] ?? 0))
  }

  func ceiling(of port: Port) -> Int { min(ceilings[port] ?? 100, quiet ?? 100) }

  func volume(of port: Port) -> Int { min(remembered(of: port), quiet ?? 100) }

  /// The volume that a port has outside the quiet hours.
  func remembered(of port: Port) -> Int { min(chosen[port] ?? start, ceilings[port] ?? 100) }

  /// The volume that is heard at a port now, which follows the quiet hours by a fade.
  func heard(of port: Port) -> Int { min(remembered(of: port), heardCeiling ?? 100) }

  /// Sets a volume, clamped to 0...ceiling. Returns the volumes before and after.
  mutating func set(_ volume: Int, for port: Port) -> (old: Int, new: Int) {
    let old = self.volume(of: port)
    let new = max(0, min(volume, ceiling(of: port)))
    // A volume that was louder before the quiet hours comes back after them, unless somebody wants less than they
    // allow.
    if new != old || remembered(of: port) == old { chosen[port] = new }
    return (old, new)
  }

  /// Every port begins at this volume from now on, and has it.
  /// - Parameter kept: ports at which what somebody has set stays.
  mutating func begin(at volume: Int, keeping kept: [Port] = []) {
    start = volume
    chosen = chosen.filter { kept.contains($0.key) }
  }

  mutating func limit(to quiet: Int?, heard: Int?) { (self.quiet, heardCeiling) = (quiet, heard) }

  mutating func restore(_ volumes: [Port: Int]) {
    for (port, volume) in volumes {
      if let ceiling = ceilings[port] { chosen[port] = max(0, min(volume, ceiling)) }
    }
  }

  /// Puts a volume back to its start. Returns the volumes before and after.
  mutating func reset(_ port: Port) -> (old: Int, new: Int) {
    let old = volume(of: port)
    chosen[port] = nil
    return (old, volume(of: port))
  }
}

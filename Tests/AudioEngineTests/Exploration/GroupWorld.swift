import AudioSession
import Board
import Jukebox
import Testing

@testable import AudioEngine
@testable import KioskTestSupport
@testable import Simulator

/// An output group with a loudspeaker and a headset, whose device takes as long as one likes to be opened, fails, and
/// stands still; and what must hold whatever happens to it (S6, B1, B2, B3).
final class GroupWorld {
  enum Step: CaseIterable {
    case speaker, both, headset, headsetAndSpeaker, play, silence, opens, fails, standsStill, isBack, waits

    /// How long it is looked at afterwards: past the limit of a device that stands still, and a first try again.
    var time: Duration {
      switch self {
      case .standsStill: .milliseconds(300)
      case .waits: .milliseconds(1_500)
      case .speaker, .both, .headset, .headsetAndSpeaker, .play, .silence, .opens, .fails, .isBack: .milliseconds(80)
      }
    }
  }

  private static let rate = 8_000
  /// Frames of the sound that is looked at after a step, when all fades are over.
  private static let end = rate / 100

  let clock = VirtualClock()
  private(set) var violations: [String] = []
  private let devices: HardDevices
  private let group: OutputGroup
  private var route = Port.speaker
  private var others: Set<Port> = []
  /// The brain wants sound, and the route's device has not been lost since.
  private var isOn = false
  private var isLoaded = false
  private var isLost = false
  /// The headset's device has failed or stands still, or it did not answer yet.
  private var isAway = false
  private var isStill = false
  /// What stood still is behind until the next pause.
  private var mayBeBehind = false
  private var mayOpen = false
  private var seen: [Port: Int] = [:]

  init() {
    // The loudspeaker cannot be rewound, so its fade is over later than that of the headset.
    devices = HardDevices(
      HardDevice.Quirks(), of: [.speaker: HardDevice.Quirks(takesBack: false)], clock: clock, answersAtOnce: false)
    let outputs = [
      AudioEngine.Output(port: .speaker, device: "speaker"),
      AudioEngine.Output(port: .bluetooth, device: "bluetooth", stall: .milliseconds(250)),
    ]
    group = OutputGroup(
      outputs: outputs, devices: devices, tracks: CountingTracks(["0": 600 * Self.rate], sound: .left),
      cueFiles: CountingTracks([:], sound: .left), rate: Self.rate, buffer: .milliseconds(200),
      library: Library(paths: ["0"]), cues: [])
    group.obey(.route(.speaker, volume: 100), at: clock.now)
    pass(.milliseconds(10))
  }

  deinit { for thread in group.deviceThreads { thread.stop() } }

  /// Whether the step would do anything: what cannot happen is not tried.
  func allows(_ step: Step) -> Bool {
    switch step {
    case .opens: !mayOpen
    case .fails: !isAway && device(.bluetooth) != nil
    case .standsStill: !isAway && device(.bluetooth) != nil
    case .isBack: isAway || isLost
    case .silence: isOn
    // As the brain, which takes the route elsewhere first.
    case .play: !isOn && !isLost
    case .speaker, .both, .headset, .headsetAndSpeaker, .waits: true
    }
  }

  func take(_ step: Step) {
    let before = moment
    let isSteady =
      isOn && route == .speaker && group.soundingPort == .speaker && sounds(.speaker, since: before - Self.end)
    for (port, tap) in devices.taps { seen[port] = tap.frames.count }
    act(step)
    pass(step.time)
    check(step, since: before, isSteady: isSteady)
  }

  /// All works again and music is wanted at both: it is heard at both, and they are together.
  func recover() {
    take(.opens)
    take(.isBack)
    take(.silence)
    take(.both)
    if !isOn { take(.play) }
    // Longer than what is tried again waits after so few failures.
    pass(.seconds(5))
    for port in [Port.speaker, .bluetooth] {
      demand(sounds(port, since: moment - Self.end), "S6 \(port) never sounds again")
    }
    demand(isTogether, "S6 the ports are never together again")
  }

  // MARK: - Steps

  private func act(_ step: Step) {
    switch step {
    case .speaker: move(to: .speaker, [])
    case .both: move(to: .speaker, [.bluetooth])
    case .headset: move(to: .bluetooth, [])
    case .headsetAndSpeaker: move(to: .bluetooth, [.speaker])
    case .play:
      if !isLoaded { obey(.load(stream: 1, Position(track: 0, frame: 0))) }
      isLoaded = true
      isOn = true
      obey(.play)
    case .silence: fallSilent()
    case .opens: mayOpen = true
    case .fails:
      isAway = true
      devices.dead = [.bluetooth]
      device(.bluetooth)?.stop(as: .disconnected)
    case .standsStill:
      isAway = true
      isStill = true
      mayBeBehind = true
      device(.bluetooth)?.quirks.silentFrom = clock.now
      device(.bluetooth)?.quirks.refusesUntil = clock.now + .seconds(1_000)
    case .isBack:
      isAway = false
      devices.dead = []
      if isStill, let device = device(.bluetooth) {
        device.quirks.refusesUntil = .powerOn
        device.quirks.silentFrom = nil
        // What stood still is tried again, as the brain does it.
        device.stop(as: .disconnected)
      }
      isStill = false
      if isLost { obey(.reopen) }
    case .waits: break
    }
  }

  private func move(to port: Port, _ others: Set<Port>) {
    if port != route {
      route = port
      isLost = false
      obey(.route(port, volume: 100))
    }
    self.others = others
    obey(.others(Dictionary(uniqueKeysWithValues: others.map { ($0, 100) })))
  }

  private func fallSilent() {
    isOn = false
    mayBeBehind = false
    obey(.silence(edge: clock.now))
  }

  private func obey(_ command: AudioCommand) { group.obey(command, at: clock.now) }

  private func device(_ port: Port) -> HardDevice? { devices.opened.last { $0.port == port && !$0.isClosed } }

  // MARK: - Time

  private func pass(_ time: Duration) {
    let end = clock.now + time
    while true {
      let due = [settle(), group.nextTry].compactMap { $0 }.min()
      guard clock.now < end || due.map({ $0 <= end }) ?? false else { break }
      clock.advance(to: min(end, max(due ?? end, clock.now)))
      group.retry(at: clock.now)
    }
    for device in devices.opened where !device.isClosed { device.catchUp() }
  }

  private func settle() -> Instant? {
    // What a report has led to is done, too, before time passes.
    var idle = 0
    while true {
      let (next, hasDecoded) = group.work(at: clock.now)
      var isBusy = hasDecoded
      for thread in group.deviceThreads {
        guard let request = thread.request, request == .other || thread.device == "speaker" || mayOpen else { continue }
        thread.work()
        isBusy = true
      }
      for report in group.takeReports(at: clock.now) {
        isBusy = true
        note(report)
      }
      idle = isBusy ? 0 : idle + 1
      if idle > 1 { return next }
    }
  }

  private func note(_ report: AudioReport) {
    switch report {
    case .opened(let stream, _, _): obey(.follow(stream: stream, track: nil))
    case .outputLost:
      demand(mayFail && route == .bluetooth, "I14 the device of \(route) works, and is lost")
      isLost = true
      isOn = false
    case .playback(.outputRestored): isLost = false
    case .otherOutputLost(let port, _):
      demand(mayFail && port == .bluetooth, "S6 \(port) works, and is lost beside the route")
    default: break
    }
  }

  // MARK: - Rules

  /// The headset's device has failed, or does not answer for too long.
  private var mayFail: Bool { isAway || !mayOpen }

  private var moment: Int { clock.now.frame(rate: Self.rate) }

  private func sounds(_ port: Port, since: Int) -> Bool { (devices.taps[port]?.frames.last?.at ?? -1) >= since }

  /// What both ports sound at is the same frame.
  private var isTogether: Bool {
    guard let one = devices.taps[.speaker]?.frames.last, let other = devices.taps[.bluetooth]?.frames.last else {
      return false
    }
    return abs((Int(one.left) - one.at) - (Int(other.left) - other.at)) % 30_000 <= Self.rate / 100 + 2
  }

  private func check(_ step: Step, since before: Int, isSteady: Bool) {
    let wanted: Set<Port> = isOn ? others.union([route, group.soundingPort ?? route]) : []
    for port in [Port.speaker, .bluetooth] where !wanted.contains(port) {
      demand(!sounds(port, since: moment - Self.end), "R3 \(port) sounds, and nothing is wanted there")
    }
    if isOn && route == .speaker { demand(sounds(.speaker, since: moment - Self.end), "S6 the route does not sound") }
    if isSteady && isOn && route == .speaker { checkUndisturbed(since: before) }
    // One that was late is brought in step as soon as it is known where it began.
    if step == .waits && !mayBeBehind && isOn && !isAway && sounds(.speaker, since: moment - 2)
      && sounds(.bluetooth, since: moment - 2)
    {
      demand(isTogether, "S6 the ports are apart")
    }
  }

  /// Whatever happens at the headset: at the route no frame is missing, and none comes twice.
  private func checkUndisturbed(since before: Int) {
    guard let frames = devices.taps[.speaker]?.frames.dropFirst(seen[.speaker] ?? 0), let first = frames.first else {
      return demand(false, "S6 the route is silent")
    }
    let isWhole = frames.enumerated().allSatisfy {
      $1.at == first.at + $0 && Int($1.left) == (Int(first.left) - 1 + $0) % 30_000 + 1
    }
    demand(isWhole && first.at <= before + 1 && frames.count >= moment - before - 1, "S6 the route is disturbed")
  }

  private func demand(_ holds: Bool, _ rule: String) {
    if !holds && !violations.contains(rule) { violations.append(rule) }
  }
}

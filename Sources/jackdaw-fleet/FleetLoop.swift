import AudioSession
import CLinux
import FleetMessages
import Glibc
import MQTTClient

/// Carries out what the agent decides: one thread that waits for the broker, the firmware and the clock, and for nothing
/// else. Whichever of the two is missing is looked for again and again.
final class FleetLoop {
  /// Between two looks for a broker or a firmware that is missing, growing up to the second.
  private static let retry = (first: Duration.milliseconds(500), longest: Duration.seconds(5))
  /// Between two looks at the thermometer and at the versions, and at least that often a sign of life to the broker.
  private static let pace = Duration.seconds(30)
  private static let thermometer = "/sys/class/thermal/thermal_zone0/temp"
  /// There where the clock is synchronised (systemd-timesyncd.service(8)).
  private static let synchronised = "/run/systemd/timesync/synchronized"

  private var agent: FleetAgent
  private let broker: MQTTClient
  private let control: ControlConnection
  /// What is written for whoever looks for content.
  private let lookFile: String?
  /// The folder in which is written which versions there are.
  private let versions: String
  private var brokerLook = Look()
  private var controlLook = Look()
  private var nextPace = Instant.powerOn

  /// When to look for something that is missing, and what was said of it last.
  private struct Look {
    var due: Instant? = .powerOn
    var wait = FleetLoop.retry.first
    var said = ""
  }

  init(
    _ options: FleetOptions, broker path: String, control: String, look: String?, versions: String
  ) throws(MQTTClient.Failure) {
    agent = FleetAgent(options)
    let will = agent.will
    broker = try MQTTClient(path: path, id: "jackdaw-fleet-\(options.id)", will: (will.topic, will.payload))
    self.control = ControlConnection(path: control)
    lookFile = look
    self.versions = versions
  }

  /// Never returns; a signal ends the process, and the broker publishes its will.
  func run() -> Never {
    while true {
      wait()
      look()
      if broker.descriptor >= 0 { for event in broker.serve() { take(event) } }
      if control.isConnected {
        if let lines = control.serve() { take(lines) } else { loseControl() }
      }
      if now >= nextPace {
        nextPace = now + Self.pace
        feed(.temperature(Self.temperature()))
        feed(.offers(offers()))
      }
      feed(.tick)
    }
  }

  private var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  private var moment: FleetAgent.Moment {
    guard access(Self.synchronised, F_OK) == 0 else { return .init(now) }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .init(now, utc: time.tv_sec * 1_000 + time.tv_nsec / 1_000_000)
  }

  private static func temperature() -> Int? {
    FleetPlaces.line(of: thermometer).flatMap { Int($0) }
  }

  private func offers() -> Offers {
    Offers(
      software: FleetPlaces.line(of: "\(versions)/software").flatMap(Offer.init),
      exhibition: FleetPlaces.line(of: "\(versions)/exhibition").flatMap(Offer.init))
  }

  private func wait() {
    var polled = [pollfd(fd: broker.descriptor, events: Self.events(broker.wantsWrite), revents: 0)]
    polled.append(pollfd(fd: control.descriptor, events: Self.events(control.wantsWrite), revents: 0))
    let due = [agent.nextWake, brokerLook.due, controlLook.due, nextPace].compactMap { $0 }.min() ?? nextPace
    // Rounded up, or the last millisecond would be spent in circles.
    let milliseconds = max(0, (due - now).wholeNanoseconds + 999_999) / 1_000_000
    poll(&polled, nfds_t(polled.count), CInt(clamping: milliseconds))
  }

  private static func events(_ wantsWrite: Bool) -> CShort { CShort(wantsWrite ? POLLIN | POLLOUT : POLLIN) }

  // MARK: - What is missing

  private func look() {
    if let due = brokerLook.due, due <= now {
      brokerLook.due = nil
      do throws(MQTTClient.Failure) {
        try broker.connect()
      } catch {
        miss(&brokerLook, error.description)
      }
    }
    if let due = controlLook.due, due <= now {
      controlLook.due = nil
      if let reason = control.connect() { miss(&controlLook, reason) } else { find() }
    }
  }

  private func find() {
    controlLook = Look(due: nil)
    feed(.controlUp)
  }

  private func miss(_ look: inout Look, _ reason: String) {
    if look.said != reason { FleetOutput.note(reason) }
    look.said = reason
    look.due = now + look.wait
    look.wait = min(Self.retry.longest, look.wait * 2)
  }

  private func loseControl() {
    control.disconnect()
    feed(.controlDown)
    miss(&controlLook, "the firmware has ended")
  }

  // MARK: - The agent

  private func take(_ lines: [String]) {
    // What they tell of may have been written down a moment before.
    if !lines.isEmpty { feed(.offers(offers())) }
    for line in lines { feed(.line(line)) }
  }

  private func take(_ event: MQTTClient.Event) {
    switch event {
    case .up:
      brokerLook = Look(due: nil)
      feed(.brokerUp)
    case .down(let reason):
      feed(.brokerDown)
      miss(&brokerLook, "the broker: \(reason)")
    case .message(let topic, let payload, let isRetained):
      feed(.message(FleetMessage(topic, String(decoding: payload, as: UTF8.self), isRetained: isRetained)))
    }
  }

  private func feed(_ input: FleetAgent.Input) {
    for effect in agent.handle(input, at: moment) {
      switch effect {
      case .publish(let message): broker.publish(message.topic, message.payload, isRetained: message.isRetained)
      case .subscribe(let topic): broker.subscribe(topic)
      case .send(let line): control.send(line)
      case .look: feed(.looked(refusal: askToLook()))
      case .log(let text): FleetOutput.note(text)
      }
    }
  }

  /// A unit of systemd's that waits for a change of this file does the rest (jackdaw-fleet(1)). Returns why it will not.
  private func askToLook() -> String? {
    guard let path = lookFile else { return nil }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard file >= 0 else { return "\(path): \(String(cString: strerror(errno)))" }
    defer { close(file) }
    let count = write(file, "look\n", 5)
    return count == 5 ? nil : "\(path): \(String(cString: strerror(count < 0 ? errno : ENOSPC)))"
  }
}

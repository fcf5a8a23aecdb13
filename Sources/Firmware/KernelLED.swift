import AudioSession
import Files
import Glibc
import Jukebox

/// A light of the kernel's LED class, a folder of `/sys/class/leds`. Its patterns are made by the kernel's triggers, so that
/// nothing wakes for them. Every write returns at once: drivers that sleep do so in a work queue of the kernel's.
public struct KernelLED {
  enum Outcome: Hashable {
    case shown
    /// The files of a trigger that was just set may not be written yet: udev gives them away a moment later.
    case notYet
    /// The kernel does not have this trigger.
    case noTrigger(String)
    case failed(String)
  }

  public static let root = "/sys/class/leds"

  let name: String
  private let folder: String

  init(_ name: String, in root: String = Self.root) {
    self.name = name
    folder = FileAccess.join(root, name)
  }

  func show(_ pattern: LampPattern) -> Outcome {
    guard let trigger = Self.trigger(of: pattern) else { return light(pattern != .off) }
    if let outcome = set(trigger: trigger) { return outcome }
    let steps = pattern.steps
    return steps.count == 2 ? blink(steps[0], steps[1]) : play(steps)
  }

  /// The trigger of the kernel that makes a pattern; nil: it needs none.
  public static func trigger(of pattern: LampPattern) -> String? {
    let steps = pattern.steps
    return steps.isEmpty ? nil : steps.count == 2 ? "timer" : "pattern"
  }

  /// Lit or dark, without a trigger.
  func light(_ isLit: Bool) -> Outcome {
    // A light that keeps its trigger would go on blinking.
    let code = write("none", to: "trigger")
    return code == 0 ? outcome(of: write(isLit ? brightest : "0", to: "brightness")) : outcome(of: code)
  }

  private func blink(_ lit: Duration, _ dark: Duration) -> Outcome {
    let code = write(milliseconds(lit), to: "delay_on")
    return code == 0 ? ofTrigger(write(milliseconds(dark), to: "delay_off")) : ofTrigger(code)
  }

  /// A brightness for a time, and then for no time, because the trigger would fade to the next one.
  private func play(_ steps: [Duration]) -> Outcome {
    let pattern = steps.enumerated().map { index, time in
      let level = index % 2 == 0 ? brightest : "0"
      return "\(level) \(milliseconds(time)) \(level) 0"
    }
    return ofTrigger(write(pattern.joined(separator: " "), to: "pattern"))
  }

  /// Returns nil where it is set.
  private func set(trigger: String) -> Outcome? {
    // Setting it again would begin again with files that nobody owns.
    if read("trigger")?.split(separator: " ").contains(where: { $0 == "[\(trigger)]" }) == true { return nil }
    switch write(trigger, to: "trigger") {
    case 0: return nil
    case EINVAL: return .noTrigger(trigger)
    case let code: return outcome(of: code)
    }
  }

  private func ofTrigger(_ code: CInt) -> Outcome {
    code == EACCES || code == ENOENT ? .notYet : outcome(of: code)
  }

  private func outcome(of code: CInt) -> Outcome {
    code == 0 ? .shown : .failed("LED \(name): \(String(cString: strerror(code)))")
  }

  private var brightest: String { read("max_brightness") ?? "255" }

  private func milliseconds(_ time: Duration) -> String { String(time.wholeNanoseconds / 1_000_000) }

  // MARK: - Files

  private func read(_ file: String) -> String? {
    guard let bytes = try? FileAccess.read(FileAccess.join(folder, file), atMost: 65_536) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Returns 0, or the positive `errno`.
  private func write(_ text: String, to file: String) -> CInt {
    let descriptor = open(FileAccess.join(folder, file), O_WRONLY | O_CLOEXEC | O_TRUNC)
    if descriptor < 0 { return errno }
    defer { close(descriptor) }
    var bytes = Array(text.utf8)
    return Glibc.write(descriptor, &bytes, bytes.count) == bytes.count ? 0 : errno
  }
}

import AudioSession
import Glibc

/// A device beside the GPIO chips that has lines of a board, or is one of its readers: an input device, a sound card. It
/// may come and go. Control thread.
public protocol LineDevice: LineSource {
  /// A name for messages, such as `input device gpio-keys`.
  var name: String { get }
  /// The names of its lines.
  var lines: [String] { get }
  /// Throws `findLine` if the device is there but lacks one of the lines, which no retry will change.
  func open() throws(LineError)
  /// Whether each of `lines` is asserted now. Throws when the device is gone.
  func levels() throws(LineError) -> [Bool]
  /// Whether it comes and goes as it likes, so that it is not reported.
  var isOptional: Bool { get }
}

extension LineDevice {
  public var isOptional: Bool { false }
}

/// All lines and readers of a board: those of its GPIO chips and those of devices. The lines of a missing device are not asserted:
/// pulling out a sound card also pulls out the plug in its jack. Control thread.
public final class BoardLines: LineSet {
  private struct Attachment {
    let device: any LineDevice
    var isOpen = false
    /// The lines that were last reported as asserted.
    var asserted: Set<String> = []
    /// The code with which its absence was reported, 0 where it was pulled out; nil: it was not. It is not reported again
    /// at every retry, but that it does not answer is not yet why it is missing.
    var reported: CInt?
    /// When a line that is counted moved last.
    var counted: Instant?
  }

  /// A coin has been reported by then.
  private static let countingTime = Duration.seconds(2)

  private let chips: any LineSet
  /// Names of the lines whose edges are counted: a loss of some is reported even if nothing else is new.
  private let counted: Set<String>
  private var attachments: [Attachment]
  private let retry = RetryTimer()
  private var notices: [String] = []

  /// Takes ownership of `chips`. A missing device is waited for; one that lacks a line that it should have throws.
  public init(
    chips: any LineSet, devices: [any LineDevice], counted: Set<String> = []
  ) throws(LineError) {
    self.chips = chips
    self.counted = counted
    attachments = devices.map { Attachment(device: $0) }
    for index in attachments.indices {
      do throws(LineError) {
        try open(index)
      } catch {
        guard error.operation != .findLine else { throw error }
        reportMissing(index, error)
      }
    }
    rearm()
  }

  public var pollDescriptors: [PollDescriptor] {
    let devices = attachments.flatMap(\.device.pollDescriptors)
    return chips.pollDescriptors + devices
      + [PollDescriptor(fileDescriptor: retry.fileDescriptor, events: CShort(POLLIN))]
  }

  public func levels() throws(LineError) -> [String: Bool] {
    var levels = try chips.levels()
    for index in attachments.indices {
      if attachments[index].isOpen {
        do throws(LineError) {
          attachments[index].asserted = try asserted(index)
        } catch {
          lose(index)
        }
      }
      let asserted = attachments[index].asserted
      for line in attachments[index].device.lines { levels[line] = asserted.contains(line) }
    }
    rearm()
    return levels
  }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    let first = edges.count
    try chips.readEdges(into: &edges)
    guard !attachments.isEmpty else { return }
    let isRetryDue = retry.takeExpiration()
    for index in attachments.indices {
      if attachments[index].isOpen { read(index, into: &edges) } else if isRetryDue { reopen(index, into: &edges) }
    }
    rearm()
    sortOldestFirst(&edges, from: first)
  }

  public func takeKeys() -> [ReaderKey] { attachments.flatMap { $0.device.takeKeys() } }

  public func takeCards() -> [CardReading] { attachments.flatMap { $0.device.takeCards() } }

  public var nextLook: Instant? { attachments.compactMap(\.device.nextLook).min() }

  public func noteSounding(_ isSounding: Bool) {
    for attachment in attachments { attachment.device.noteSounding(isSounding) }
  }

  public func takeTurns() -> [AxisTurn] { attachments.flatMap { $0.device.takeTurns() } }

  public func takeVolumes() -> [LineVolume] { attachments.flatMap { $0.device.takeVolumes() } }

  public func setVolume(of line: String, to level: Int) {
    for attachment in attachments where attachment.device.lines.contains(line) {
      attachment.device.setVolume(of: line, to: level)
    }
  }

  public func set(_ line: String, asserted: Bool) throws(LineError) { try chips.set(line, asserted: asserted) }

  public func takeNotices() -> [String] {
    defer { notices = [] }
    return chips.takeNotices() + notices
  }

  public func takeLostEdges() -> Int {
    attachments.reduce(chips.takeLostEdges()) { $0 + $1.device.takeLostEdges() }
  }

  public func close() {
    for attachment in attachments { attachment.device.close() }
    attachments = []
    retry.disarm()
    chips.close()
  }

  // MARK: - Devices

  private func open(_ index: Int) throws(LineError) {
    try attachments[index].device.open()
    attachments[index].isOpen = true
  }

  private func asserted(_ index: Int) throws(LineError) -> Set<String> {
    let device = attachments[index].device
    return Set(zip(device.lines, try device.levels()).filter(\.1).map(\.0))
  }

  private func read(_ index: Int, into edges: inout [LineEdge]) {
    var found: [LineEdge] = []
    var isGone = false
    do throws(LineError) {
      try attachments[index].device.readEdges(into: &found)
    } catch {
      isGone = true
    }
    for edge in found { report(edge, of: index, into: &edges) }
    guard isGone else { return }
    let held = attachments[index].asserted
    lose(index)
    let now = MonotonicClock(startsNow: false).now
    // What was counting may have moved once more before it went: the sum of its edges is no longer certain.
    let wasCounting = attachments[index].counted.map { now - $0 < Self.countingTime } ?? false
    for line in attachments[index].device.lines where held.contains(line) || wasCounting && counted.contains(line) {
      edges.append(LineEdge(line: line, asserted: false, at: now, followsLoss: true))
    }
  }

  private func reopen(_ index: Int, into edges: inout [LineEdge]) {
    let device = attachments[index].device
    do throws(LineError) {
      try open(index)
      let levels = try device.levels()
      if !device.isOptional { notices.append("\(device.name) is there") }
      attachments[index].reported = nil
      let now = MonotonicClock(startsNow: false).now
      for (line, level) in zip(device.lines, levels) {
        report(LineEdge(line: line, asserted: level, at: now, followsLoss: level), of: index, into: &edges)
      }
    } catch {
      reportMissing(index, error)
    }
  }

  /// Appends the edge, unless its level was reported before and nothing is counted by it.
  private func report(_ edge: LineEdge, of index: Int, into edges: inout [LineEdge]) {
    guard
      attachments[index].asserted.contains(edge.line) != edge.asserted
        || edge.followsLoss && counted.contains(edge.line)
    else { return }
    if counted.contains(edge.line) { attachments[index].counted = edge.at }
    if edge.asserted {
      attachments[index].asserted.insert(edge.line)
    } else {
      attachments[index].asserted.remove(edge.line)
    }
    edges.append(edge)
  }

  private func lose(_ index: Int) {
    let device = attachments[index].device
    device.close()
    attachments[index].isOpen = false
    attachments[index].asserted = []
    attachments[index].reported = 0
    if device.isOptional { return }
    let lines = device.lines.joined(separator: ", ")
    notices.append("\(device.name) is gone" + (lines.isEmpty ? "" : "; not asserted until it is back: \(lines)"))
  }

  private func reportMissing(_ index: Int, _ error: LineError) {
    attachments[index].device.close()
    attachments[index].isOpen = false
    let reported = attachments[index].reported
    let isNews = reported == nil || reported == ETIMEDOUT && error.code != ETIMEDOUT
    guard isNews, !attachments[index].device.isOptional else { return }
    attachments[index].reported = error.code
    notices.append("\(error); tried again every second")
  }

  private func rearm() {
    if attachments.allSatisfy(\.isOpen) { retry.disarm() } else { retry.arm() }
  }
}

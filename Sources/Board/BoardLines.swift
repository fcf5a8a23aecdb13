import AudioSession
import Glibc

/// All lines and readers of a board: those of its GPIO chips and those of devices. The lines of a missing device are
/// not asserted: pulling out a sound card also pulls out the plug in its jack. Control thread.
public final class BoardLines: LineSet {
  private struct Attachment {
    let device: any LineDevice
    var isOpen = false
    /// The lines that were last reported as asserted.
    var asserted: Set<String> = []
    /// What was reported of its absence; it is not reported again at every retry.
    var reported: Absence?
    /// `arrival` of the device when it was opened last.
    var arrival: Int64?
    /// It is not opened before; nil: at the next second.
    var restsUntil: Instant?
    var ambiguity: String?
    /// When a line that is counted moved last.
    var counted: Instant?
  }

  private enum Absence {
    /// It does not answer, which is not yet why it is missing.
    case silent
    case missing
    /// It is there, and is not what the board file says, or somebody else has it.
    case unfit

    init(_ error: LineError) {
      switch error.code {
      case ETIMEDOUT: self = .silent
      case EBUSY: self = .unfit
      default: self = error.operation == .findLine ? .unfit : .missing
      }
    }

    func isNews(after reported: Absence?) -> Bool {
      switch self {
      case .silent: reported == nil
      case .missing: reported == nil || reported == .silent
      case .unfit: reported != .unfit
      }
    }
  }

  /// A coin has been reported by then.
  private static let countingTime = Duration.seconds(2)
  /// How long a device that does not fit is left alone.
  private static let late = Duration.seconds(60)

  private let clock: any BoardClock
  private let chips: any LineSet
  /// Names of the lines whose edges are counted: a loss of some is reported even if nothing else is new.
  private let counted: Set<String>
  private var attachments: [Attachment]
  private let retry = RetryTimer()
  private var notices: [String] = []

  /// Takes ownership of `chips`. A device that is missing, or lacks a line that it should have, is waited for: the rest
  /// of the board plays.
  public init(
    chips: any LineSet, devices: [any LineDevice], counted: Set<String> = [],
    clock: any BoardClock = MonotonicClock(startsNow: false)
  ) {
    (self.chips, self.counted, self.clock) = (chips, counted, clock)
    attachments = devices.map { Attachment(device: $0) }
    for index in attachments.indices {
      do throws(LineError) {
        try open(index)
      } catch {
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
      if attachments[index].isOpen {
        read(index, into: &edges)
      } else if isRetryDue && mayOpen(index) {
        reopen(index, into: &edges)
      }
    }
    rearm()
    sortOldestFirst(&edges, from: first)
  }

  public func takeKeys() -> [ReaderKey] { attachments.flatMap { $0.device.takeKeys() } }

  public func takeCards() -> [CardReading] { attachments.flatMap { $0.device.takeCards() } }

  public var nextLook: Instant? { (attachments.map(\.device.nextLook) + [chips.nextLook]).compactMap { $0 }.min() }

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
    let device = attachments[index].device
    attachments[index].arrival = device.arrival
    try device.open()
    if let rival = device.rival(among: attachments.filter(\.isOpen).map(\.device)) {
      throw LineError(
        operation: .openDevice, subject: device.name, code: EBUSY,
        message: "is taken by \(rival.name), expected another")
    }
    attachments[index].isOpen = true
    guard device.ambiguity != attachments[index].ambiguity else { return }
    attachments[index].ambiguity = device.ambiguity
    if let ambiguity = device.ambiguity { notices.append("\(device.name): \(ambiguity)") }
  }

  private func mayOpen(_ index: Int) -> Bool {
    guard let until = attachments[index].restsUntil else { return true }
    return clock.now >= until || attachments[index].device.arrival != attachments[index].arrival
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
    let now = clock.now
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
      let now = clock.now
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
    (attachments[index].reported, attachments[index].restsUntil) = (.missing, nil)
    if device.isOptional { return }
    let lines = device.lines.joined(separator: ", ")
    notices.append("\(device.name) is gone" + (lines.isEmpty ? "" : "; not asserted until it is back: \(lines)"))
  }

  private func reportMissing(_ index: Int, _ error: LineError) {
    let device = attachments[index].device
    device.close()
    attachments[index].isOpen = false
    let absence = Absence(error)
    let rests = absence == .unfit && attachments[index].arrival != nil
    attachments[index].restsUntil = rests ? clock.now + Self.late : nil
    guard absence.isNews(after: attachments[index].reported), !device.isOptional else { return }
    attachments[index].reported = absence
    let pace = rests ? "every minute, and when a device comes or goes" : "every second"
    notices.append("\(error); tried again \(pace)")
  }

  private func rearm() {
    if attachments.allSatisfy(\.isOpen) { retry.disarm() } else { retry.arm() }
  }
}

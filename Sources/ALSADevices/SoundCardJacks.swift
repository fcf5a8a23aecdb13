import Board
import CALSA
import Glibc

/// The jacks of a sound card that senses its plugs: its controls of the interface CARD, such as
/// `Headphone Jack` (`amixer -c CARD controls` lists them). Control thread.
///
/// libasound reports that a control changed, but not when: edges carry the time at which they were read. The state is
/// read when the card is opened.
public final class SoundCardJacks: LineDevice {
  public var name: String { "sound card \(card)" }
  public let lines: [String]
  private let card: String
  private let requests: [JackLineRequest]
  private let opener: ControlOpener
  private var control: CardControl?

  /// One object for each card that `requests` name.
  public static func cards(for requests: [JackLineRequest]) -> [SoundCardJacks] {
    var cards: [SoundCardJacks] = []
    for request in requests where !cards.contains(where: { $0.card == request.card }) {
      let same = requests.filter { $0.card == request.card }
      cards.append(SoundCardJacks(request.card, same, opener: ControlHandle.kernel))
    }
    return cards
  }

  init(_ card: String, _ requests: [JackLineRequest], opener: @escaping ControlOpener) {
    self.card = card
    self.requests = requests
    self.opener = opener
    lines = requests.map(\.name)
  }

  public var pollDescriptors: [PollDescriptor] { control?.pollDescriptors ?? [] }

  public func open() throws(LineError) {
    let opened: CardControl
    do throws(ALSAFailure) {
      opened = CardControl(adopting: try ControlHandle.open(card, with: opener))
      try opened.subscribe()
    } catch {
      throw LineError(operation: .openDevice, subject: name, code: error.code, message: error.message)
    }
    let known = opened.jacks()
    for request in requests where !known.contains(request.control) {
      throw LineError(
        operation: .findLine, subject: request.name, code: 0,
        message: "\(name) has no jack control of this name; it has: "
          + (known.isEmpty ? "none" : known.joined(separator: ", ")))
    }
    control = opened
  }

  public func levels() throws(LineError) -> [Bool] {
    guard let control else { return lines.map { _ in false } }
    do throws(ALSAFailure) {
      var levels: [Bool] = []
      for request in requests { levels.append(try control.isPlugged(request.control)) }
      return levels
    } catch {
      throw LineError(operation: .read, subject: name, code: error.code, message: error.message)
    }
  }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    guard let control else { return }
    do throws(ALSAFailure) {
      guard try control.drainEvents() else { return }
    } catch {
      throw LineError(operation: .readEdges, subject: name, code: error.code, message: error.message)
    }
    let levels = try levels()
    let now = MonotonicClock(startsNow: false).now
    for (line, level) in zip(lines, levels) { edges.append(LineEdge(line: line, asserted: level, at: now)) }
  }

  public func close() { control = nil }
}

/// The calls of libasound on an open card. Control thread.
private final class CardControl {
  private static let eventsAtOnce = 64

  private let handle: ControlHandle

  init(adopting handle: consuming ControlHandle) { self.handle = handle }

  func subscribe() throws(ALSAFailure) { try ALSAFailure.check(snd_ctl_subscribe_events(handle.pointer, 1)) }

  var pollDescriptors: [PollDescriptor] {
    descriptors(snd_ctl_poll_descriptors_count(handle.pointer)) { snd_ctl_poll_descriptors(handle.pointer, $0, $1) }
  }

  /// Reads the events that wait, at most 64. Returns whether there were any.
  func drainEvents() throws(ALSAFailure) -> Bool {
    var event: OpaquePointer?
    try ALSAFailure.check(snd_ctl_event_malloc(&event))
    defer { snd_ctl_event_free(event) }
    for count in 0..<CardControl.eventsAtOnce {
      calsa_clear_message()
      let result = snd_ctl_read(handle.pointer, event)
      if result == -EAGAIN || result == 0 { return count > 0 }
      try ALSAFailure.check(result)
    }
    return true
  }

  func isPlugged(_ name: String) throws(ALSAFailure) -> Bool {
    var value: OpaquePointer?
    try ALSAFailure.check(snd_ctl_elem_value_malloc(&value))
    defer { snd_ctl_elem_value_free(value) }
    snd_ctl_elem_value_set_interface(value, SND_CTL_ELEM_IFACE_CARD)
    snd_ctl_elem_value_set_name(value, name)
    calsa_clear_message()
    try ALSAFailure.check(snd_ctl_elem_read(handle.pointer, value))
    return snd_ctl_elem_value_get_boolean(value, 0) != 0
  }

  /// The names of all jacks; none where a call fails.
  func jacks() -> [String] {
    var list: OpaquePointer?
    guard snd_ctl_elem_list_malloc(&list) >= 0 else { return [] }
    defer {
      snd_ctl_elem_list_free_space(list)
      snd_ctl_elem_list_free(list)
    }
    guard snd_ctl_elem_list(handle.pointer, list) >= 0,
      snd_ctl_elem_list_alloc_space(list, snd_ctl_elem_list_get_count(list)) >= 0,
      snd_ctl_elem_list(handle.pointer, list) >= 0
    else { return [] }
    var names: [String] = []
    for index in 0..<snd_ctl_elem_list_get_used(list)
    where snd_ctl_elem_list_get_interface(list, index) == SND_CTL_ELEM_IFACE_CARD {
      if let name = snd_ctl_elem_list_get_name(list, index) { names.append(String(cString: name)) }
    }
    return names
  }
}

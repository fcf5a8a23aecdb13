import Board
import Glibc
import Synchronization

/// A fake sound card with one volume control. Any thread.
final class FakeDesk: MixerOpener {
  struct State {
    var isPlugged = true
    /// Decibels between its steps, and its lowest.
    var step = 0.5
    var least = -60.0
    var refusal: MixerError.Operation?
    /// The levels it was set to, in order; nil is muted.
    var moves: [Double?] = []
    var openings = 0
  }

  let state = Mutex(State())
  private static let mixer = MixerDescription(card: "Device", control: "PCM")

  func change(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

  var moves: [Double?] { state.withLock { $0.moves } }
  var openings: Int { state.withLock { $0.openings } }

  func open(_ mixer: MixerDescription) throws(MixerError) -> any MixerControl {
    let isPlugged = state.withLock { state in
      state.openings += 1
      return state.isPlugged
    }
    if !isPlugged { throw Self.error(.open) }
    try refuse(.find)
    return Fader(desk: self)
  }

  static func error(_ operation: MixerError.Operation) -> MixerError {
    MixerError(operation: operation, mixer: mixer, code: operation == .find ? 0 : ENODEV, message: "No such device")
  }

  func refuse(_ operation: MixerError.Operation) throws(MixerError) {
    if state.withLock({ $0.refusal }) == operation { throw Self.error(operation) }
  }

  private final class Fader: MixerControl {
    let desk: FakeDesk
    let pollDescriptors: [PollDescriptor] = []

    init(desk: FakeDesk) { self.desk = desk }

    func check() throws(MixerError) {
      if !desk.state.withLock({ $0.isPlugged }) { throw FakeDesk.error(.check) }
    }

    func set(decibels: Double) throws(MixerError) -> Double {
      try desk.refuse(.set)
      return desk.state.withLock { state in
        let reached = max(state.least, (decibels / state.step).rounded(.up) * state.step)
        state.moves.append(reached)
        return reached
      }
    }

    func mute() throws(MixerError) {
      try desk.refuse(.set)
      desk.state.withLock { $0.moves.append(nil) }
    }
  }
}

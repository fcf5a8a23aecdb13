import Board
import Glibc
import Synchronization

/// A fake sound card with one volume control. Any thread.
final class FakeMixer: MixerOpener {
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
    return Control(mixer: self)
  }

  static func error(_ operation: MixerError.Operation) -> MixerError {
    MixerError(operation: operation, mixer: mixer, code: operation == .find ? 0 : ENODEV, message: "No such device")
  }

  func refuse(_ operation: MixerError.Operation) throws(MixerError) {
    if state.withLock({ $0.refusal }) == operation { throw Self.error(operation) }
  }

  private final class Control: MixerControl {
    let mixer: FakeMixer
    let pollDescriptors: [PollDescriptor] = []

    init(mixer: FakeMixer) { self.mixer = mixer }

    func check() throws(MixerError) {
      if !mixer.state.withLock({ $0.isPlugged }) { throw FakeMixer.error(.check) }
    }

    func set(decibels: Double) throws(MixerError) -> Double {
      try mixer.refuse(.set)
      return mixer.state.withLock { state in
        let reached = max(state.least, (decibels / state.step).rounded(.up) * state.step)
        state.moves.append(reached)
        return reached
      }
    }

    func mute() throws(MixerError) {
      try mixer.refuse(.set)
      mixer.state.withLock { $0.moves.append(nil) }
    }
  }
}

import AudioSession
import Board

extension OutputMachine {
  /// Which call's result is awaited, and what for. A pass begins with `beginPass` and ends with a wait or with another
  /// pass:
  /// ```
  ///              ┌────────────────────────── beginPass ◄──────────────────────────┐
  ///              ▼                                                                │
  /// waiting ─► asking ─► gathering ─┬─ idle ───► commanding ─┬─ obeyed ──────────►┤
  ///    ▲                            │                        ├─► closing ─► opening ─►┤ (route, reopen, release)
  ///    │                            │                        └─ primed ─► filling ─┬─► starting ─► started ─►┤
  ///    │                            │                                              └─► refused ─► stopping ─► emptying ─► waiting
  ///    │                            └─ runs ─► looking ─┬─ stopped ─► recovering ─►┤
  ///    │                                                ├─ all heard ─► ending ─► recovering ─►┤
  ///    │                                                ├─► preparing ──┬─► commanding (as the next output is not open)
  ///    │                                                │               └─► fading
  ///    │                                                ├─► commanding ─┬─► changing ─►┤ (gain, duck, load)
  ///    │                                                │               └─► fading ─┬─► filling ─►┤
  ///    │                                                │               │           ├─► cutting ─► recovering ─►┤
  ///    │                                                │               └─► hastening ─┴─► filling ─►┤ (held)
  ///    │                                                ├─► joining ─►┤
  ///    └─────────────────────── resting ◄── starving ◄──┴─► filling
  /// ```
  /// Every call on the device may fail instead: closing ─► opening (anew) ─► beginPass, or lost ─► beginPass. Where
  /// the answer of `opening`, `recovering` or `emptying` is pending, the passes go on as with an idle device: each
  /// looks for the answer before its command.
  enum MachineState: Hashable, Sendable {
    case waiting
    case asking(MixVoice.Name)
    case gathering(MixVoice.Name)
    /// Obeys a command. It has the device's status, if the device runs.
    case commanding(PCMStatus?)
    /// Looks whether the device that the sound is to move to has been opened.
    case preparing(PCMStatus)
    /// Gives that device up, because the route is another one by now.
    case abandoning(EngineCommand, PCMStatus)
    /// Looks whether the fade that a command waits for may be cut.
    case hastening(PCMStatus)

    // The output.
    case closing(Closing)
    case opening(Opening)

    // States between idle and running.
    case filling(Filling)
    case starting
    case started
    /// The device took no frames; its status shows why.
    case refused
    case stopping
    case emptying

    // Running.
    case looking
    case ending(Ending)
    case recovering(isUnderrun: Bool)
    /// Takes back queued frames to mix a voice in.
    case joining(MixVoice.Name, PCMStatus)
    /// Takes back queued frames to change them.
    case changing(EngineCommand)
    case fading(Fading)
    /// Stops what the device keeps, in place of a fade.
    case cutting(Ending)
    case starving(MixVoice.Name, hasCome: Bool)
    /// The device was filled, completely or as far as there were frames.
    case resting(isFull: Bool)
  }

  /// Why the device is closed.
  enum Closing: Hashable, Sendable {
    case release
    case switching
    /// The device that was left opening and is no longer wanted.
    case forgetting
    /// It failed while it was being left.
    case leaving(Destination)
    /// It failed and may come back at once.
    case revival(Revival)
    case loss(LossReason)
  }

  enum Opening: Hashable, Sendable {
    /// A new route, or the first sound after a release.
    case route
    case reopen
    case revival(Revival)
  }

  /// An output to switch to, and the gain (Q15) to start there with.
  struct Destination: Hashable, Sendable {
    /// nil for no output.
    var output: Int?
    var gain: Int32
  }

  /// An output whose device is opened while another one plays.
  struct Ahead: Hashable, Sendable {
    var output: Int
    /// The gain (Q15) to start there with.
    var gain: Int32
    /// The instant from which its device counts as hung.
    var by: Instant
  }

  /// An output that was left while its device was being opened and counted as hung.
  struct Late: Hashable, Sendable {
    var output: Int
    /// When what it may have opened is closed, unless it is tried again before.
    var until: Instant
  }

  struct Revival: Hashable, Sendable {
    /// The device's format before it failed.
    var former: PCMFormat
    var wasPlaying: Bool
    var reason: LossReason
  }

  /// What takes the device's answer, and when it comes too late.
  struct Awaited: Hashable, Sendable {
    var state: MachineState
    var by: Instant
  }

  struct Filling: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
      case start
      case fade
      case keep
      /// Fills the device of a radio link with silence after a fade that it reports as heard: what it then takes shows
      /// how much it has really sent. It has the device's status.
      case prove(PCMStatus)
    }
    var purpose: Purpose
    /// Frames still to write, if there are that many.
    var room: Int
    /// Frames that the device reported room for; it may have more.
    var free: Int
    /// The device took nothing more.
    var isFull = false
  }

  /// The device is stopped: the last frame of all was heard, or what is left must not be.
  struct Ending: Hashable, Sendable {
    var heard: Int
    var isMusicOver: Bool
    var isCueOver: Bool
  }

  struct Fading: Hashable, Sendable {
    /// nil if both voices fade and resume after the fade.
    var voice: MixVoice.Name?
    var status: PCMStatus
    /// The timeline's index that was heard at that status.
    var heard: Int
    /// Whether an edge caused the fade.
    var isDated: Bool

    func takes(_ name: MixVoice.Name) -> Bool { voice == nil || voice == name }
  }
}

import AudioSession
import Board

extension OutputMachine {
  /// Which call is to be answered, and what for. A pass begins with `again` and ends with a wait or with another pass:
  /// ```
  ///              ┌────────────────────────────── again ◄──────────────────────────┐
  ///              ▼                                                                │
  /// waiting ─► asking ─► gathering ─┬─ stands ─► commanding ─┬─ obeyed ──────────►┤
  ///    ▲                            │                        ├─► closing ─► opening ─►┤ (route, reopen, release)
  ///    │                            │                        └─ primed ─► filling ─┬─► starting ─► started ─►┤
  ///    │                            │                                              └─► refused ─► emptying ─► waiting
  ///    │                            └─ runs ─► looking ─┬─ stopped ─► recovering ─►┤
  ///    │                                                ├─ all heard ─► ending ─►┤
  ///    │                                                ├─► commanding ─┬─► changing ─►┤ (gain, duck, load)
  ///    │                                                │               └─► fading ─► cutting ─► filling
  ///    │                                                │                              ─► faded ─► restarting ─►┤
  ///    │                                                ├─► joining ─►┤
  ///    └─────────────────────── resting ◄── starving ◄──┴─► filling
  /// ```
  /// Every call on the device may fail instead: closing ─► opening (anew) ─► again, or lost ─► again.
  enum State: Hashable, Sendable {
    case waiting
    case asking(MixVoice.Name)
    case gathering(MixVoice.Name)
    /// With what the device said, if it runs.
    case commanding(PCMStatus?)

    // The output.
    case closing(Closing)
    case opening(Opening)

    // From standing to running.
    case filling(Filling)
    case starting
    case started
    /// The device took nothing: what does it say?
    case refused
    case emptying

    // Running.
    case looking
    case ending(Ending)
    case recovering(isUnderrun: Bool)
    /// Makes room for a voice before what is queued.
    case joining(MixVoice.Name, PCMStatus)
    /// Makes room for a change of what is queued.
    case changing(EngineCommand)
    case fading(Fading)
    case cutting(Fading)
    /// The fade was written: is the device still running?
    case faded
    case restarting
    case starving(MixVoice.Name, hasCome: Bool)
    /// The device was filled; whether to the brim.
    case resting(isFull: Bool)
  }

  /// What the device is closed for.
  enum Closing: Hashable, Sendable {
    case release
    case switching
    /// It failed while it was being left.
    case leaving(Destination)
    /// It failed and may come back at once.
    case revival(Revival)
    case loss(Reason)
  }

  enum Opening: Hashable, Sendable {
    /// A new route, or the first sound after a release.
    case route
    case reopen
    case revival(Revival)
  }

  /// An output to go to, and the gain to come there with.
  struct Destination: Hashable, Sendable {
    /// nil: nowhere.
    var output: Int?
    var gain: Int32
  }

  struct Revival: Hashable, Sendable {
    /// What the device was like.
    var former: PCMFormat
    var wasPlaying: Bool
    var reason: Reason
  }

  struct Filling: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
      case start
      case fade
      case keep
    }
    var purpose: Purpose
    /// Frames still to write, if there are so many.
    var room: Int
    /// Frames that the device said it has room for; it may have said too few.
    var free: Int
    /// The device took nothing more.
    var isFull = false
  }

  /// The last frame of all was heard.
  struct Ending: Hashable, Sendable {
    var heard: Int
    var isMusicOver: Bool
    var isClipOver: Bool
  }

  struct Fading: Hashable, Sendable {
    /// nil: all voices fade, and go on behind the fade.
    var voice: MixVoice.Name?
    var status: PCMStatus
    /// The timeline's index that was heard then.
    var heard: Int
    /// Whether it fades as of an edge.
    var isDated: Bool

    func takes(_ name: MixVoice.Name) -> Bool { voice == nil || voice == name }
  }
}

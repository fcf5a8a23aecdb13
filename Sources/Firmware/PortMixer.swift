import AudioEngine
import AudioSession
import Board

/// The volume control of one port. Mixer thread.
///
/// A card cannot fade. When the volume changes, the control moves there in the curve's steps of half a decibel, which
/// music masks.
final class PortMixer {
  enum Outcome: Hashable {
    case set(volume: Int, rest: Double)
    case failed(MixerError)
  }

  /// How long to wait before a missing card is tried again.
  private static let soon = Duration.seconds(1)
  /// How long where the card has no such control. It may be another one that has the same id for a while.
  private static let late = Duration.seconds(60)

  private let description: MixerDescription
  private let opener: any MixerOpener
  private var mixer: (any MixerControl)?
  private var wanted: Int?
  /// The volume that the control has now; nil if unknown.
  private var volume: Int?
  /// Whether the failure was reported; it is not reported again at every retry.
  private var hasReportedFailure = false
  /// Whether the card has no such control, so that a retry will hardly help.
  private var isHopeless = false
  /// When to try again; nil while the control is there, or nobody wants it.
  private(set) var nextTry: Instant?

  init(_ description: MixerDescription, _ opener: any MixerOpener) {
    self.description = description
    self.opener = opener
  }

  var pollDescriptors: [PollDescriptor] { mixer?.pollDescriptors ?? [] }

  /// Checks the card, and moves its control if the volume has changed. Returns what has to be reported.
  func work(toward newVolume: Int?, at now: Instant) -> [Outcome] {
    if let newVolume { wanted = newVolume }
    guard let wanted else { return [] }
    if isHopeless, let nextTry, now < nextTry { return [] }
    do throws(MixerError) {
      let mixer = try opened()
      (isHopeless, nextTry) = (false, nil)
      try mixer.check()
      guard volume != wanted else { return [] }
      let rest = try move(mixer, to: wanted)
      hasReportedFailure = false
      return [.set(volume: wanted, rest: rest)]
    } catch {
      self.mixer = nil
      volume = nil
      isHopeless = error.operation == .find
      nextTry = now + (isHopeless ? Self.late : Self.soon)
      defer { hasReportedFailure = true }
      return hasReportedFailure ? [] : [.failed(error)]
    }
  }

  private func opened() throws(MixerError) -> any MixerControl {
    if let mixer { return mixer }
    let opened = try opener.open(description)
    mixer = opened
    return opened
  }

  /// Moves the control step by step. Returns the decibels that are left to the samples.
  private func move(_ mixer: any MixerControl, to wanted: Int) throws(MixerError) -> Double {
    var rest = 0.0
    var next = volume ?? wanted
    repeat {
      if next != wanted { next += next < wanted ? 1 : -1 }
      volume = nil
      if next > 0 {
        let decibels = VolumeCurve.decibels(next)
        rest = min(0, decibels - (try mixer.set(decibels: decibels)))
      } else {
        try mixer.mute()
      }
      volume = next
    } while next != wanted
    return rest
  }
}

import AudioEngine
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

  private let description: MixerDescription
  private let opener: any MixerOpener
  private var mixer: (any MixerControl)?
  private var wanted: Int?
  /// The volume that the control has now; nil if unknown.
  private var volume: Int?
  /// Whether the failure was reported; it is not reported again at every retry.
  private var hasReportedFailure = false
  /// Whether the card has no such control, so that no retry will help.
  private var isFailedForGood = false

  init(_ description: MixerDescription, _ opener: any MixerOpener) {
    self.description = description
    self.opener = opener
  }

  /// Whether it is worth trying again.
  var isMissing: Bool { mixer == nil && wanted != nil && !isFailedForGood }

  var pollDescriptors: [PollDescriptor] { mixer?.pollDescriptors ?? [] }

  /// Checks the card, and moves its control if the volume has changed. Returns what has to be reported.
  func work(toward newVolume: Int?) -> [Outcome] {
    if let newVolume { wanted = newVolume }
    guard let wanted, !isFailedForGood else { return [] }
    do throws(MixerError) {
      let mixer = try opened()
      try mixer.check()
      guard volume != wanted else { return [] }
      let rest = try move(mixer, to: wanted)
      hasReportedFailure = false
      return [.set(volume: wanted, rest: rest)]
    } catch {
      self.mixer = nil
      volume = nil
      if case .find = error.operation { isFailedForGood = true }
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

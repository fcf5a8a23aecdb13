import AudioEngine
import Board

/// The volume control of one port. Mixer thread.
///
/// A card cannot fade. Where the volume changes, the control goes there in the half decibels of the curve: each is a
/// step in the sound that music covers.
final class PortMixer {
  enum Outcome: Hashable {
    case set(volume: Int, rest: Double)
    case failed(MixerError)
  }

  private let description: MixerDescription
  private let opener: any MixerOpener
  private var mixer: (any MixerControl)?
  private var wanted: Int?
  /// What it makes now, as far as it is known.
  private var volume: Int?
  /// Told, but not again at every try.
  private var isFailed = false
  /// What is wrong will not mend by itself.
  private var isHopeless = false

  init(_ description: MixerDescription, _ opener: any MixerOpener) {
    self.description = description
    self.opener = opener
  }

  /// Whether it is worth trying again.
  var isMissing: Bool { mixer == nil && wanted != nil && !isHopeless }

  var pollDescriptors: [PollDescriptor] { mixer?.pollDescriptors ?? [] }

  /// Does what there is to do, for a new volume or whatever else woke the thread.
  func work(toward news: Int?) -> [Outcome] {
    if let news { wanted = news }
    guard let wanted, !isHopeless else { return [] }
    do throws(MixerError) {
      let mixer = try opened()
      try mixer.check()
      guard volume != wanted else { return [] }
      let rest = try walk(mixer, to: wanted)
      isFailed = false
      return [.set(volume: wanted, rest: rest)]
    } catch {
      self.mixer = nil
      volume = nil
      if case .find = error.operation { isHopeless = true }
      defer { isFailed = true }
      return isFailed ? [] : [.failed(error)]
    }
  }

  private func opened() throws(MixerError) -> any MixerControl {
    if let mixer { return mixer }
    let opened = try opener.open(description)
    mixer = opened
    return opened
  }

  /// Answers the decibels that are left.
  private func walk(_ mixer: any MixerControl, to wanted: Int) throws(MixerError) -> Double {
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

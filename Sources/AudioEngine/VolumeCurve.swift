import Glibc
import RealtimeAudio

/// Converts the listener's volume to a gain: 0.5 dB per step, so that equal steps sound equal.
package enum VolumeCurve {
  static let decibelsPerStep = 0.5

  /// The level of a volume above 0, in decibels.
  package static func decibels(_ volume: Int) -> Double { Double(min(volume, 100) - 100) * decibelsPerStep }

  /// Q15; volume 100 is gain 1 exactly, 0 is silence.
  static func gain(_ volume: Int) -> Int32 {
    switch volume {
    case ...0: 0
    case 100...: GainRamp.unity
    default: gain(decibels: decibels(volume))
    }
  }

  /// Q15; 0 dB is gain 1 exactly.
  static func gain(decibels: Double) -> Int32 {
    Int32((Double(GainRamp.unity) * min(1, pow(10, decibels / 20))).rounded())
  }
}

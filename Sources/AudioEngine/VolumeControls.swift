import AudioSession
import Board

/// The volume controls of sound cards. A card may take seconds to respond, so no call waits for one. Control thread.
package protocol VolumeControls: AnyObject {
  /// Starts to move the control of `port` towards a volume of 0 to 100.
  func set(_ port: Port, to volume: Int)
  /// Returns the results of volume changes since the last call.
  func takeReports() -> [VolumeReport]
}

/// The result of a volume change.
package enum VolumeReport: Hashable, Sendable {
  /// The port's control makes this volume, except for `rest` decibels (at most 0), which are left to the samples.
  case set(Port, volume: Int, rest: Double)
  /// The control failed; the samples have to make the volume.
  case failed(Port, reason: MixerError)
}

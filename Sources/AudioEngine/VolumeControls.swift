import AudioSession
import Board

/// The volume controls of sound cards. A card may take seconds to answer, so no call waits for one. Control thread.
package protocol VolumeControls: AnyObject {
  /// Starts to move the control of `port` towards a volume of 0 to 100.
  func set(_ port: Port, to volume: Int)
  /// What became of the volumes that were asked for, since the last call.
  func takeReports() -> [VolumeReport]
}

/// What became of a volume.
package enum VolumeReport: Hashable, Sendable {
  /// The port's control makes this volume, but for `rest` decibels of at most 0, which are left to the samples.
  case set(Port, volume: Int, rest: Double)
  /// The samples have to make it.
  case failed(Port, reason: MixerError)
}

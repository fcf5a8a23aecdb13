import AudioSession
import RealtimeAudio

extension StereoMatrix {
  init(_ channels: PortChannels) {
    let unity = GainRamp.unity
    // Halves that give a sample back exactly where both channels are the same.
    let sides: (left: Side, right: Side) =
      switch channels.mode {
      case .stereo: (Side(left: unity, right: 0), Side(left: 0, right: unity))
      case .mono: (Side(left: unity / 2, right: unity / 2), Side(left: unity / 2, right: unity / 2))
      case .left: (Side(left: unity, right: 0), Side(left: unity, right: 0))
      case .right: (Side(left: 0, right: unity), Side(left: 0, right: unity))
      case .swap: (Side(left: 0, right: unity), Side(left: unity, right: 0))
      }
    self.init(
      left: sides.left.scaled(by: VolumeCurve.gain(100 - channels.balance)),
      right: sides.right.scaled(by: VolumeCurve.gain(100 + channels.balance)))
  }
}

extension StereoMatrix.Side {
  /// Softer by a gain in Q15.
  fileprivate func scaled(by gain: Int32) -> Self { Self(left: (left * gain) >> 15, right: (right * gain) >> 15) }
}

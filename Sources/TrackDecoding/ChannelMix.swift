import Board
import CDecoders

/// How the channels of a file become two: for each, how much of it goes left and how much right.
///
/// Mono goes to both sides as it is. With more than two channels the centre goes to both sides and the surrounds to
/// their own, 3 dB lower (ITU-R BS.775), all lowered so far that nothing can clip; the low-frequency effects are left
/// out, as the standard wants it. If a file does not say which channel is which, they are taken to be in WAV's order,
/// which is FLAC's, too; Vorbis and Opus have one of their own.
struct ChannelMix {
  static let mostChannels = TrackInfo.mostChannels

  let toLeft: [Float]
  let toRight: [Float]
  var channels: Int { toLeft.count }

  /// - Parameters:
  ///   - map: what each channel is, as `SF_CHANNEL_MAP_…`; nil where the file does not say.
  ///   - isVorbisOrder: whether channels without a map are in Vorbis's order, else in WAV's.
  init(_ channels: Int, map: [CInt]?, isVorbisOrder: Bool) {
    let usable = map.flatMap { $0.count == channels && $0.allSatisfy { Self.share($0) != nil } ? $0 : nil }
    let shares = (usable ?? (isVorbisOrder ? Self.vorbis(channels) : Self.wave(channels))).map {
      Self.share($0) ?? (0, 0)
    }
    let loudest = max(shares.reduce(0) { $0 + $1.0 }, shares.reduce(0) { $0 + $1.1 })
    let scale = loudest > 1 ? 1 / loudest : 1
    toLeft = shares.map { $0.0 * scale }
    toRight = shares.map { $0.1 * scale }
  }

  /// Mixes `frames` frames of all channels into as many stereo frames.
  func apply(_ source: UnsafePointer<Float>, _ frames: Int, into target: UnsafeMutablePointer<Float>) {
    let channels = toLeft.count
    if channels == 1 {
      for frame in 0..<frames {
        target[2 * frame] = source[frame]
        target[2 * frame + 1] = source[frame]
      }
      return
    }
    for frame in 0..<frames {
      var sum: (Float, Float) = (0, 0)
      for channel in 0..<channels {
        sum.0 += source[frame * channels + channel] * toLeft[channel]
        sum.1 += source[frame * channels + channel] * toRight[channel]
      }
      target[2 * frame] = sum.0
      target[2 * frame + 1] = sum.1
    }
  }

  private static func wave(_ channels: Int) -> [CInt] {
    switch channels {
    case 1: [mono]
    case 2: [left, right]
    case 3: [left, right, centre]
    case 4: [left, right] + rear
    case 5: [left, right, centre] + rear
    case 6: [left, right, centre, bass] + rear
    case 7: [left, right, centre, bass, behind] + side
    default: [left, right, centre, bass] + rear + side
    }
  }

  private static func vorbis(_ channels: Int) -> [CInt] {
    switch channels {
    case 1: [mono]
    case 2: [left, right]
    case 3: [left, centre, right]
    case 4: [left, right] + rear
    case 5: [left, centre, right] + rear
    case 6: [left, centre, right] + rear + [bass]
    case 7: [left, centre, right] + side + [behind, bass]
    default: [left, centre, right] + side + rear + [bass]
    }
  }

  private static let mono = CInt(SF_CHANNEL_MAP_MONO)
  private static let left = CInt(SF_CHANNEL_MAP_FRONT_LEFT)
  private static let right = CInt(SF_CHANNEL_MAP_FRONT_RIGHT)
  private static let centre = CInt(SF_CHANNEL_MAP_FRONT_CENTER)
  private static let bass = CInt(SF_CHANNEL_MAP_LFE)
  private static let behind = CInt(SF_CHANNEL_MAP_REAR_CENTER)
  private static let rear = [CInt(SF_CHANNEL_MAP_REAR_LEFT), CInt(SF_CHANNEL_MAP_REAR_RIGHT)]
  private static let side = [CInt(SF_CHANNEL_MAP_SIDE_LEFT), CInt(SF_CHANNEL_MAP_SIDE_RIGHT)]

  /// How much of a channel goes left and right; nil for a kind of channel that has no place in a room.
  private static func share(_ channel: CInt) -> (Float, Float)? {
    let down: Float = 0.707_106_77
    switch Int(channel) {
    case SF_CHANNEL_MAP_MONO: return (1, 1)
    case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT: return (1, 0)
    case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT: return (0, 1)
    case SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_FRONT_CENTER: return (down, down)
    case SF_CHANNEL_MAP_REAR_CENTER: return (0.5, 0.5)
    case SF_CHANNEL_MAP_LFE: return (0, 0)
    case SF_CHANNEL_MAP_REAR_LEFT, SF_CHANNEL_MAP_SIDE_LEFT, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER: return (down, 0)
    case SF_CHANNEL_MAP_REAR_RIGHT, SF_CHANNEL_MAP_SIDE_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER: return (0, down)
    default: return nil
    }
  }
}

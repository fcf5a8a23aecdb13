import Board
import CDecoders

/// Changes the rate of interleaved stereo, to S16.
///
/// soxr does it, because at the same quality it needs a small part of the work of its peers. Floats in and out, 48 to
/// 44.1 kHz, on x86-64 (soxr 0.1.3, libsamplerate 0.2.2, speexdsp 1.2.1):
///
///     library, setting            noise, dB   aliases, dB   flat to, of band   million instructions a second of music
///     soxr, 20 bits (this one)    -132        -139          0.93                13
///     soxr, 16 bits               -109        -115          0.93                12
///     libsamplerate, best sinc    -141        -150          0.94               512
///     libsamplerate, medium       -122        -120          0.86               169
///     libsamplerate, linear        -12          -5          -                    4
///     speexdsp, 10                -131        -128          0.95               317
///     speexdsp, 5                 -105        -102          0.86                70
///
/// ALSA's own rate converter is linear, too, where no plug-in is installed. 20 bits are worth 7 % more work than 16:
/// their noise stays far below that of the rounding to S16 (-98 dB). There is no dither, because soxr seeds it from the
/// clock, and the same input must give the same output. Decode thread.
final class Resampler {
  let handle: soxr_t
  private let path: String
  private let ratio: (input: Int, output: Int)
  private var taken = 0
  private var given = 0

  /// From `input` Hz to `output` Hz; nil if soxr refuses (rates of 0, no memory).
  /// - Parameters:
  ///   - isFloat: whether the input is `Float` with full scale at ±1, else it is `Int16`.
  ///   - gain: multiplied in before samples are rounded and, where they are too loud, clipped.
  ///   - path: of the file, for errors.
  init?(from input: Int, to output: Int, isFloat: Bool = false, gain: Float = 1, path: String = "") {
    guard input > 0, output > 0 else { return nil }
    var format = soxr.io_spec(isFloat ? SOXR_FLOAT32_I : SOXR_INT16_I, SOXR_INT16_I)
    format.scale *= Double(gain)
    format.flags |= UInt(SOXR_NO_DITHER)
    var quality = soxr.quality_spec(UInt(SOXR_20_BITQ), 0)
    var runtime = soxr.runtime_spec(1)
    var error: soxr_error_t?
    guard let handle = soxr.create(Double(input), Double(output), 2, &error, &format, &quality, &runtime) else {
      return nil
    }
    self.handle = handle
    self.path = path
    ratio = (input, output)
  }

  deinit { soxr.delete(handle) }

  /// Consumes up to `inputFrames` and writes up to `outputFrames`; call again with the frames that were not taken.
  func process(
    _ input: UnsafeRawPointer, _ inputFrames: Int, into output: UnsafeMutablePointer<Int16>, _ outputFrames: Int
  ) throws(TrackError) -> (taken: Int, given: Int) {
    var consumed = 0
    var produced = 0
    try check(soxr.process(handle, input, inputFrames, &consumed, output, outputFrames, &produced))
    taken += consumed
    given += produced
    return (consumed, produced)
  }

  /// Writes the frames that remain after the last input. Returns 0 when there are none left; the frames given are then
  /// those taken times the ratio, rounded.
  func finish(into output: UnsafeMutablePointer<Int16>, _ outputFrames: Int) throws(TrackError) -> Int {
    let wanted = min(outputFrames, Self.length(taken, from: ratio.input, to: ratio.output) - given)
    // Silence after the end instead of soxr's own flush, which rounds halves either way.
    let silence = [Float](repeating: 0, count: 2 * 512)
    var produced = 0
    while wanted > 0, produced == 0 {
      try check(soxr.process(handle, silence, 512, nil, output, wanted, &produced))
    }
    given += produced
    return produced
  }

  private func check(_ error: soxr_error_t?) throws(TrackError) {
    guard let error else { return }
    let reason = "cannot convert \(ratio.input) to \(ratio.output) Hz: \(String(cString: error))"
    throw TrackError(operation: .read, path: path, reason: reason)
  }

  /// The number of frames that `frames` frames have after conversion, rounded half up.
  static func length(_ frames: Int, from input: Int, to output: Int) -> Int {
    (frames * output * 2 + input) / (input * 2)
  }

  /// Where to begin so that output frame `target` comes out as if everything before had gone in.
  /// - Returns: the input frame to begin at, and how many output frames to drop.
  static func start(for target: Int, from input: Int, to output: Int) -> (input: Int, drop: Int) {
    // Only where an input and an output frame fall on the same instant can a fresh filter be in step with the old one.
    let (stepIn, stepOut) = steps(input, output)
    let nearest = target / stepOut * stepIn
    let periods = max(0, nearest - settling) / stepIn
    return (periods * stepIn, target - periods * stepOut)
  }

  /// Input frames after which the filter has forgotten that there was nothing before; several times its length.
  private static let settling = 8192

  private static func steps(_ input: Int, _ output: Int) -> (Int, Int) {
    var (a, b) = (input, output)
    while b != 0 { (a, b) = (b, a % b) }
    return (input / a, output / a)
  }
}

import Files
import Glibc
import Simulator

/// Music in which every error of playback shows. Its left channel is constant, so that its level is the gain; its right one
/// is a triangle wave, so that the ratio of right to left gives the place in the track, whatever the gain. Cues are silent
/// on the left.
enum TestMusic {
  static let level = 16_000
  private static let cueLevel = 6_000
  /// Frames after which the right channel repeats.
  static let period = 500
  private static let swing = 15_000
  /// Frames of the fade at either end of a track.
  static let ramp = 320
  /// The largest sample of the right channel: music and a cue together.
  static let loudestRight = swing + cueLevel
  /// The largest steps of the music, and of a cue that begins over it.
  static let ownStep = (left: level / ramp, right: 4 * swing / period + (swing + cueLevel) / ramp + 2)

  /// Frames of each track. The third and the sixth file cannot be played, nor can the first one in English.
  private static let tracks = [
    "1 long.wav": 480_000, "2 middle.wav": 200_000, "4 short.wav": 24_000, "5 blink.wav": 4_000,
    "7 longer.wav": 720_000, "Deutsch/kurz.wav": 32_000, "Deutsch/lang.wav": 320_000, "English/brief.wav": 20_000,
    "English/extended.wav": 280_000,
  ]
  /// `endless` is longer than any cue may be.
  private static let cues = [
    "welcome": 20_000, "ask": 8_000, "closing": 48_000, "endless": 560_000, "seated": 60_000, "bell": 12_000,
  ]

  static func frames(of track: String) -> Int? { tracks[track] }

  /// The right channel's sample where the left one is `level`.
  static func right(at frame: Int) -> Int {
    let phase = frame % period
    let half = period / 2
    return phase < half ? 2 * swing * phase / half - swing : swing - 2 * swing * (phase - half) / half
  }

  /// Generates both folders, unless they are complete.
  static func write(music: String, cues folder: String, rate: Int) throws {
    let mark = FileAccess.join(folder, "complete with contacts")
    if access(mark, F_OK) == 0 { return }
    for path in [
      FileAccess.folder(of: music), music, FileAccess.join(music, "Deutsch"), FileAccess.join(music, "English"), folder,
    ] {
      mkdir(path, 0o755)
    }
    for (name, frames) in tracks.sorted(by: { $0.key < $1.key }) {
      try write(FileAccess.join(music, name), frames: frames, rate: rate) { (level, right(at: $0)) }
    }
    for (name, frames) in cues.sorted(by: { $0.key < $1.key }) {
      try write(FileAccess.join(folder, "\(name).wav"), frames: frames, rate: rate) { _ in (0, cueLevel) }
    }
    try write("no sound", to: FileAccess.join(music, "3 broken.wav"))
    try write("", to: FileAccess.join(music, "6 empty.wav"))
    try write("no sound", to: FileAccess.join(music, "English/0 broken.wav"))
    try write("no sound", to: FileAccess.join(folder, "broken.wav"))
    try write("", to: mark)
  }

  private static func write(
    _ path: String, frames: Int, rate: Int, _ sample: (Int) -> (left: Int, right: Int)
  ) throws {
    let writer = try WAVWriter(path: path, rate: rate)
    var samples: [Int16] = []
    samples.reserveCapacity(frames * 2)
    for frame in 0..<frames {
      let (left, right) = sample(frame)
      let loud = min(ramp, frame, frames - 1 - frame)
      samples.append(Int16(left * loud / ramp))
      samples.append(Int16(right * loud / ramp))
    }
    writer.write(samples, frames: frames)
    try writer.finish()
  }

  private static func write(_ text: String, to path: String) throws(FileError) {
    guard let file = fopen(path, "w") else { throw FileAccess.writeFailure(path, errno) }
    fputs(text, file)
    fclose(file)
  }
}

/// Where frames of an MPEG file begin, so that a seek need not read all headers before it again, and in a file of constant
/// bit rate none of them.
struct MPEGIndex {
  private let file: TrackFile
  private let sync: MPEGSync
  private let start: Int
  /// Bytes in a frame without padding, where the headers name no bit rate that would give it.
  private let freeSize: Int
  /// How many frames from the beginning were read, and where the next one is: for the library, and in the file.
  private var explored: (frames: Int, offset: Int, place: Int)
  /// Offsets for the library of each frame whose number is a multiple of `step`, up to a change of format, which the
  /// library is to see.
  private var offsets: [Int] = []
  private let kind: UInt32
  private var isUniform = true

  private static let step = 64

  /// - Parameters:
  ///   - start: where the first frame that is decoded begins.
  ///   - frameSize: bytes in that frame.
  init(_ file: TrackFile, _ sync: MPEGSync, start: Int, frameSize: Int) {
    let word = file.word(at: start) ?? 0
    self.file = file
    self.sync = sync
    self.start = start
    freeSize = frameSize - MPEGHeader.padding(word)
    kind = Self.kind(word)
    explored = (0, start, start)
  }

  /// What the library needs to go to a frame: offsets of every `step`th from the first on.
  mutating func entries(before frame: Int) -> (offsets: [Int], step: Int) {
    if explored.frames < frame, let place = MPEGLength(file, start: start)?.place(ofFrame: frame) {
      return ([start, place], frame)
    }
    explore(frame)
    return (offsets, Self.step)
  }

  /// Reads the headers of the first `frames` of the file, and hides what lies between them, before the
  /// library reads over them.
  private mutating func explore(_ frames: Int) {
    while explored.frames < frames, explored.place < file.end, let word = file.word(at: explored.place),
      let size = MPEGHeader.size(word, free: freeSize)
    {
      isUniform = isUniform && Self.kind(word) == kind
      if isUniform, explored.frames == offsets.count * Self.step { offsets.append(explored.offset) }
      let end = file.place(explored.offset + size)
      let next = sync.hideJunk(behind: end, after: word, size: size)
      guard file.failure == 0 else { return }
      explored.place = next
      explored.offset += size
      explored.frames += 1
    }
  }

  /// Version, layer and rate, and whether it is mono.
  private static func kind(_ word: UInt32) -> UInt32 { word & 0xfffe_0c00 | (word >> 6 & 3 == 3 ? 1 : 0) }
}

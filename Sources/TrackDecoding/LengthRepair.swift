/// Repairs the header of a sound file whose length is not that of its sound, as where its writer wrote to a pipe, was cut
/// off, or left out what came later.
///
/// A length counts only where the sound it gives is followed by the end of the file or by other chunks. Otherwise the
/// sound goes on up to the chunks and tags at the end of the file, or to its end.
struct LengthRepair {
  /// What libsndfile is to read instead of the length that it would believe, or would not understand.
  private(set) var patches: [TrackFile.Patch] = []
  /// Where the file is to end for libsndfile; nil where that is as it should be.
  private(set) var end: Int?

  /// Where the tags behind the sound begin.
  private let tags: Int

  init(_ file: TrackFile, _ format: SoundFormat) {
    tags = TrailingTags.start(file)
    if format == .sunAudio { repairSunAudio(file) }
    guard let layout = SoundChunks.layout(file, format), let chunks = SoundChunks(file, format) else { return }
    let sound = format == .aiff ? "SSND" : "data"
    var large: Length?
    for chunk in chunks {
      if chunk.name == "ds64", format == .wave { large = Length(large: chunk, file) }
      guard chunk.name == sound else { continue }
      repair(file, chunk, layout, large)
      return
    }
  }

  /// A length, and its offset in the file.
  private struct Length {
    var offset: Int
    var size: Int

    /// RF64 has it in a chunk before the sound.
    init(large chunk: SoundChunks.Chunk, _ file: TrackFile) {
      offset = chunk.body + 8
      size = Int(truncatingIfNeeded: file.bytes(at: offset, count: 8).littleEndian)
    }

    init(_ chunk: SoundChunks.Chunk, _ layout: SoundChunks.Layout) {
      (offset, size) = (chunk.body - layout.lengthSize, chunk.size)
    }
  }

  private mutating func repair(
    _ file: TrackFile, _ chunk: SoundChunks.Chunk, _ layout: SoundChunks.Layout, _ large: Length?
  ) {
    let isLarge = large != nil && chunk.size == Int(UInt32.max)
    let written = (isLarge ? large : nil) ?? Length(chunk, layout)
    guard let found = soundEnd(file, chunk.body, written.size, layout) else {
      // If there is no sound, the length may be any number.
      let size = min(max(0, written.size), file.size)
      end = wrongChunk(file, behind: chunk.body + size, layout)
      return
    }
    let size = found - chunk.body
    if isLarge {
      patches = [TrackFile.Patch(offset: written.offset, bytes: SoundChunks.Layout.largeBytes(size))]
    } else if layout.lengthSize == 8 || size < Int(UInt32.max) {
      patches = [TrackFile.Patch(offset: written.offset, bytes: layout.bytes(size))]
      if layout == .wave64 { end = found }
    } else {
      setToEnd(chunk, layout)
      end = found
    }
  }

  /// Where a chunk begins, behind the sound, that libsndfile would take for sound or refuse the file for; nil where there
  /// is none.
  private func wrongChunk(_ file: TrackFile, behind end: Int, _ layout: SoundChunks.Layout) -> Int? {
    guard end < file.size else { return nil }
    // It takes all that follows for sound.
    if layout == .wave64 { return end }
    let chunks = SoundChunks(file, from: end + layout.padding(end), layout)
    return chunks.first { Self.once.contains($0.name) }.map { $0.body - layout.headSize }
  }

  /// What a file has once: another follows it.
  private static let once: Set = ["RIFF", "RIFX", "RF64", "FORM", "data", "SSND", "fmt "]

  /// Makes libsndfile take all that follows for sound, where that is more than a length of four bytes can be.
  private mutating func setToEnd(_ chunk: SoundChunks.Chunk, _ layout: SoundChunks.Layout) {
    patches = [TrackFile.Patch(offset: chunk.body - 4, bytes: layout.bytes(0))]
    // The length of a RIFF file that was never closed.
    if chunk.name == "data" { patches.insert(TrackFile.Patch(offset: 4, bytes: layout.bytes(8)), at: 0) }
  }

  /// 0xFFFFFFFF means up to the end of the file. Nothing but tags can follow.
  private mutating func repairSunAudio(_ file: TrackFile) {
    let head = file.bytes(at: 4, count: 8).map(Int.init)
    guard head.count == 8 else { return }
    let numbers = [head[..<4], head[4...]].map { $0.reduce(0) { $0 << 8 | $1 } }
    let written = numbers[0] + numbers[1]
    if written == file.size || written == tags { return }
    patches = [TrackFile.Patch(offset: 8, bytes: [0xff, 0xff, 0xff, 0xff])]
    if tags < file.size, tags > numbers[0] { end = tags }
  }

  /// Where the sound ends that begins at `start`; nil where that is as its length says, or there is none.
  private func soundEnd(_ file: TrackFile, _ start: Int, _ size: Int, _ layout: SoundChunks.Layout) -> Int? {
    guard start < tags else { return nil }
    let rest = file.size - start
    if (0...rest).contains(size), isPlausible(file, start + size, layout) { return nil }
    return firstChunk(file, behind: start, layout) ?? tags
  }

  /// Whether sound may end there.
  private func isPlausible(_ file: TrackFile, _ end: Int, _ layout: SoundChunks.Layout) -> Bool {
    if end + 1 >= tags { return end <= tags || end + 1 >= file.size }
    // Some programs leave out the padding.
    return Set([end, end + layout.padding(end)]).contains { place in
      let name = file.bytes(at: place, count: layout.nameSize)
      // Some write a tag of MP3 there, and no chunk.
      return Self.usual.contains(String(decoding: name.prefix(4), as: UTF8.self)) || name.starts(with: "ID3".utf8)
        || isChain(file, place, layout)
    }
  }

  /// The chunks that follow the sound. They need not be whole.
  private static let usual: Set = [
    "LIST", "list", "id3 ", "fact", "bext", "cue ", "smpl", "inst", "plst", "PEAK", "iXML", "axml", "cart",
    "JUNK", "junk", "FLLR", "PAD ", "afsp", "_PMX", "acid", "DISP", "levl", "mark", "summ", "COMM", "MARK", "INST",
    "NAME", "AUTH", "ANNO", "COMT", "(c) ", "APPL", "info", "pakt", "free", "chan", "kuki", "strg", "peak", "uuid",
  ]

  /// Whether only whole chunks follow from `start` to the end of the file.
  private func isChain(_ file: TrackFile, _ start: Int, _ layout: SoundChunks.Layout) -> Bool {
    guard start < tags else { return false }
    var end = start
    for chunk in SoundChunks(file, from: start, layout) where end < tags {
      guard chunk.size >= 0, chunk.name.utf8.allSatisfy(Self.isOfName) else { return false }
      end = chunk.end
    }
    return isEnd(end, file)
  }

  /// Whether the file, or what is before its tags, ends there, with or without padding.
  private func isEnd(_ place: Int, _ file: TrackFile) -> Bool {
    [tags, file.size].contains { $0 <= place && place < $0 + 8 }
  }

  private static func isOfName(_ byte: UInt8) -> Bool { (0x20..<0x7f).contains(byte) }

  /// How far from the end of the file chunks are looked for.
  private static let searched = 1 << 20

  /// Where the whole chunks begin that fill the file up to its end; nil where there are none behind `start`.
  private func firstChunk(_ file: TrackFile, behind start: Int, _ layout: SoundChunks.Layout) -> Int? {
    let first = max(start, tags - Self.searched)
    let bytes = file.bytes(at: first, count: max(0, tags - first))
    var found: Set<Int> = []
    for index in stride(from: bytes.count - layout.headSize, through: 0, by: -1) where Self.isOfName(bytes[index]) {
      guard bytes[index..<index + 4].allSatisfy(Self.isOfName) else { continue }
      let place = first + index
      let size = layout.size(bytes[index + layout.nameSize..<index + layout.headSize])
      guard size >= 0, size <= bytes.count else { continue }
      let end = place + layout.headSize + size
      if isEnd(end, file) || found.contains(end) || found.contains(end + layout.padding(size)) { found.insert(place) }
    }
    return found.min()
  }
}

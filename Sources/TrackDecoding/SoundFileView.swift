import CSndFile
import Glibc

/// A file as libsndfile is to see it: up to some end, without a stretch after its headers, and with a few bytes of them
/// replaced.
///
/// The end cuts off what would confuse libsndfile (see `SoundStream`), the stretch is how Ogg files are sought in, and
/// the bytes are for headers that were never finished. One thread; the handle that reads through it
/// keeps it alive.
final class SoundFileView {
  let file: TrackFile
  /// Bytes from the beginning that stay.
  private let head: Int
  /// Bytes after those that are left out.
  private let gap: Int
  /// Whether the last read wanted more than there is.
  private(set) var metEnd = false
  private var position = 0

  private let size: Int
  private let patch: Patch?

  /// Bytes that stand at `offset` instead of those in the file.
  struct Patch {
    var offset: Int
    var bytes: [UInt8]
  }

  /// - Parameters:
  ///   - end: of what is seen, in bytes of the file; nil: all of it.
  ///   - head: bytes that are seen before what follows from `place`.
  init(_ file: TrackFile, end: Int? = nil, patch: Patch? = nil, head: Int = 0, resumingAt place: Int? = nil) {
    self.file = file
    self.patch = patch
    self.head = place == nil ? 0 : head
    gap = place.map { $0 - head } ?? 0
    size = max(0, min(end ?? file.size, file.size) - gap)
  }

  /// The calls that `sf_open_virtual` wants; their last argument is the view, unretained.
  static func callbacks() -> SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { user in sf_count_t(SoundFileView.from(user)?.size ?? 0) },
      seek: { offset, whence, user in sf_count_t(SoundFileView.from(user)?.seek(Int(offset), whence) ?? -1) },
      read: { target, count, user in
        guard let target, let view = SoundFileView.from(user) else { return 0 }
        return sf_count_t(view.read(into: target, Int(count)))
      },
      write: { _, _, _ in 0 },
      tell: { user in sf_count_t(SoundFileView.from(user)?.position ?? 0) })
  }

  private static func from(_ user: UnsafeMutableRawPointer?) -> SoundFileView? {
    user.map { Unmanaged<SoundFileView>.fromOpaque($0).takeUnretainedValue() }
  }

  private func seek(_ offset: Int, _ whence: CInt) -> Int {
    guard let target = seekTarget(offset, whence, from: position, size: size) else { return -1 }
    position = target
    return target
  }

  /// Bytes read, fewer at the end and after an error, which the file notes.
  private func read(into target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    var done = 0
    while done < count {
      let inHead = position < head
      let wanted = min(count - done, (inHead ? head : size) - position)
      guard wanted > 0 else { break }
      guard file.seek(by: inHead ? position : position + gap, whence: SEEK_SET) >= 0 else { break }
      let read = file.read(into: target + done, count: wanted)
      guard read > 0 else { break }
      mend(target + done, at: position, read)
      done += read
      position += read
    }
    metEnd = done < count
    return done
  }

  private func mend(_ bytes: UnsafeMutableRawPointer, at place: Int, _ count: Int) {
    guard let patch else { return }
    for (index, byte) in patch.bytes.enumerated() where (place..<place + count).contains(patch.offset + index) {
      bytes.storeBytes(of: byte, toByteOffset: patch.offset + index - place, as: UInt8.self)
    }
  }
}

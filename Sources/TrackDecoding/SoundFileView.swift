import CDecoders
import Glibc

/// A file as libsndfile reads it. One thread; the handle that reads through it keeps it alive.
final class SoundFileView {
  let file: TrackFile
  private var position = 0

  init(_ file: TrackFile) { self.file = file }

  /// The calls that `sf_open_virtual` wants; their last argument is the view, unretained.
  static func callbacks() -> SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { user in sf_count_t(SoundFileView.from(user)?.file.end ?? 0) },
      seek: { offset, whence, user in sf_count_t(SoundFileView.from(user)?.seek(Int(offset), whence) ?? -1) },
      read: { target, count, user in
        guard let target, let view = SoundFileView.from(user) else { return 0 }
        return sf_count_t(view.read(into: target, Int(count)))
      },
      write: { _, _, _ in 0 },
      tell: { user in sf_count_t(SoundFileView.from(user)?.position ?? 0) })
  }

  /// libsndfile reads the headers from the position of the view.
  func rewind() { position = 0 }

  private static func from(_ user: UnsafeMutableRawPointer?) -> SoundFileView? {
    user.map { Unmanaged<SoundFileView>.fromOpaque($0).takeUnretainedValue() }
  }

  private func seek(_ offset: Int, _ whence: CInt) -> Int {
    guard let target = seekTarget(offset, whence, from: position, size: file.end) else { return -1 }
    position = target
    return target
  }

  /// Returns the bytes read: fewer at the end and after an error, which the file keeps.
  private func read(into target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard file.seek(by: position, whence: SEEK_SET) >= 0 else { return 0 }
    let read = max(0, file.read(into: target, count: count))
    position += read
    return read
  }
}

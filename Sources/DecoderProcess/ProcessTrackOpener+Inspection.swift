import Board
import Glibc

extension ProcessTrackOpener {
  /// Files that are inspected or open at once.
  private static let mostAhead = 16

  /// Tags and lengths of files, in order, as `FileTrackOpener.inspect`. Waits for the process. While `body` has one, the
  /// process has the next, and those after it are opened: to wait for each of them by itself takes longer than to look
  /// at it.
  public func inspect(
    paths: [String], trustsHeaders: Bool = false, _ body: (Int, Result<TrackInfo, TrackError>) -> Void
  ) {
    let work: DecoderRequest.Work = trustsHeaders ? .inspectHeaders : .inspect
    var ahead: [Result<ProcessTrack, TrackError>] = []
    for index in paths.indices {
      if ahead.count <= Self.mostAhead / 2 {
        for path in paths[(index + ahead.count)...].prefix(Self.mostAhead - ahead.count) {
          ahead.append(Result { () throws(TrackError) in try makeTrack(path, rate: 1, inspection: work) })
        }
      }
      while !isAnswered(ahead) {
        wait()
        service()
      }
      let next = ahead.removeFirst()
      body(
        index,
        next.flatMap { track in
          defer { track.close() }
          return Result { () throws(TrackError) in try track.result() }
        })
    }
  }

  /// Whether the process has answered for the first of `ahead`. The others are asked for with it, or after it.
  private func isAnswered(_ ahead: [Result<ProcessTrack, TrackError>]) -> Bool {
    want(ahead.compactMap { try? $0.get() })
    guard case .success(let first)? = ahead.first else { return true }
    return first.isDone
  }

  private func wait() {
    var polled = pollDescriptors.map { pollfd(fd: $0.fileDescriptor, events: $0.events, revents: 0) }
    let left = (patience ?? .zero).components
    poll(
      &polled, nfds_t(polled.count), CInt(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
    )
  }
}

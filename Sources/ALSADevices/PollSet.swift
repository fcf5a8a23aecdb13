import Board
import CALSA
import Glibc

/// The descriptors of one PCM in memory allocated once, so that `isReady` does not allocate on the audio thread.
struct PollSet: ~Copyable {
  let descriptors: [PollDescriptor]
  private let entries: UnsafeMutableBufferPointer<pollfd>

  init(of pcm: OpaquePointer) {
    let count = max(0, Int(snd_pcm_poll_descriptors_count(pcm)))
    let all = UnsafeMutableBufferPointer<pollfd>.allocate(capacity: count)
    all.initialize(repeating: pollfd(fd: -1, events: 0, revents: 0))
    let filled = max(0, Int(snd_pcm_poll_descriptors(pcm, all.baseAddress, CUnsignedInt(count))))
    entries = all
    // The PCM `null`, and whatever is built on it, has a descriptor of /dev/null, or of /dev/full where it captures.
    // These are always ready, and a thread that waits for them would spin. Whoever uses such a device goes by the
    // clock.
    if filled != count || all.contains(where: { isDevice($0.fd, "/dev/null") || isDevice($0.fd, "/dev/full") }) {
      descriptors = []
    } else {
      descriptors = all.map { PollDescriptor(fileDescriptor: $0.fd, events: $0.events) }
    }
  }

  deinit { entries.deallocate() }

  /// Whether `revents`, one for each descriptor, mean that the PCM wants attention.
  borrowing func isReady(_ revents: UnsafeBufferPointer<CShort>, of pcm: OpaquePointer) -> Bool {
    guard !descriptors.isEmpty, revents.count == entries.count else { return false }
    for i in entries.indices { entries[i].revents = revents[i] }
    var meaning: CUnsignedShort = 0
    let result = snd_pcm_poll_descriptors_revents(pcm, entries.baseAddress, CUnsignedInt(entries.count), &meaning)
    // A PCM that is gone fails here. It counts as ready, so that the caller's next call reports the error.
    return result < 0 || CInt(meaning) & (POLLIN | POLLOUT | POLLERR | POLLHUP | POLLNVAL) != 0
  }
}

private func isDevice(_ descriptor: CInt, _ path: String) -> Bool {
  var file = stat()
  var device = stat()
  guard fstat(descriptor, &file) == 0, stat(path, &device) == 0 else { return false }
  return file.st_mode & S_IFMT == S_IFCHR && file.st_rdev == device.st_rdev
}

import CLinux
import Files
import Glibc
import TrackDecoding

/// A process that decodes, and the socket to it. One thread; no call waits for the process.
final class WorkerProcess {
  /// What `receive` found.
  enum Message {
    case answer(DecoderAnswer)
    /// Nothing has come yet.
    case none
    /// The process has closed its end: it has ended, or is about to.
    case closed
  }

  let socket: CInt
  /// Nil: there is none, and somebody else has the other end of the socket.
  private let process: pid_t?
  private let watch: CInt
  private var status: CInt?
  /// It has said that it works. What ends it before that has nothing to do with a file: its program was replaced, or cannot be
  /// read.
  private(set) var isReady: Bool

  init(_ process: pid_t?, socket: CInt) {
    self.process = process
    self.socket = socket
    isReady = process == nil
    watch = process.map { decoder_watch($0) } ?? -1
  }

  deinit {
    close(socket)
    if watch >= 0 { close(watch) }
  }

  /// Starts `program` as a decoder with these libraries. Throws the reason as one clause.
  static func start(
    _ program: String, _ frames: SharedFrames, loading libraries: DecoderLibraries
  ) throws(WorkerFailure) -> WorkerProcess {
    var sockets: [CInt] = [-1, -1]
    var code = decoder_connect(&sockets)
    guard code == 0 else { throw WorkerFailure("no decoder: \(String(cString: strerror(code)))") }
    var process = pid_t()
    code = decoder_start(
      program, DecodeWorker.command, "\(libraries.rawValue)", sockets[1], frames.descriptor, &process)
    close(sockets[1])
    guard code == 0 else {
      close(sockets[0])
      throw WorkerFailure("no decoder: \(program): \(String(cString: strerror(code)))")
    }
    return WorkerProcess(process, socket: sockets[0])
  }

  /// Sends a request, with a file for `open` and `inspect`. Returns false if the process takes none.
  func send(_ request: DecoderRequest, file: CInt = -1) -> Bool {
    withUnsafeBytes(of: request) { bytes in
      decoder_send(socket, bytes.baseAddress, UInt(bytes.count), file) == bytes.count
    }
  }

  func receive() -> Message {
    var answer = DecoderAnswer()
    let count = withUnsafeMutableBytes(of: &answer) { bytes in
      decoder_receive(socket, bytes.baseAddress, UInt(bytes.count), nil, 0)
    }
    if count == MemoryLayout<DecoderAnswer>.size {
      if isReady { return .answer(answer) }
      isReady = true
      return receive()
    }
    return count < 0 && errno == EAGAIN ? .none : .closed
  }

  /// Nanoseconds; nil when the process has ended.
  var processorTime: Duration? {
    guard let process else { return nil }
    let time = decoder_processor_time(process)
    return time < 0 ? nil : .nanoseconds(time)
  }

  var id: pid_t? { process }

  /// Ends the process. `hasEnded` may come later: a process that waits for a dying disk ends only when the disk does.
  func end() { if let process, !hasEnded { kill(process, SIGKILL) } }

  /// Whether the process is gone for good. Takes it from the kernel's list.
  var hasEnded: Bool {
    guard let process, status == nil else { return true }
    var found: CInt = 0
    guard waitpid(process, &found, WNOHANG) == process else { return false }
    status = found
    return true
  }

  /// The signals of a fault: any other is somebody's who ends it, or the kernel's that needs memory.
  private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP]

  /// Why it has closed its end, as one clause.
  func endReason() -> (text: String, isOfFile: Bool) {
    // It closes its descriptors a moment before it can be waited for.
    var polled = pollfd(fd: watch, events: CShort(POLLIN), revents: 0)
    poll(&polled, 1, 100)
    guard hasEnded, let status else { return ("the decoder sends no answers", isReady) }
    let signal = status & 0x7F
    if status >> 8 & 0xFF == DecodeWorker.outOfMemory { return ("the decoder ran out of memory", isReady) }
    if signal == 0 { return ("the decoder ended (status \(status >> 8 & 0xFF))", isReady) }
    return ("the decoder died (signal \(signal))", isReady && Self.faults.contains(signal))
  }
}

/// Why no decoder could be started.
struct WorkerFailure: Error {
  var reason: String
  init(_ reason: String) { self.reason = reason }
}

extension WorkerProcess {
  /// This program: by its link where an upgrade has replaced its file since, so that both sides are always of one version.
  static var ownProgram: String {
    FileAccess.executable().flatMap { $0.hasSuffix(" (deleted)") ? nil : $0 } ?? "/proc/self/exe"
  }
}

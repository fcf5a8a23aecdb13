import Board
import CLinux
import DecoderProcess
import Files
import Glibc
import Jukebox
import Simulator
import TrackDecoding

/// Any answers of a decoder that a file has taken over, where the card has the board's rate or another. A simulated kiosk
/// plays, skips, seeks and is restarted: it goes on, logs plain lines, and saves nothing that it cannot read.
///
/// The first byte chooses the rate. Each answer is a byte of `Flags` and the bytes of a `DecoderAnswer`; when there are no
/// more, the decoder says that its track has ended.
enum DecoderAnswers {
  private static func story(_ rate: Int) -> String {
    """
    at 0s    plug headphones
    at 0.1s  output rate \(rate)
    at 1s    press play
    at 2s    press next
    at 3s    console "seek 999:00:00"
    at 4s    console "status"
    at 15s   power cut
    at 16s   power on
    at 17s   press play
    at 19s   end
    """
  }

  static func check(_ bytes: [UInt8]) throws {
    let board = try SimulatedKiosk.board()
    let rate = [board.rate, 48_000, 192_000, 8_000][Int(bytes.first ?? 0) % 4]
    let tracks = ["a.mp3", "b.mp3"].map { Track(path: "/music/\($0)", name: $0) }
    let opener = PlayedOpener(Array(bytes.dropFirst()))
    var log: [String] = []
    let scenario = try ScenarioParser.parse(story(rate), file: "answers", board: board)
    let simulation = try Simulation(
      scenario: scenario, board: board, settings: Settings(),
      library: tracks, opener: opener, audio: nil, onLine: { log.append($0) })
    _ = try simulation.run()
    for line in log {
      try hold(Wording.oneLine(line) == line, "a log line with control characters: \(Wording.oneLine(line))")
      try hold(!line.contains(EventName.stateUnreadable.rawValue), "a state that cannot be read: \(line)")
    }
  }
}

/// Opens tracks whose decoder sends what it was given. It answers at once, because a simulation does not wait.
private final class PlayedOpener: TrackOpener {
  private struct Flags: OptionSet {
    var rawValue: UInt8
    /// The answer has the number of the bytes, and not that of the request.
    static let hasNumber = Flags(rawValue: 1)
    /// It is sent twice.
    static let isRepeated = Flags(rawValue: 2)
  }

  /// The decoder's end of the sockets.
  private final class End {
    var socket: CInt = -1
    deinit { if socket >= 0 { Glibc.close(socket) } }

    func connect() -> CInt {
      var sockets: [CInt] = [-1, -1]
      decoder_connect(&sockets)
      if socket >= 0 { Glibc.close(socket) }
      socket = sockets[1]
      return sockets[0]
    }
  }

  private let end = End()
  private let opener: ProcessTrackOpener
  private var rest: ArraySlice<UInt8>

  init(_ answers: [UInt8]) {
    rest = answers[...]
    opener = ProcessTrackOpener(
      connect: end.connect,
      openFile: { _ in .success(OpenFile(adopting: Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC), size: 1_000)) })
  }

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    PlayedTrack(try opener.open(path: path, rate: rate), self)
  }

  /// Waits for the file to be opened, or answers a request.
  fileprivate func work() {
    opener.service()
    var request = DecoderRequest()
    var file: CInt = -1
    let count = withUnsafeMutableBytes(of: &request) {
      decoder_receive(end.socket, $0.baseAddress, UInt($0.count), &file, 0)
    }
    if file >= 0 { Glibc.close(file) }
    if count == MemoryLayout<DecoderRequest>.size {
      if request.work != .close { answer(request) }
      return
    }
    var polled = opener.pollDescriptors.map { pollfd(fd: $0.fileDescriptor, events: $0.events, revents: 0) }
    poll(&polled, nfds_t(polled.count), 1)
  }

  private func answer(_ request: DecoderRequest) {
    var answer = DecoderAnswer()
    let size = MemoryLayout<DecoderAnswer>.size
    let flags = Flags(rawValue: rest.first ?? 0)
    let own = rest.dropFirst().prefix(size)
    rest = rest.dropFirst(1 + size)
    withUnsafeMutableBytes(of: &answer) { if own.count == size { $0.copyBytes(from: own) } }
    if !flags.contains(.hasNumber) { answer.number = request.number }
    for _ in 0..<(flags.contains(.isRepeated) ? 2 : 1) {
      _ = withUnsafeBytes(of: answer) { decoder_send(end.socket, $0.baseAddress, UInt($0.count), -1) }
    }
  }
}

private final class PlayedTrack: TrackSource {
  private let track: any TrackSource
  private let opener: PlayedOpener

  init(_ track: any TrackSource, _ opener: PlayedOpener) {
    self.track = track
    self.opener = opener
  }

  var info: TrackInfo { track.info }

  func isReady() -> Bool {
    while !track.isReady() { opener.work() }
    return true
  }

  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    try track.read(into: samples, frames: frames)
  }

  func seek(to frame: Int) throws(TrackError) { try track.seek(to: frame) }

  func close() { track.close() }
}

import AudioSession
import Board
import CLinux
import Glibc
import Jukebox
import Testing

@testable import AudioEngine
@testable import Firmware
@testable import KioskTestSupport
@testable import Simulator
@testable import Threads

/// Engine and decoder on their own threads in real time: no wake-up is lost, whoever is first.
@Suite(.serialized) struct ThreadTests {
  private static let rate = 44_100
  /// A wake-up that is lost shows as a wait this long; all others are some milliseconds.
  private static let patience: CInt = 20_000

  private final class Session {
    let engine: AudioEngine
    let decoder: Decoder
    let cueDecoder: Decoder
    private let audio: WorkerThread
    private let decode: WorkerThread
    private let decodeCues: WorkerThread
    private(set) var reports: [EngineReport] = []

    init() {
      let clock = MonotonicClock(startsNow: true)
      let tap = PortTap(port: .speaker, rate: rate, wav: nil)
      let devices = VirtualDevices(clock: clock, taps: [.speaker: tap, .headphones: tap])
      let outputs = [Port.headphones, .speaker].map { AudioEngine.Output(port: $0, device: $0.rawValue) }
      let engine = AudioEngine(outputs: outputs, opener: devices, rate: rate, buffer: .milliseconds(200))
      let (tracks, cues) = (CountingTracks(["a": 20_000]), CountingTracks(["c": 600]))
      let decoder = Decoder(streamBuffer: engine.music, rate: rate, opener: tracks, library: Library(paths: ["a"]))
      let cueDecoder = Decoder(streamBuffer: engine.cue, rate: rate, opener: cues, library: Library(paths: ["c"]))
      self.engine = engine
      self.decoder = decoder
      self.cueDecoder = cueDecoder
      audio = WorkerThread(name: "audio", signal: engine.signals.audio) {
        AudioThread.run([engine], signal: engine.signals.audio, clock: clock, until: $0)
      }
      decode = WorkerThread(name: "decode", signal: engine.signals.decode) {
        DecodeThread.run([decoder], tracks, signal: engine.signals.decode, until: $0)
      }
      decodeCues = WorkerThread(name: "cues", signal: engine.signals.decodeCues) {
        DecodeThread.run([cueDecoder], cues, signal: engine.signals.decodeCues, until: $0)
      }
    }

    func send(_ command: EngineCommand) {
      _ = engine.commands.push(command)
      engine.signals.audio.raise()
    }

    /// Waits for a report that `isWanted`; false when none comes.
    func wait(for isWanted: (EngineReport) -> Bool) -> Bool {
      while true {
        engine.signals.report.clear()
        for case .opened(let stream, _, _) in decoder.takeReports() {
          decoder.post(.follow(stream: stream, track: nil))
        }
        while let report = engine.reports.pop() {
          if case .moved = report { continue }
          reports.append(report)
          if isWanted(report) { return true }
        }
        var polled = pollfd(fd: engine.signals.report.fileDescriptor, events: CShort(POLLIN), revents: 0)
        if poll(&polled, 1, patience) == 0 { return false }
      }
    }

    func stop() {
      audio.stop()
      decode.stop()
      decodeCues.stop()
    }
  }

  @Test("three hundred loads, routes and pauses, one after the other: every one is reported")
  func hurry() {
    let session = Session()
    defer { session.stop() }
    for round in 0..<300 {
      let stream = UInt8(truncatingIfNeeded: round)
      session.send(.route(round % 2, gain: 1 << 15))
      session.decoder.post(.load(stream: stream, number: round + 1, track: 0, frame: round * 60, rate: Self.rate))
      session.send(.load(stream: stream, number: round + 1, rate: Self.rate))
      session.send(.play)
      if round % 3 > 0 {
        #expect(session.wait { if case .playback(.started(stream, _, _)) = $0 { true } else { false } })
      }
      session.send(.silence(edge: nil))
      let isAnswered = session.wait { if case .playback(.silenced(stream, _)) = $0 { true } else { false } }
      #expect(isAnswered)
      if !isAnswered { return }
    }
  }

  @Test("cues over music that is ducked, paused and moved, one after the other: every one is reported")
  func cues() {
    let session = Session()
    defer { session.stop() }
    for round in 0..<100 {
      let id = UInt8(truncatingIfNeeded: round)
      session.send(.route(round % 2, gain: 1 << 15))
      session.decoder.post(
        .load(stream: id, number: round + 1, track: 0, frame: round * 60, rate: ThreadTests.rate))
      session.send(.load(stream: id, number: round + 1, rate: ThreadTests.rate))
      session.send(.play)
      session.send(.duck(8_000, over: .milliseconds(3)))
      session.cueDecoder.post(.load(stream: id, number: round + 1, track: 0, frame: 0, rate: ThreadTests.rate))
      session.cueDecoder.post(.follow(stream: id, track: nil))
      session.send(.speak(id: id, number: round + 1, rate: ThreadTests.rate))
      if round % 3 == 0 { session.send(.release) }
      var isAnswered = session.wait { if case .playback(.cueStarted(id, _)) = $0 { true } else { false } }
      #expect(isAnswered)
      if round % 3 == 1 {
        session.send(.pauseCue(edge: nil))
        session.send(.resumeCue)
      }
      isAnswered = isAnswered && session.wait { if case .playback(.cueEnded(id)) = $0 { true } else { false } }
      session.send(.duck(1 << 15, over: .milliseconds(3)))
      session.send(.silence(edge: nil))
      isAnswered = isAnswered && session.wait { if case .playback(.silenced(id, _)) = $0 { true } else { false } }
      #expect(isAnswered)
      if !isAnswered { return }
    }
  }

  /// Tracks that do something when they are closed.
  private final class ClosingTracks: TrackOpener {
    /// Longer than the ring, so that it stays open.
    private let base = CountingTracks(["a": 10 * ThreadTests.rate])
    private let close: () -> Void

    init(close: @escaping () -> Void) { self.close = close }

    func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
      ClosingTrack(try base.open(path: path, rate: rate), close)
    }
  }

  private final class ClosingTrack: TrackSource {
    private let base: any TrackSource
    private let onClose: () -> Void

    init(_ base: any TrackSource, _ onClose: @escaping () -> Void) {
      self.base = base
      self.onClose = onClose
    }

    var info: TrackInfo { base.info }
    func read(into target: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
      try base.read(into: target, frames: frames)
    }
    func seek(to frame: Int) throws(TrackError) { try base.seek(to: frame) }
    func close() {
      base.close()
      onClose()
    }
  }

  @Test("the decode thread sees what is posted after its last look, before it sleeps")
  func lastLook() {
    let signals = EngineSignals()
    func decoder(_ opener: any TrackOpener) -> Decoder {
      Decoder(
        streamBuffer: StreamBuffer(capacity: Self.rate, signals: signals, decode: signals.decode), rate: Self.rate,
        opener: opener, library: Library(paths: ["a"]))
    }
    let first = decoder(CountingTracks(["a": 20_000]))
    // The first was looked at and has nothing to do when the second closes its track, which is not work to go on for.
    let second = decoder(
      ClosingTracks { first.post(.load(stream: 1, number: 1, track: 0, frame: 0, rate: Self.rate)) })
    second.post(.load(stream: 1, number: 1, track: 0, frame: 0, rate: Self.rate))
    while second.step() == .worked {}
    signals.report.clear()
    signals.decode.clear()
    let thread = WorkerThread(name: "decode", signal: signals.decode) {
      DecodeThread.run([first, second], CountingTracks([:]), signal: signals.decode, until: $0)
    }
    defer { thread.stop() }
    second.post(.close)
    var polled = pollfd(fd: signals.report.fileDescriptor, events: CShort(POLLIN), revents: 0)
    #expect(poll(&polled, 1, Self.patience) == 1)
  }

  /// A clock that counts how often it is read: at least once a round of the audio thread.
  private final class CountingClock: BoardClock {
    private let base = MonotonicClock(startsNow: true)
    let reads = Locked(0)

    var now: Instant {
      reads.withLock { $0 += 1 }
      return base.now
    }
  }

  @Test("the audio thread makes a round for what wakes it, and no other")
  func rounds() {
    let clock = CountingClock()
    let signals = EngineSignals()
    let heartbeat = Heartbeat()
    let opener = VirtualDevices(clock: clock, taps: [:])
    let engine = AudioEngine(outputs: [], opener: opener, rate: Self.rate, buffer: .milliseconds(200), signals: signals)
    let thread = WorkerThread(name: "audio", signal: signals.audio) {
      AudioThread.run([engine], signal: signals.audio, heartbeat: heartbeat, clock: clock, until: $0)
    }
    var polled = pollfd(fd: signals.report.fileDescriptor, events: CShort(POLLIN), revents: 0)
    for _ in 0..<100 {
      _ = engine.commands.push(.silence(edge: nil))
      signals.audio.raise()
      #expect(poll(&polled, 1, Self.patience) == 1)
      signals.report.clear()
      while engine.reports.pop() != nil {}
    }
    thread.stop()
    // For each command, for one that came in the middle of a round, and for the start and the end.
    #expect(clock.reads.withLock { $0 } <= 210)
  }

  @Test("P10: a track is played to its end while no other thread is awake")
  func alone() {
    let session = Session()
    defer { session.stop() }
    session.send(.route(0, gain: 1 << 15))
    session.decoder.post(.load(stream: 1, number: 1, track: 0, frame: 5_000, rate: Self.rate))
    session.send(.load(stream: 1, number: 1, rate: Self.rate))
    session.send(.play)
    #expect(session.wait { if case .playback(.ended) = $0 { true } else { false } })
    #expect(session.reports.count == 3)
  }
}

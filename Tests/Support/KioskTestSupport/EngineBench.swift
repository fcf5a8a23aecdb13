import AudioSession
import CLinux
import Glibc
import Jukebox

@testable import AudioEngine
@testable import Simulator
@testable import Threads

/// Engine and decoder on hard devices, in virtual time, woken only by what would wake their threads. It names the next
/// tracks to the decoder as the brain would.
final class EngineBench {
  static let rate = 44_100

  let clock = VirtualClock()
  let devices: HardDevices
  private(set) var reports: [EngineReport] = []
  private(set) var decoderReports: [AudioReport] = []
  /// Calls of `service`.
  private(set) var services = 0
  let engine: AudioEngine
  /// The threads of the devices. They do not run: a device does what is asked of it when a test calls `work`.
  let headphones: DeviceThread
  let speaker: DeviceThread
  let decoder: Decoder
  let cueDecoder: Decoder
  /// Tracks that follow the one loaded, by number; the stream ends after the last.
  var queue: ArraySlice<TrackID> = []
  /// Whether the decoder is sent the tracks that follow.
  var namesNextTracks = true
  /// How long the decoder sleeps before every piece of work.
  var decoderDelay = Duration.zero
  private var decodesAt: Instant?
  private var stream: UInt8 = 0
  private var number = 0
  private var spoken = 0
  private var wait = EngineWait.signal
  private var isNextTrackDue = false

  /// - Parameters:
  ///   - tracks: lengths in frames.
  ///   - stall: how long the headphones may take no frames.
  ///   - hasThreads: whether the devices have threads; else they are opened in place.
  init(
    _ quirks: HardDevice.Quirks = HardDevice.Quirks(), tracks: [Int] = [600 * EngineBench.rate],
    breaks: [Int: Int] = [:], failsStorage: Bool = false,
    cues: [Int] = [], cueBreaks: [Int: Int] = [:], isSplit: Bool = false, buffer: Duration = .milliseconds(200),
    sharesDevice: Bool = false, hasThreads: Bool = false, stall: Duration? = nil
  ) {
    devices = HardDevices(quirks, clock: clock)
    let ports: [Port] = [.headphones, .speaker]
    let signals = EngineSignals()
    headphones = DeviceThread(device: "headphones", signals: signals)
    speaker = DeviceThread(device: "speaker", signals: signals)
    engine = AudioEngine(
      outputs: ports.map {
        AudioEngine.Output(
          port: $0, device: sharesDevice ? "one" : $0.rawValue, stall: $0 == .headphones ? stall : nil)
      }, opener: devices,
      rate: Self.rate, buffer: buffer, signals: signals,
      threads: hasThreads ? ["headphones": headphones, "speaker": speaker] : [:])
    decoder = Self.decoder(engine.music, tracks, breaks, failsStorage, isSplit ? .left : .loud)
    cueDecoder = Self.decoder(engine.cue, cues, cueBreaks, false, .right)
  }

  deinit { for thread in [headphones, speaker] { thread.stop() } }

  /// With threads; the headphones play their first second.
  static func playing(_ quirks: HardDevice.Quirks = HardDevice.Quirks()) -> EngineBench {
    let bench = EngineBench(quirks, hasThreads: true)
    bench.play(then: .zero)
    bench.headphones.work()
    bench.pass(.seconds(1))
    return bench
  }

  /// Music on the left, two cues of `cue` frames on the right.
  static func split(_ quirks: HardDevice.Quirks = HardDevice.Quirks(), cue: Int = 20_000) -> EngineBench {
    EngineBench(quirks, cues: [cue, cue], isSplit: true)
  }

  private static func decoder(
    _ streamBuffer: StreamBuffer, _ tracks: [Int], _ breaks: [Int: Int], _ failsStorage: Bool,
    _ sound: CountingTracks.Sound
  )
    -> Decoder
  {
    let names = tracks.indices.map(name)
    let opener = CountingTracks(
      Dictionary(uniqueKeysWithValues: zip(names, tracks)),
      breaks: Dictionary(uniqueKeysWithValues: breaks.map { (name($0.key), $0.value) }), failsStorage: failsStorage,
      sound: sound)
    return Decoder(streamBuffer: streamBuffer, rate: rate, opener: opener, library: Library(paths: names))
  }

  static func name(_ track: Int) -> String { "\(track)" }

  var device: HardDevice? { opened.last { !$0.isClosed } }

  var taps: [Port: FrameRecorder] { devices.taps }
  var opened: [HardDevice] { devices.opened }

  // MARK: - Commands

  /// - Parameter time: passes after it, as after all other commands; nil: neither thread is woken.
  func send(_ command: EngineCommand, then time: Duration? = nil) {
    _ = engine.commands.push(command)
    engine.signals.audio.raise()
    if let time { pass(time) }
  }

  /// As the player does it: the decoder gets the load first.
  func load(_ track: TrackID = 0, at frame: Int = 0, skipping: Int = 1, then time: Duration? = nil) {
    stream &+= UInt8(truncatingIfNeeded: skipping)
    number += 1
    isNextTrackDue = false
    decoder.post(.load(stream: stream, number: number, track: track, frame: frame, rate: engine.rate))
    send(.load(stream: stream, number: number, rate: engine.rate), then: time)
  }

  func route(_ port: Port?, then time: Duration? = nil) {
    send(.route(port.map { $0 == .headphones ? 0 : 1 }, gain: 1 << 15), then: time)
  }

  func silence(edge: Instant? = nil, then time: Duration? = nil) { send(.silence(edge: edge), then: time) }

  /// Headphones, track 0 from its first frame.
  func play(track: TrackID = 0, at frame: Int = 0, then time: Duration? = nil) {
    route(.headphones)
    load(track, at: frame)
    send(.play, then: time)
  }

  /// Speaks a cue, as the player does it.
  func speak(_ id: UInt8 = 1, cue: Int = 0, then time: Duration? = nil) {
    spoken += 1
    cueDecoder.post(.load(stream: id, number: spoken, track: TrackID(cue), frame: 0, rate: engine.rate))
    cueDecoder.post(.follow(stream: id, track: nil))
    send(.speak(id: id, number: spoken, rate: engine.rate), then: time)
  }

  func pauseCue(edge: Instant? = nil, then time: Duration? = nil) { send(.pauseCue(edge: edge), then: time) }

  func duck(decibels: Double, over: Duration, then time: Duration? = nil) {
    send(.duck(VolumeCurve.gain(decibels: decibels), over: over), then: time)
  }

  func followUp() {
    guard namesNextTracks, isNextTrackDue else { return }
    isNextTrackDue = false
    decoder.post(.follow(stream: stream, track: queue.popFirst()))
  }

  // MARK: - Time

  func pass(_ time: Duration) { pass(until: clock.now + time) }

  /// Lets both threads run until `end`, each only when something wakes it.
  func pass(until end: Instant) {
    settle()
    while let next = [deadline, decodesAt, poll].compactMap({ $0 }).min(), next <= end {
      clock.advance(to: next)
      settle()
    }
    clock.advance(to: end)
    settle()
    device?.catchUp()
  }

  /// Neither thread is woken meanwhile, whatever is due.
  func sleep(through time: Duration) { clock.advance(to: clock.now + time) }

  private var deadline: Instant? {
    switch wait {
    case .signal: nil
    case .until(let instant), .device(let instant): instant
    }
  }

  /// When the device's descriptors are ready; looked at in steps of a millisecond, as a period would.
  private var poll: Instant? {
    guard case .device = wait, device?.quirks.polls == true else { return nil }
    return clock.now + .milliseconds(1)
  }

  private var isWoken: Bool {
    if Self.isRaised(engine.signals.audio) { return true }
    if let deadline, deadline <= clock.now { return true }
    if case .device = wait, let device, device.quirks.polls { return device.isPollable }
    return false
  }

  private static func isRaised(_ signal: Signal) -> Bool {
    var polled = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    return Glibc.poll(&polled, 1, 0) > 0
  }

  private func settle() {
    var calls = 0
    while true {
      if isWoken {
        engine.signals.audio.clear()
        wait = engine.service(at: clock.now)
        services += 1
        calls += 1
        if calls > 1_000 { return }
      } else if !decode() {
        return
      }
      collect()
    }
  }

  /// One wake-up of the decode thread, if it is due.
  private func decode() -> Bool {
    if decoderDelay == .zero {
      decodesAt = nil
      guard isDecodingDue else { return false }
      clearDecoding()
      while decoder.step() == .worked {}
      while cueDecoder.step() == .worked {}
      return true
    }
    if decodesAt == nil && isDecodingDue { decodesAt = clock.now + decoderDelay }
    guard let at = decodesAt, at <= clock.now else { return false }
    clearDecoding()
    let hasWorked = [decoder.step(), cueDecoder.step()].contains(.worked)
    decodesAt = hasWorked ? clock.now + decoderDelay : nil
    return true
  }

  private var isDecodingDue: Bool {
    Self.isRaised(engine.signals.decode) || Self.isRaised(engine.signals.decodeCues)
  }

  private func clearDecoding() {
    engine.signals.decode.clear()
    engine.signals.decodeCues.clear()
  }

  private func collect() {
    for report in decoder.takeReports() {
      decoderReports.append(report)
      switch report {
      case .opened(let id, _, _), .failed(let id, _, _, _): if id == stream { isNextTrackDue = true }
      default: break
      }
    }
    followUp()
    while let report = engine.reports.pop() {
      // Only the output group needs to know of each switch of the output.
      if case .moved = report { continue }
      reports.append(report)
    }
  }
}

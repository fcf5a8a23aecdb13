import AudioSession
import Board
import Glibc
import RealtimeAudio
import Threads

/// Mixes the music and a cue on a playback device. The `OutputMachine` decides which call comes next; this class makes
/// it.
///
/// All work is done in `service`. On the board the audio thread calls it whenever the device, a command or the clock
/// wakes it; in the simulator virtual time does. Everything but the rings belongs to the calling thread.
package final class AudioEngine: @unchecked Sendable {
  /// A port and the device behind it.
  package struct Output: Hashable, Sendable {
    package var port: Port
    package var device: String
    /// How long it may take no frames before it is lost (B3); nil for no limit.
    package var stall: Duration?
    package var channels: PortChannels

    package init(port: Port, device: String, stall: Duration? = nil, channels: PortChannels = .stereo) {
      self.port = port
      self.device = device
      self.stall = stall
      self.channels = channels
    }
  }

  let outputs: [Output]
  let signals: EngineSignals
  let music: StreamBuffer
  let cue: StreamBuffer
  let commands = SPSCRing<EngineCommand>(capacity: 256, filler: .play)
  let reports = SPSCRing<EngineReport>(capacity: 256, filler: .playback(.underrun(nil)))
  /// Why the output was last lost. Written before `EngineReport.outputLost` is sent.
  let failure = Locked<PCMError?>(nil)

  private(set) var machine: OutputMachine
  /// One slot for each output; ports that share a device use that of the first.
  private let slots: [DeviceSlot]
  /// The slot of the device that was asked for last.
  private var slot: DeviceSlot?
  private var pcm: (any PCM)?
  private let mixer: Mixer
  /// Whether nothing is to be done before a command or a boundary comes.
  private var isIdle = false
  /// The error of the last failed call on the open device.
  private var callError: PCMError?
  /// The error of the last failed `open`.
  private var openError: PCMError?

  /// - Parameters:
  ///   - rate: the board's rate in Hz, which is requested from every device.
  ///   - threads: of the devices, by name. A device without one is opened and closed in place.
  ///   - mixer: engines of one audio thread may share it.
  init(
    outputs: [Output], opener: any PCMOpener, rate: Int, buffer: Duration, signals: EngineSignals = EngineSignals(),
    threads: [String: DeviceThread] = [:], mixer: Mixer = Mixer()
  ) {
    self.outputs = outputs
    self.signals = signals
    self.mixer = mixer
    slots = outputs.map {
      DeviceSlot($0, opener: opener, rate: rate, buffer: buffer, thread: threads[$0.device], signals: signals)
    }
    let kept = buffer.frames(rate: rate) + max(buffer * 2, Timing().latestEdge).frames(rate: rate)
    // Room for a late decoder, for what the device holds, and for frames already heard that may be played again.
    music = StreamBuffer(capacity: rate * 2 + kept, signals: signals, decode: signals.decode)
    cue = StreamBuffer(capacity: rate / 2 + kept, signals: signals, decode: signals.decodeCues)
    machine = OutputMachine(
      OutputMachine.Setup(
        boardRate: rate, buffer: buffer,
        devices: outputs.map { output in outputs.firstIndex { $0.device == output.device } ?? 0 },
        stalls: outputs.map(\.stall), matrices: outputs.map { StereoMatrix($0.channels) },
        musicCapacity: music.ring.capacity, cueCapacity: cue.ring.capacity))
  }

  /// The rate of the device and of the frames in the rings, in Hz.
  var rate: Int { machine.rate }

  /// Does what is due and returns what to wait for. Never blocks.
  package func service(at now: Instant) -> EngineWait {
    // Most wake-ups are for another engine.
    if isIdle && commands.isEmpty && music.boundaries.isEmpty && cue.boundaries.isEmpty { return .signal }
    var result = OutputMachine.CallResult.woken
    // Outside the loop, where their references would be counted each time.
    let (musicRing, cueRing) = (music.ring, cue.ring)
    while true {
      let decoded = OutputMachine.Decoded(music: musicRing.written, cue: cueRing.written)
      let call = machine.next(result, decoded: decoded, at: now)
      while let notice = machine.notices.take() { deliver(notice) }
      if case .wait(let wait) = call {
        isIdle = wait == .signal && !machine.isPriming
        return wait
      }
      result = make(call)
    }
  }

  // MARK: - For the thread that runs it

  package var pollDescriptors: [PollDescriptor] { pcm?.pollDescriptors ?? [] }

  /// Passes the results of `poll(2)` to the device, in the order of `pollDescriptors`.
  package func deviceWoke(_ revents: UnsafeBufferPointer<CShort>) { _ = pcm?.isReady(revents) }

  /// Has the device closed. No call may follow.
  package func shutDown() {
    close()
    if let ahead = machine.ahead { slot(of: ahead.output).close(nil) }
    if let late = machine.late { slot(of: late.output).close(nil) }
    machine.shutDown()
  }

  // MARK: - Calls

  private func make(_ call: OutputMachine.Call) -> OutputMachine.CallResult {
    do throws(PCMError) {
      switch call {
      case .wait: return .woken
      case .takeCommand: return .command(commands.pop())
      case .seekEdges: return .edges(edges())
      case .takeBoundary(let name): return .boundary(takeBoundary(of: streamBuffer(name)))
      case .ask(let name): streamBuffer(name).askForFrames()
      case .open(let index): return open(index)
      case .answer: return result(of: slot?.takeAnswer())
      case .close: close()
      case .openAhead(let index): return slot(of: index).askAhead() ? .done : .pending
      case .closeAhead(let index): slot(of: index).close(nil)
      case .status: return .status(try device(.status).status())
      case .rewind(let frames, let isUrgent): return rewind(frames, isUrgent, on: try device(.status))
      case .write(let frames): return .count(try write(frames, to: device(.write)))
      case .stop: try device(.stop).stop()
      case .start: try device(.start).start()
      case .recover: return result(of: slot?.ask(for: .recover(try device(.recover))))
      }
      return .done
    } catch {
      callError = error
      return .failed
    }
  }

  private func streamBuffer(_ name: MixVoice.Name) -> StreamBuffer {
    switch name {
    case .music: music
    case .cue: cue
    }
  }

  private func edges() -> OutputMachine.Edges {
    var edges = OutputMachine.Edges()
    var index = 0
    while let command = commands.peek(index) {
      edges.note(command)
      index += 1
    }
    return edges
  }

  private func takeBoundary(of streamBuffer: StreamBuffer) -> TrackBoundary? {
    guard let boundary = streamBuffer.boundaries.pop() else { return nil }
    // The decoder may be waiting for room in the boundary ring.
    streamBuffer.decode.raise()
    return boundary
  }

  private func slot(of index: Int) -> DeviceSlot { slots[machine.setup.devices[index]] }

  private func open(_ index: Int) -> OutputMachine.CallResult {
    let slot = slot(of: index)
    self.slot = slot
    return result(of: slot.ask(for: .open))
  }

  private func result(of answer: DeviceSlot.Answer?) -> OutputMachine.CallResult {
    switch answer {
    case nil: return .pending
    case .opened(let opened)?:
      pcm = opened
      return .opened(
        OutputMachine.Device(
          format: opened.format, margin: opened.margin, cardClass: opened.cardClass,
          polls: !opened.pollDescriptors.isEmpty))
    case .recovered?: return .done
    case .failed(let error)?:
      if pcm == nil { openError = error } else { callError = error }
      return .failed
    }
  }

  private func close() {
    // This thread keeps no reference: the last one frees the device's memory.
    slot?.close(pcm.take())
  }

  private func device(_ operation: PCMError.Operation) throws(PCMError) -> any PCM {
    guard let pcm else { throw PCMError(operation: operation, device: deviceName, code: EBADF, message: "closed") }
    return pcm
  }

  private func rewind(_ frames: Int, _ isUrgent: Bool, on pcm: any PCM) -> OutputMachine.CallResult {
    let taken = pcm.rewind(frames, isUrgent: isUrgent)
    return pcm.takesBack ? .count(taken) : .refused
  }

  private func write(_ frames: Int, to pcm: any PCM) throws(PCMError) -> Int {
    let mixed = machine.mix(frames: frames, from: (music.ring, cue.ring), with: mixer)
    return try pcm.write(mixed.samples, frames: mixed.frames)
  }

  // MARK: - Notices

  private func deliver(_ notice: OutputMachine.Notice) {
    switch notice {
    case .report(let report):
      // A full ring means that the control thread is stuck. The report is dropped and playback continues.
      _ = reports.push(report)
      signals.report.raise()
    case .failure(let reason):
      if reason == .hangs { slot?.reportHang() }
      let error = error(of: reason)
      failure.withLock { $0 = error }
    case .release(let name, let before, let isLow):
      streamBuffer(name).ring.release(upTo: before)
      if isLow { streamBuffer(name).decode.raise() }
    }
  }

  private var deviceName: String { machine.output.map { outputs[$0].device } ?? "none" }

  private func error(of reason: OutputMachine.LossReason) -> PCMError? {
    switch reason {
    case .call: callError
    case .open: openError
    case .gone: PCMError(operation: .status, device: deviceName, code: ENODEV, message: "device is gone")
    case .dies: PCMError(operation: .start, device: deviceName, code: EIO, message: "stops as soon as it starts")
    case .refuses: PCMError(operation: .write, device: deviceName, code: ETIMEDOUT, message: "takes no frames")
    case .hangs: PCMError(operation: .open, device: deviceName, code: ETIMEDOUT, message: "device does not answer")
    case .stalls:
      PCMError(operation: .write, device: deviceName, code: ETIMEDOUT, message: "has taken no frames for too long")
    case .stuck: PCMError(operation: .status, device: deviceName, code: ETIMEDOUT, message: "stands still")
    case .misread:
      PCMError(operation: .status, device: deviceName, code: EPROTO, message: "returned an unexpected result")
    }
  }
}

import Board
import RealtimeAudio

@testable import AudioEngine

/// What was heard of a voice, and what may be heard next.
struct VoiceHistory: Hashable {
  /// The ring's index that the next passage begins with: just after what was heard in full. Frames of a fade-out do not
  /// count, because they are heard again in the fade-in.
  var low = 0
  /// Where the listener was at an edge: the voice resumes there, whatever was heard since.
  var pin: Int?
  /// `low` one millisecond ago and earlier.
  var recentLows: [Int] = []
  /// The ring's index heard in the last frame; `load` is its load.
  var last: Int?
  var load = 0
  var gain: Int32 = 0
  /// Another load was commanded, and nothing of it was heard yet.
  var isFresh = true
  /// It moves to another output: the frames of the fade are not heard again.
  var moves = false
  /// It is cut short for a legitimate reason, so that a click is allowed.
  var mayClick = false
  /// The machine has ended it since: what comes next is another passage.
  var isOver = false

  /// Another load was obeyed.
  mutating func begin() {
    isFresh = true
    low = 0
    recentLows = []
    pin = nil
    moves = false
    isOver = true
  }
}

/// What was commanded and reported.
struct MachineHistory: Hashable {
  var silences = 0
  var cuePauses = 0
  var wantsRelease = false
  /// The output that was commanded last.
  var output: Int?
  /// Play was commanded, and nothing has ended it.
  var wantsMusic = false
  /// Something went wrong since the output was lost last.
  var hasFailed = false
  /// The device took less than it has room for, since it was filled last.
  var wasRefused = false
  var isExplained = false
  /// The port that sounds on until the next device is open is gone.
  var isVacated = false
  /// The thread was due and not woken.
  var hasOverslept = false
  var isLost = false
  /// The device's rate as the driver knows it.
  var rate = MachineSetup.rate
  /// Tracks that were reported as begun since the load.
  var began = 0
  /// Times in a row that the device took nothing, and that it stopped before anything was heard.
  var refusals = 0
  var futileStarts = 0
}

extension MachineWorld {
  /// The ring's index that has to be heard next.
  func next(of name: MixVoice.Name) -> Int {
    let first = self[decoder: name].extent(of: machine[name].load).first ?? 0
    return self[history: name].isFresh ? first : self[history: name].low
  }

  /// Plays a millisecond on the device.
  mutating func play(_ setup: MachineSetup) {
    for name in OutputMachine.both where !machine[name].isAwaitingStream {
      self[history: name].recentLows = Array(([next(of: name)] + self[history: name].recentLows).prefix(3))
    }
    device?.hasMoved = false
    guard var playing = device else { return }
    if playing.state == .underrun || playing.state == .suspended || playing.state == .disconnected {
      playing.deadFor += playing.format.rate / MachineSetup.rate
    }
    if playing.isLinkSilent { playing.silentFor += playing.format.rate / MachineSetup.rate }
    for _ in 0..<(playing.format.rate / MachineSetup.rate) where playing.state == .running && !playing.isLinkSilent {
      if playing.isDry {
        runDry(with: playing.queue)
        playing.state = .underrun
      } else if let sound = playing.playNext() {
        history.futileStarts = 0
        checkHeard(.music, sound.music, setup)
        checkHeard(.cue, sound.cue, setup)
      }
    }
    device = playing
  }

  /// - Parameter lost: frames on their way, which are no longer heard.
  private mutating func runDry(with lost: [ModelDevice.Sound]) {
    history.hasFailed = true
    let step = GainRamp.unity / Int32(machine.fadeFrames) + 2
    let isCut = !lost.allSatisfy { $0.isSilent } && OutputMachine.both.contains { self[history: $0].gain > step }
    for name in OutputMachine.both { breakOff(name) }
    // Only a decoder that is late, or a device that takes nothing, may leave it without frames.
    guard machine.cursor < machine.stop || isCut, case .wait = call else { return }
    let isLate = OutputMachine.both.contains { name in
      machine[name].piece(at: machine.cursor, limit: 1).frames == 0
    }
    demand(
      isLate || history.wasRefused || history.hasOverslept, isCut ? "a fade is cut" : "ran dry with frames decoded")
  }

  private mutating func checkHeard(_ name: MixVoice.Name, _ part: ModelDevice.Sound.Part?, _ setup: MachineSetup) {
    var history = self[history: name]
    defer { self[history: name] = history }
    let extent = self[decoder: name].extent(of: machine[name].load)
    let step = GainRamp.unity / Int32(machine.fadeFrames) + 2
    if part == nil || history.isOver {
      // It may end only with a fade, or with the last frame of the load.
      let before = self[decoder: name].extents.first { $0.load == history.load }
      let isWhole = before.map { history.last == $0.behind - 1 } ?? true
      demand(history.gain <= step || isWhole || history.mayClick, "\(name) breaks off")
      history.last = nil
      history.gain = 0
      if !machine[name].isOn { history.mayClick = false }
    }
    guard let part else { return }
    history.isOver = false
    if let last = history.last {
      demand(part.index == last + 1 || history.mayClick, "\(name) jumps from \(last) to \(part.index)")
    } else {
      let begin = history.isFresh ? extent.first : history.low
      demand(part.index == begin, "\(name) begins with \(part.index), not \(begin ?? -1)")
    }
    let isFirst = history.gain == 0 && extent.starts.contains(part.index)
    demand(abs(part.gain - history.gain) <= step || isFirst || history.mayClick, "\(name) clicks")
    history.isFresh = false
    if part.gain >= history.gain { history.low = part.index + 1 }
    history.last = part.index
    history.load = machine[name].load
    history.gain = part.gain
  }

  /// The device forgets what it holds.
  mutating func cutOff() { for name in OutputMachine.both { breakOff(name) } }

  mutating func breakOff(_ name: MixVoice.Name) {
    self[history: name].last = nil
    self[history: name].gain = 0
    self[history: name].mayClick = false
  }
}

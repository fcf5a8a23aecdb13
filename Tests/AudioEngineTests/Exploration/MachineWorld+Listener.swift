import AudioSession
import Board
import RealtimeAudio

@testable import AudioEngine

/// What was heard of a voice, and what may be heard next.
struct VoiceBook: Hashable {
  /// The ring's index that the next passage begins with: behind what was heard in full. Frames of a fade-out do not
  /// count, as they are heard again in the fade-in.
  var low = 0
  /// Where the listener was at an edge: there it goes on, whatever was heard since.
  var pin: Int?
  /// `low` a millisecond ago and before.
  var history: [Int] = []
  /// Heard in the last frame, and of which load.
  var last: Int?
  var load = 0
  var gain: Int32 = 0
  /// Another load was commanded, and nothing of it was heard yet.
  var isFresh = true
  /// It moves to another output: what fades is not heard again.
  var moves = false
  /// It is cut short, and everybody knows why.
  var mayClick = false
  /// The machine has let go of it since: what comes next is another passage.
  var isOver = false

  /// Another load was obeyed.
  mutating func begin() {
    isFresh = true
    low = 0
    history = []
    pin = nil
    moves = false
    isOver = true
  }
}

/// What was commanded and told.
struct MachineHistory: Hashable {
  var silences = 0
  var clipPauses = 0
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
  var isLost = false
  /// What the driver takes for the device's rate.
  var rate = MachineSetup.rate
  /// Tracks that were told to begin since the load.
  var began = 0
  /// Times in a row that the device took nothing, and that it stopped before anything was heard.
  var refusals = 0
  var futileStarts = 0
}

extension MachineWorld {
  /// The ring's index that is to be heard next, when it comes to it.
  func next(of name: MixVoice.Name) -> Int {
    let first = self[decoder: name].extent(of: machine[name].load).first ?? 0
    return self[book: name].isFresh ? first : self[book: name].low
  }

  /// A millisecond of what the device plays.
  mutating func play(_ setup: MachineSetup) {
    for name in OutputMachine.both where !machine[name].isAwaitingStream {
      self[book: name].history = Array(([next(of: name)] + self[book: name].history).prefix(3))
    }
    device?.hasMoved = false
    guard var playing = device else { return }
    if playing.state == .underrun || playing.state == .suspended || playing.state == .disconnected {
      playing.deadFor += playing.format.rate / MachineSetup.rate
    }
    for _ in 0..<(playing.format.rate / MachineSetup.rate) where playing.state == .running {
      if playing.queue.isEmpty {
        runDry()
        playing.state = .underrun
      } else {
        let sound = playing.queue.removeFirst()
        playing.hasMoved = true
        book.futileStarts = 0
        hear(.music, sound.music, setup)
        hear(.clip, sound.clip, setup)
      }
    }
    device = playing
  }

  private mutating func runDry() {
    book.hasFailed = true
    for name in OutputMachine.both { breakOff(name) }
    // Only a decoder that is late, or a device that takes nothing, may leave it without frames.
    guard machine.cursor < machine.stop, case .wait = call else { return }
    let isLate = OutputMachine.both.contains { name in
      machine[name].piece(at: machine.cursor, limit: 1).frames == 0
    }
    demand(isLate || book.wasRefused, "ran dry with frames decoded")
  }

  private mutating func hear(_ name: MixVoice.Name, _ part: ModelDevice.Sound.Part?, _ setup: MachineSetup) {
    var book = self[book: name]
    defer { self[book: name] = book }
    let extent = self[decoder: name].extent(of: machine[name].load)
    let step = GainRamp.unity / Int32(machine.fadeFrames) + 2
    if part == nil || book.isOver {
      // With a fade, or with the last frame there is.
      let before = self[decoder: name].extents.first { $0.load == book.load }
      let isWhole = before.map { book.last == $0.behind - 1 } ?? true
      demand(book.gain <= step || isWhole || book.mayClick, "\(name) breaks off")
      book.last = nil
      book.gain = 0
      if !machine[name].isOn { book.mayClick = false }
    }
    guard let part else { return }
    book.isOver = false
    if let last = book.last {
      demand(part.index == last + 1 || book.mayClick, "\(name) jumps from \(last) to \(part.index)")
    } else {
      let begin = book.isFresh ? extent.first : book.low
      demand(part.index == begin, "\(name) begins with \(part.index), not \(begin ?? -1)")
    }
    let isFirst = book.gain == 0 && extent.starts.contains(part.index)
    demand(abs(part.gain - book.gain) <= step || isFirst || book.mayClick, "\(name) clicks")
    book.isFresh = false
    if part.gain >= book.gain { book.low = part.index + 1 }
    book.last = part.index
    book.load = machine[name].load
    book.gain = part.gain
  }

  /// The device forgets what it holds. What is cut short goes on at once, with its fade.
  mutating func cutOff() {
    if case .cutting = machine.state { return }
    for name in OutputMachine.both { breakOff(name) }
  }

  private mutating func breakOff(_ name: MixVoice.Name) {
    self[book: name].last = nil
    self[book: name].gain = 0
    self[book: name].mayClick = false
  }
}

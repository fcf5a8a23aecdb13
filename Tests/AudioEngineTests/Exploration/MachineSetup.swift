import Board

@testable import AudioEngine

/// What may happen to a machine that is explored. Its device holds three frames of a millisecond each; everything that
/// takes time takes two or three of them, so that the exploration stays small.
struct MachineSetup {
  static let rate = 1_000
  static let fade = 2
  static let size = 3

  static let usual: [EngineCommand] = [.play, .silence(edge: nil)]

  var commands = usual
  /// How many milliseconds before they are seen edges are dated.
  var edges: [Int64] = []
  var pauseCueEdges: [Int64] = []
  /// Commands between two waits.
  var maxCommands = 1
  /// Whether loads come, and cues are spoken, at any time; else once, at the start.
  var loads = false
  /// Whether a load may reach the decoder long before the engine.
  var posts = false
  var speaks = false
  /// Frames of the tracks of every load; the stream ends after the last.
  var tracks = [Int.max]
  /// Where in the first of them every load begins.
  var frame = 5
  var cue = 4
  /// The output chosen at the start; another may be on the same device.
  var devices = [0]
  var route = 0

  /// Calls that may fail.
  var failing: Set<PCMError.Operation> = []
  /// Whether the device may take its time to be opened and recovered.
  var isSlow = false
  var mishaps: [PCMStatus.State] = []
  /// Whether the device has a radio link that may fall silent.
  var stalls = false
  static let stall = Duration.milliseconds(4)
  /// Whether a device that stopped no longer reports what it held.
  var forgets = false
  /// Whether the device's status may be a millisecond old.
  var hasOldStamps = false
  /// Whether a write may be refused, or taken in part.
  var takesLess = false
  /// The most frames that it rewinds of those requested.
  var rewinds = [Int.max]
  var margin = 0
  /// Whether the device can be rewound; if not, whether only the first try shows it, as an underrun.
  var takesBack = true
  var refuses = false
  /// By how many frames the device's position moves at once; as many it has fetched, and gives none of them back.
  var positionStep = 0
  var cardClass: CardClass {
    takesBack ? positionStep > 0 ? .stepped(positionStep) : .exact : .noRewind(step: positionStep)
  }
  /// How many frames the device keeps behind its buffer, which are lost when that runs dry.
  var latency = 0
  /// Whether the thread may be woken a millisecond late.
  var oversleeps = false
  var polls = false
  /// Whether a start may fail without an error.
  var dies = false
  /// The formats that a reopened device may have.
  var formats = [PCMFormat(rate: rate, bufferFrames: size)]
  /// Whether decoders may be late; else they have done all they can before anything else happens.
  var isLate = false

  static let timing = Timing(
    fade: .milliseconds(fade), volumeRamp: .milliseconds(2), latestEdge: .milliseconds(3),
    silenceAtEdge: .milliseconds(fade + 1), keptAtEdge: .milliseconds(1), shallowWait: .milliseconds(1),
    leastMargin: .milliseconds(1), quiet: .milliseconds(4), mostQuiet: .milliseconds(4),
    devicePatience: .milliseconds(3), answer: .milliseconds(2),
    late: .milliseconds(3),
    decoderPatience: .milliseconds(2), retry: .milliseconds(1), maxRetries: 2, maxFutileStarts: 1)

  var machine: OutputMachine.Setup {
    OutputMachine.Setup(
      boardRate: Self.rate, buffer: .milliseconds(Self.size), devices: devices,
      stalls: stalls ? devices.map { _ in Self.stall } : [], musicCapacity: stalls ? 9 : 6, cueCapacity: 6,
      timing: Self.timing)
  }
}

import AudioEngine
import AudioSession
import Board
import BoardFiles
import Jukebox
import Storage
import Threads

extension Firmware {
  /// What the firmware runs on.
  public struct Parts {
    public var board: BoardDescription
    public var settings: Settings
    /// The clients that the settings name.
    public var clients: [SessionClient]
    public var cues: [Cue]
    public var library: TrackList
    /// Folders of music that are not there.
    public var missing: [LibraryReport.Missing] = []
    /// How much of the cues that the settings name is not there.
    public var cueFaults = 0
    /// Some of the library is as it was listed before (X6): `music` lists it soon.
    public var isMusicKept = false
    /// Lists the music again when it changes; nil: it stays as it is.
    public var music: (any MusicLister)?
    public var clock: any BoardClock
    /// Gives the time of day, and the date in the names of recordings.
    public var wallClock: any WallClock
    public var lines: any LineSet
    public var devices: any PCMOpener
    /// Opens the music, for the thread that decodes it.
    public var tracks: any TrackOpener & Sendable
    /// Opens the cues, for a thread of their own.
    public var cueFiles: any TrackOpener & Sendable
    /// The device of each port.
    public var outputs: [Port: String]
    /// Where the state is kept; nil if it is not kept.
    public var statePath: String?
    /// Where the counters are kept; nil if they are not.
    package var database: KeptDatabase?
    /// What was counted last before this start.
    public var counted: ListeningCounts.Saved?
    /// Where the ledger is kept, read already; nil: it is not kept.
    package var ledger: LedgerStore?
    public var boardOperator: any Operator
    /// The files that are left out; nil if none are.
    public var quarantine: QuarantineStore?
    /// The folder of the recordings, and their limits.
    public var recordings: RecordingSettings
    /// Opens what is recorded from; nil: nothing can be recorded.
    public var inputs: (any CaptureOpener)?
    /// Receives the status and signs of life; nil if there is no supervisor.
    public var supervisor: Supervisor?
    /// Opens the volume controls of the board's ports; nil: all volume is made in software.
    public var mixers: (any MixerOpener)?
    /// Pairs and calls headsets; nil: the board has no port for them.
    public var headsets: (any HeadsetController)?
    public var thermometer: Thermometer
    /// The folder of the kernel's LED class.
    public var leds = KernelLED.root
    /// Whether the processes that decode are confined; nil where there are none.
    public var jail: SystemGrant?
    /// The files that board and settings come from.
    public var origin: PowerOn.Origin?
    /// How long the end waits for the threads that use a storage, for all of them together. systemd ends the firmware by
    /// force after 15 s, and what it has to say of them is to be said before.
    package var patience = Duration.seconds(7)
    /// What other threads have to say to the operator.
    public var notices: Notices

    public init(
      board: BoardDescription, settings: Settings, clients: [SessionClient] = [], cues: [Cue] = [], library: TrackList,
      clock: any BoardClock, lines: any LineSet, devices: any PCMOpener, tracks: any TrackOpener & Sendable,
      cueFiles: any TrackOpener & Sendable, outputs: [Port: String], statePath: String?, boardOperator: any Operator,
      quarantine: QuarantineStore? = nil,
      recordings: RecordingSettings = RecordingSettings(), inputs: (any CaptureOpener)? = nil,
      mixers: (any MixerOpener)? = nil, wallClock: any WallClock = SystemWallClock(), supervisor: Supervisor? = nil,
      thermometer: Thermometer = Thermometer(), jail: SystemGrant? = nil, notices: Notices = Notices()
    ) {
      self.board = board
      self.settings = settings
      self.clients = clients
      self.cues = cues
      self.library = library
      self.clock = clock
      self.wallClock = wallClock
      self.lines = lines
      self.devices = devices
      self.tracks = tracks
      self.cueFiles = cueFiles
      self.outputs = outputs
      self.statePath = statePath
      self.boardOperator = boardOperator
      self.quarantine = quarantine
      self.recordings = recordings
      self.inputs = inputs
      self.supervisor = supervisor
      self.mixers = mixers
      self.thermometer = thermometer
      self.jail = jail
      self.notices = notices
    }
  }
}

extension Firmware.Parts {
  /// The thread that moves the volume controls that the board names; nil if it names none.
  func mixerThread(reportSignal: Signal) -> MixerThread? {
    let named = Dictionary(board.ports.map { ($0.output.port, $0.mixer) }) { first, _ in first }.compactMapValues { $0 }
    guard let mixers, !named.isEmpty else { return nil }
    return MixerThread(named, opener: mixers, reportSignal: reportSignal)
  }

  /// - Parameter cues: paths of the cues, by index.
  func outputGroup(library: Library, cues: [String], signals: EngineSignals, portVolumes: PortVolumes) -> OutputGroup {
    let ports = board.ports.map { setup in
      AudioEngine.Output(
        port: setup.output.port, device: outputs[setup.output.port] ?? setup.pcm,
        stall: settings.stallLimit(of: setup.output), channels: setup.output.channels)
    }
    return OutputGroup(
      outputs: ports, devices: devices, tracks: tracks, cueFiles: cueFiles, rate: board.rate,
      buffer: board.buffer, library: library, cues: cues, signals: signals, portVolumes: portVolumes)
  }
}

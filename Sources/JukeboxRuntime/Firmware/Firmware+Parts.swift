import AudioSession
import Board
import Jukebox

extension Firmware {
  /// What the firmware runs on.
  public struct Parts {
    public var board: BoardDescription
    public var settings: Settings
    /// Those that the settings name.
    public var clients: [SessionClient]
    public var cues: [Cue]
    public var library: [Track]
    public var clock: any BoardClock
    /// For the names of recordings and the time of the day.
    public var wallClock: any WallClock
    public var lines: any LineSet
    public var devices: any PCMOpener
    public var tracks: any TrackOpener
    /// The device of each port.
    public var outputs: [Port: String]
    /// Where the state is kept; nil: nowhere.
    public var statePath: String?
    public var person: any Operator
    /// Where recordings go.
    public var recordings: RecordingSettings
    /// Opens what is recorded from; nil: nothing can be recorded.
    public var inputs: (any CaptureOpener)?
    /// Who wants to know how the firmware is; nil: nobody.
    public var supervisor: Supervisor?

    public init(
      board: BoardDescription, settings: Settings, clients: [SessionClient] = [], cues: [Cue] = [], library: [Track],
      clock: any BoardClock, lines: any LineSet, devices: any PCMOpener, tracks: any TrackOpener,
      outputs: [Port: String], statePath: String?, person: any Operator,
      recordings: RecordingSettings = RecordingSettings(), inputs: (any CaptureOpener)? = nil,
      wallClock: any WallClock = SystemWallClock(), supervisor: Supervisor? = nil
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
      self.outputs = outputs
      self.statePath = statePath
      self.person = person
      self.recordings = recordings
      self.inputs = inputs
      self.supervisor = supervisor
    }
  }
}

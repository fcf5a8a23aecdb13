import AudioSession

/// Everything the brain can ask of the world.
public enum Effect: Hashable, Sendable {
  case audio(AudioCommand)
  case record(RecorderCommand)
  case lamp(LampPattern)
  /// What an output of role `signal` shows from now on; all are off at power on.
  case signal(LineID, LampPattern)
  /// The sound has ended, or is about to begin.
  case muteAmplifier(Bool)
  case setTimer(TimerID, Instant)
  case cancelTimer(TimerID)
  case log(Event)
  /// An answer to whoever typed the last console command; one or several lines.
  case reply(String)
  case save(SavedState)
  /// Write the ledger at once; the answer comes as `Input.ledger` with this number, which counts up.
  case keep(Ledger, number: Int)
  /// Look which tracks were heard most; the answer comes as `Input.ranking`.
  case rank
  /// A step of the counting.
  case count(Counted)
  /// Show the counters to whoever typed the last console command.
  case replyStatistics(StatisticsForm)
  /// List the music again at once; what was found comes as `Input.library`, if it is another than before.
  case listMusic
  /// Ask the headset at this port for a volume of 0 to 127; what it has then comes as `Input.headsetVolume` (B6).
  case setHeadsetVolume(Port, level: Int)
  case headset(HeadsetCommand)
}

/// For people or for programs.
public enum StatisticsForm: Hashable, Sendable { case text, json }

public enum RecorderCommand: Hashable, Sendable { case start, stop }

/// What the audio engine is to do. It obeys in order.
public enum AudioCommand: Hashable, Sendable {
  /// The tracks that later commands name by their ids; those of the library before are no longer opened.
  case library(Library)
  /// Forget what is decoded and begin a new stream at `position`. Only while silent.
  case load(stream: UInt8, Position)
  /// What follows without a gap after all that the stream was told so far; nil: the stream ends there. A track that
  /// comes after such a nil takes its place, unless the decoder has ended the stream by then, or its storage has
  /// failed: then it is ignored, and `ended` is reported as usual. One that came in time is reported as `opened` or
  /// `failed`, as any other.
  case follow(stream: UInt8, track: TrackID?)
  /// Fade in from the position of the stream.
  case play
  /// Fade out, now or as of the moment of a line's `edge`, and stand at the frame heard then. An edge may follow a
  /// silence without one, whose fade may still be heard.
  case silence(edge: Instant?)
  /// Play on this port, at this volume from its first frame on; nil: nowhere.
  case route(Port?, volume: Int)
  /// This port's plug is being pulled: what is still heard there until the device of the route is open ends at once.
  case vacate(Port)
  case volume(Int)
  /// What the sides of this port play from now on, or when it becomes the route; before, it is as the board file says.
  case channels(Port, PortChannels)
  /// Try to open the lost output again. Unless there is no port, it is answered: with `outputLost`, or with
  /// `outputRestored` when the output is open, even if it was open already.
  case reopen
  /// Close output and decoder as soon as nothing sounds; the next `load` and `play` open them again (I11).
  case release
  /// Ports that play the same as the route, each at its volume; none but in a multi-route.
  case others([Port: Int])
  /// Move the music to a level in dB, 0 being its own, in a straight line over this time.
  case duck(level: Double, over: Duration)
  /// Play a cue (its index in `Configuration.cues`) once the ducking that came before is done; the music goes on.
  /// Another cue that is still there is forgotten. It is answered by `cueStarted` and, at its end, `cueEnded`; or by
  /// `cueFailed`.
  case speak(id: UInt8, cue: Int)
  /// Fade the cue out, now or as of the moment of a line's `edge`, and stand at the frame heard then. An edge may come
  /// as with `silence`.
  case pauseCue(edge: Instant?)
  /// Go on with the cue where it was paused.
  case resumeCue
}

public enum LampPattern: String, Hashable, Sendable, CaseIterable {
  case off
  /// Sound runs.
  case on
  /// A question waits for an answer.
  case blink
  /// There is no music to play: short flashes.
  case flash
  /// Something new is being read: as fast as one can see it.
  case flicker
  /// Something new is there: lit, except for a moment in each second.
  case wink
  /// Something new was refused: twice a second, then dark.
  case doubleFlash = "double-flash"
  /// A headset may pair: three times, then dark.
  case tripleFlash = "triple-flash"
}

import AudioSession

/// Everything the brain can ask of the world.
public enum Effect: Hashable, Sendable {
  case audio(AudioCommand)
  case lamp(LampPattern)
  case setTimer(TimerID, Instant)
  case cancelTimer(TimerID)
  case log(Event)
  /// An answer to whoever typed the last console command; one or several lines.
  case reply(String)
  case save(SavedState)
}

/// What the audio engine is to do. It obeys in order.
public enum AudioCommand: Hashable, Sendable {
  /// Forget what is decoded and begin a new stream at `position`. Only while silent.
  case load(stream: UInt8, Position)
  /// What follows without a gap after all that the stream was told so far; nil: the stream ends there.
  case follow(stream: UInt8, track: Int?)
  /// Fade in from where the stream stands.
  case play
  /// Fade out, now or as of the moment of a line's `edge`, and stand at the frame heard then.
  case silence(edge: Instant?)
  /// Play on this port, at this volume from its first frame on; nil: nowhere.
  case route(Port?, volume: Int)
  case volume(Int)
  /// Try to open the lost output again. Unless there is no port, it is answered: with `outputLost`, or with
  /// `outputRestored` when the output is open, even if it was open already.
  case reopen
}

public enum LampPattern: String, Hashable, Sendable, CaseIterable {
  case off
  /// Sound runs.
  case on
  /// A question waits for an answer.
  case blink
}

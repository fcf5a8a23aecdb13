import Threads

/// How the threads around the engine wake each other. All engines of one audio thread may share them.
package struct EngineSignals: Sendable {
  /// Raised for the audio thread: a command waits, or a decoder has written.
  package let audio = Signal()
  /// Raised for the thread that decodes the music: there is room in a buffer, or a command waits.
  package let decode = Signal()
  /// Raised for the thread that decodes the cues, for the same reasons.
  package let decodeCues = Signal()
  /// Raised for the control thread: a report waits.
  package let report = Signal()

  package init() {}
}

import AudioSession

/// One timer each; setting it again moves it.
public enum TimerID: Hashable, Sendable {
  /// The line's level has held for its debounce time.
  case settle(LineID)
  /// The button is still down: a long press, or the next volume step.
  case held(LineID)
  case stuck(LineID)
  /// What a contact asks for begins now (O5).
  case contact(LineID)
  /// The time for a second press has passed.
  case doublePress
  /// The train of a coin line is over, or one of its pulses is too long.
  case coin(LineID)
  /// The power came long enough ago for coins to count.
  case coinBoot
  /// What was typed at this reader was not ended by Enter.
  case typing(ReaderID)
  /// The card of this reader of kind `presence`, by its number, is gone for so long that it was lifted.
  case lift(Int)
  /// The knob has rested, or has been turned for a second.
  case knob(KnobID)
  case resumeWindow
  case promptTimeout
  /// A wireless port has sounded for long enough since it was plugged in again (B2).
  case trial
  case idleReset
  /// The last private port is out for so long that the next visitor may come (V2).
  case visitGap
  case outputRetry
  /// Storage that could not be read is tried again.
  case storageRetry
  /// A wireless port whose device failed may be tried again.
  case portRetry(Port)
  /// A headset has not answered what it was asked for.
  case headsetVolume(Port)
  /// Headsets may no longer pair (B7).
  case pairingWindow
  /// Refusals that were counted are logged.
  case refusals
  /// A headset that is absent is called (B9).
  case headsetCall
  case interruptionLimit
  /// A folder of music was waited for in vain.
  case folderLimit
  /// The music begins to fade out, or has (H5).
  case sleep
  /// A cue has been speaking for longer than any should.
  case cueLimit
  /// A client that speaks no cue has been ducking the music for as long as that.
  case duckLimit(client: ClientName)
  case recordingLimit
  /// The recorder has not begun or ended in time.
  case recorderAnswer
  /// The ledger, which the storage has refused, is written again, or the storage has not answered for too long.
  case ledger
  /// What sounds has faded with the opening hours.
  case closing
  /// A contact that somebody has left closed no longer counts.
  case silence
  /// What sounds fades to the ceiling of the quiet hours, or back.
  case quiet
  /// The lamp has shown the notice of new content for long enough.
  case notice
  /// The counters are not read for longer than a choice waits for them (J7).
  case ranking
  /// Nothing has sounded for so long that a track plays by itself (J6).
  case attract
  /// A signal has waited for long enough to be asserted or released.
  case signal(LineID)
  case save
}

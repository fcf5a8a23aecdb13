import AudioSession

/// The time limits and counts of the output machine.
struct Timing: Hashable, Sendable {
  /// Short enough for R3's 5 ms with room for a device's own step, and otherwise as long as possible. A straight line,
  /// because no other shape has smaller steps: 1/176 of full scale at 44.1 kHz, on top of the music's own (P12). On a
  /// tone of 30 Hz at full scale the two make 1.66 of the tone's own step; a raised cosine would make 2.15, and put 14
  /// dB less above 1 kHz.
  var fade = Fade.time
  var volumeRamp = Duration.milliseconds(20)
  /// Lines are late, and so is the thread that reads them: an edge may have happened this long ago.
  var latestEdge = Duration.milliseconds(100)
  /// How long it is heard when someone pulls a plug (R3), who hears no click: a fade after what a device keeps is
  /// shorter by as much, and a device that keeps more than this is cut short.
  var silenceAtEdge = Duration.milliseconds(5)
  var keptAtEdge = Duration.milliseconds(3)
  /// How long the thread sleeps while a device plays that cannot be rewound, and what is left in that device then.
  /// Together they are what a change waits for: less than 30 ms, at less than 40 wake-ups per second, of which
  /// decoding takes up to 3.4.
  var shallowWait = Duration.microseconds(27_400)
  var leastMargin = Duration.microseconds(2_500)
  /// How long nothing may have been late before less is left again.
  var quiet = Duration.seconds(20)
  /// It doubles, up to this, each time that more is needed again after that.
  var mostQuiet = Duration.seconds(86_400)
  /// How late a device may end its fade.
  var devicePatience = Duration.milliseconds(100)
  /// How long a device may take to be opened or recovered, after which it is lost. A USB device that does not answer
  /// takes at least 5 s. What comes later is kept for the next try.
  var answer = Duration.seconds(2)
  /// How long a device that hung is left to be opened for the next try, which comes after half a minute at most.
  var late = Duration.seconds(60)
  /// How long to wait for a decoder that has less ready than the device can hold.
  var decoderPatience = Duration.milliseconds(250)
  /// How soon and how often a device that takes no frames is tried again.
  var retry = Duration.milliseconds(10)
  var maxRetries = 100
  /// A device that stops more often than this right after its start is lost.
  var maxFutileStarts = 3
  /// A running device whose position does not move for this long is reopened, and lost if that does not help.
  var standstill = Duration.seconds(2)
  /// How long a device that was reopened for that must play before it may be reopened again: one that plays its buffer and
  /// then stands still would be reopened forever.
  var revival = Duration.seconds(2)
}

/// How long what may take.
struct Timing: Hashable, Sendable {
  /// Short enough for R3's 5 ms with room for a device's own step, and else as long as can be. A straight line, as none
  /// steps less: by 1/176 of full scale at 44.1 kHz, beside what the music steps meanwhile (P12). On a tone of 30 Hz at full
  /// scale the two make 1.66 of the tone's own step; a raised cosine would make 2.15, and put 14 dB less above 1 kHz.
  var fade = Duration.milliseconds(4)
  var volumeRamp = Duration.milliseconds(20)
  /// Lines are late, and so is the thread that reads them: an edge may have happened this long ago.
  var latestEdge = Duration.milliseconds(100)
  /// A device that keeps more than this after a rewind is cut short instead: at once when someone pulls a plug, who
  /// hears no click; else only where the wait would be felt.
  var keptAtEdge = Duration.milliseconds(3)
  var keptAtMost = Duration.milliseconds(20)
  /// How much later than it should a device may end its fade.
  var devicePatience = Duration.milliseconds(100)
  /// How long a decoder may leave us with less than the device can hold.
  var decoderPatience = Duration.milliseconds(250)
  /// When a device that takes nothing is tried again, and how often.
  var retry = Duration.milliseconds(10)
  var mostRetries = 100
  /// A device that stops so often right after its start is lost.
  var mostFutileStarts = 3
  /// A device that runs and stands still for so long is opened anew, and lost if that does not help.
  var standstill = Duration.seconds(2)
}

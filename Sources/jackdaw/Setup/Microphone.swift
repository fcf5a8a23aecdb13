import ALSADevices
import Board
import BoardFiles
import Simulator

/// Chooses the input that a running board records from.
enum Microphone {
  /// Returns the ALSA input; on a simulated board whose PCM cannot be opened, a microphone that hears silence.
  static func choose(_ board: BoardDescription, clock: any BoardClock) -> any CaptureOpener {
    let alsa = ALSACaptureOpener()
    guard board.isSimulated, let input = board.input else { return alsa }
    do throws(PCMError) {
      try Probe.run(on: input.pcm) { () throws(PCMError) in
        try alsa.open(input: input.port, name: input.pcm, rate: board.rate, buffer: board.buffer).close()
      }
      return alsa
    } catch {
      return VirtualMicrophone(clock: clock)
    }
  }
}

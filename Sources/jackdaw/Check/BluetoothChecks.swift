import BluetoothPorts
import Board
import Glibc

/// Whether headsets can be known of and played to. It is not a fault that none is connected.
enum BluetoothChecks {
  private static let subject = "Bluetooth"
  private static let start =
    "sudo apt install bluez bluez-alsa-utils; sudo systemctl enable --now bluetooth bluealsa"

  /// Whether bluez-alsa runs, and which headsets of the board it offers.
  static func finding(_ headsets: BluetoothHeadsets) -> Finding {
    defer { headsets.close() }
    do throws(LineError) {
      try headsets.open()
      guard headsets.isServiceRunning else { return .bad(subject, "bluez-alsa does not run", start) }
      return .good(subject, "bluez-alsa runs; \(offers(headsets.requests, try headsets.levels()))")
    } catch {
      let isRefused = error.code == EACCES
      return .bad(
        subject, error.message, isRefused ? ProcessUser.join(groupOf: "/dev/snd/timer", usually: "audio") : start)
    }
  }

  static func offers(_ requests: [HeadsetLineRequest], _ levels: [Bool]) -> String {
    zip(requests, levels).map { request, isOffered in
      let state = isOffered ? "is connected" : "is not connected"
      guard let address = request.address else {
        return isOffered ? "\(request.name): a headset is connected" : "\(request.name): no headset is connected"
      }
      return "\(request.name): \(address) \(state)"
    }.joined(separator: "; ")
  }

  /// What the failure to open the PCM of a headset means.
  static func output(_ subject: String, _ pcm: String, _ error: PCMError) -> Finding? {
    switch error.code {
    case ENODEV: return .missing(subject, "\(pcm), not connected: opened when it is")
    case EBUSY: return .missing(subject, "\(pcm), in use: by the firmware, if that runs")
    case ENOENT, ENXIO:
      return .bad(
        subject, "libasound has no plug-in for bluez-alsa: \(error.message)",
        "sudo apt install libasound2-plugin-bluez")
    default: return nil
    }
  }
}

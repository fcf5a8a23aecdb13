import AudioSession

/// The headsets that bluez-alsa can play to now: its PCMs for playback over A2DP, by their object paths. A value.
///
/// `Device1.Connected` of BlueZ is not asked: it was seen false while music played, and true after the PCM had gone.
struct HeadsetList: Hashable, Sendable {
  /// A PCM as bluez-alsa describes it, as far as it matters here.
  struct Offer: Hashable, Sendable {
    /// The path of BlueZ's object, such as `/org/bluez/hci0/dev_00_1A_7D_DA_71_13`.
    var device = ""
    /// `A2DP-source` where the box is the source of the music.
    var transport = ""
    /// `sink` for playback: the PCM takes frames.
    var mode = ""

    var isHeadset: Bool { transport == "A2DP-source" && mode == "sink" }
    /// Such as `00:1A:7D:DA:71:13`.
    var address: BluetoothAddress? { BluetoothAddress(object: device) }
  }

  private var headsets: [String: BluetoothAddress?] = [:]

  mutating func offer(_ path: String, _ offer: Offer) {
    if offer.isHeadset { headsets[path] = .some(offer.address) }
  }

  mutating func withdraw(_ path: String) { headsets[path] = nil }

  mutating func withdrawAll() { headsets = [:] }

  /// Whether a headset with this address can be played to; nil: any headset.
  func has(_ address: BluetoothAddress?) -> Bool {
    guard let address else { return !headsets.isEmpty }
    return headsets.values.contains(address)
  }
}

extension BluetoothAddress {
  /// The address in the path of BlueZ's object, such as `/org/bluez/hci0/dev_00_1A_7D_DA_71_13`.
  init?(object path: String) {
    guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
    self.init(String(name.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
  }
}

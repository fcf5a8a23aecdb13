/// A Bluetooth headset, as BlueZ knows it.
public struct Headset: Hashable, Sendable {
  public var address: BluetoothAddress
  /// As it calls itself: any text.
  public var name: String
  /// It may connect by itself, and is called when it is absent (B9).
  public var isTrusted: Bool
  /// BlueZ has a link to it. That it can be played to is another matter (B1).
  public var isConnected: Bool

  public init(address: BluetoothAddress, name: String, isTrusted: Bool = false, isConnected: Bool = false) {
    self.address = address
    self.name = name
    self.isTrusted = isTrusted
    self.isConnected = isConnected
  }
}

/// What the Bluetooth adapter is to do.
public enum HeadsetCommand: Hashable, Sendable {
  /// Look for headsets in reach, or stop to: a scan, which disturbs what is played over Bluetooth.
  case search(Bool)
  /// Pair with this headset, which was found, trust it and connect. Answered by `paired` or `pairingFailed`.
  case pair(BluetoothAddress)
  /// Connect to a paired headset. Answered by `called`.
  case call(BluetoothAddress)
  /// Forget a paired headset. Answered by `removed`.
  case remove(BluetoothAddress)
  /// A paired headset may no longer connect by itself.
  case distrust(BluetoothAddress)
}

/// What the Bluetooth adapter reports.
public enum HeadsetReport: Hashable, Sendable {
  /// Nothing can be paired or called, for this reason. It is so until `known` is reported.
  case unavailable(reason: String)
  /// All headsets that are paired, whenever that changes or becomes known.
  case known([Headset])
  /// A headset that is not connected is in reach; or one that is not paired has connected by itself.
  case found(Headset)
  case paired(Headset)
  /// The pairing with this headset failed; nil: the search.
  case pairingFailed(Headset?, reason: String)
  /// - Parameter failure: nil: it is connected.
  case called(BluetoothAddress, failure: String?)
  /// - Parameter failure: nil: it is forgotten.
  case removed(Headset, failure: String?)
  /// A device was refused what it asked for, such as `pairing`.
  case refused(Headset, request: String)
}

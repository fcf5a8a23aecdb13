import AudioSession

/// Decides what devices may do that BlueZ asks about: nothing, except the one that is being paired.
final class PairingAgent {
  static let rejected = "org.bluez.Error.Rejected"
  private static let interface = "org.bluez.Agent1"
  /// What headsets had before they could pair without a number.
  private static let usualPIN = "0000"
  /// What a headset may connect for: the sound, and its keys.
  private static let services = ["0000110b", "0000110c", "0000110d", "0000110e", "0000110f"]

  /// The object of the device that is being paired.
  var device: String?
  private(set) var refused: [HeadsetReport] = []

  func takeRefused() -> [HeadsetReport] {
    defer { refused = [] }
    return refused
  }

  func take(_ call: borrowing BusMessage, isFromService: Bool, _ objects: BluezObjects) {
    guard isFromService, call.interface == Self.interface else {
      return call.refuse("org.freedesktop.DBus.Error.AccessDenied", "only BlueZ may ask")
    }
    let member = call.member ?? ""
    if member == "Release" || member == "Cancel" { return call.reply() }
    guard let path = call.objectPath() else {
      return call.refuse("org.freedesktop.DBus.Error.InvalidArgs", "expected a device")
    }
    let isExpected = path == device
    switch member {
    case "RequestPinCode" where isExpected: call.reply(Self.usualPIN)
    case "RequestConfirmation" where isExpected, "RequestAuthorization" where isExpected: call.reply()
    case "AuthorizeService" where isExpected && isService(of: call): call.reply()
    case _:
      call.refuse(Self.rejected, "not now")
      refuse(path, request: member == "AuthorizeService" ? "connection" : "pairing", objects)
    }
  }

  private func isService(of call: borrowing BusMessage) -> Bool {
    call.string().map { Self.services.contains(String($0.prefix(8)).lowercased()) } ?? false
  }

  private func refuse(_ path: String, request: String, _ objects: BluezObjects) {
    guard let headset = objects.devices[path]?.headset else { return }
    refused.append(.refused(headset, request: request))
  }
}

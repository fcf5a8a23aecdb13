import Board
import Files
import Glibc

/// Finds input devices.
struct InputSearch {
  /// In front of a name: the name may begin with anything.
  static let wildcard = "*"

  /// The folder of the kernel's `eventN` files.
  var directory = "/dev/input"

  /// Opens the device with this path, or else the first one with this name; of several with one name, as a USB reader has
  /// beside its keys, the first that is `wanted`.
  func open(_ device: String, where wanted: (EventDevice) -> Bool = { _ in true }) throws(LineError) -> EventDevice {
    do throws(InputFailure) {
      let opened = try device.hasPrefix("/") ? EventDevice.open(path: device) : named(device, wanted)
      try opened.stampMonotonic()
      return opened
    } catch {
      throw LineError(.openDevice, device, error, note: note(device, error))
    }
  }

  private func named(_ name: String, _ isWanted: (EventDevice) -> Bool) throws(InputFailure) -> EventDevice {
    var failure = InputFailure(code: ENOENT)
    var unwanted: EventDevice?
    for path in paths {
      do throws(InputFailure) {
        let device = try EventDevice.open(path: path)
        guard InputSearch.fits(device.name, name) else { continue }
        if isWanted(device) { return device }
        unwanted = unwanted ?? device
      } catch {
        if error.code != ENODEV { failure = error }
      }
    }
    if let unwanted { return unwanted }
    throw failure
  }

  static func fits(_ name: String, _ wanted: String) -> Bool {
    wanted.hasPrefix(wildcard) ? name.hasSuffix(wanted.dropFirst(wildcard.count)) : name == wanted
  }

  /// Advice at the end of the error.
  private func note(_ device: String, _ failure: InputFailure) -> String {
    switch failure.code {
    case EACCES, EPERM: return "; expected membership in the group of \(directory), as a rule input"
    case ENOENT where !device.hasPrefix("/"):
      let names = paths.compactMap { try? EventDevice.open(path: $0).name }.filter { !$0.isEmpty }
      let known = names.isEmpty ? "none" : names.joined(separator: ", ")
      return ": no input device has this name; there are: \(known)"
    default: return ""
    }
  }

  /// All device files, in the order of their numbers.
  private var paths: [String] {
    let numbers = FileAccess.names(in: directory).compactMap { name in
      name.hasPrefix("event") ? Int(name.dropFirst("event".count)) : nil
    }
    return numbers.sorted().map { "\(directory)/event\($0)" }
  }
}

extension LineError {
  init(_ operation: Operation, _ subject: String, _ failure: InputFailure, note: String = "") {
    let message = String(cString: strerror(failure.code)) + note
    self.init(operation: operation, subject: subject, code: failure.code, message: message)
  }
}

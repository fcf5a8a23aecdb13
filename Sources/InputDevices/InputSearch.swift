import Board
import Files
import Glibc

/// Finds input devices.
struct InputSearch {
  /// Where the kernel puts its `eventN`.
  var directory = "/dev/input"

  /// Opens the device of a path, or else the first one of this name.
  func open(_ device: String) throws(LineError) -> EventDevice {
    do throws(InputFailure) {
      let opened = try device.hasPrefix("/") ? EventDevice.open(path: device) : named(device)
      try opened.stampMonotonic()
      return opened
    } catch {
      throw LineError(.openDevice, device, error, note: note(device, error))
    }
  }

  private func named(_ name: String) throws(InputFailure) -> EventDevice {
    var failure = InputFailure(code: ENOENT)
    for path in paths {
      do throws(InputFailure) {
        let device = try EventDevice.open(path: path)
        if device.name == name { return device }
      } catch {
        if error.code != ENODEV { failure = error }
      }
    }
    throw failure
  }

  /// What a person can do about it.
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

  /// In the order of their numbers.
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

import Board
import Files
import Glibc

/// Finds input devices.
struct InputSearch {
  /// In front of a name: the name may begin with anything.
  static let wildcard = "*"

  /// The folder of the kernel's `eventN` files.
  var directory = "/dev/input"
  /// The folder in which the kernel says what each of them is called: to open a device and close it again takes the kernel
  /// tens of milliseconds, during which the control thread would hear no plug.
  var names = "/sys/class/input"

  /// A device to look for.
  enum Wanted: Hashable {
    /// By its path, its name, or the end of its name.
    case device(String)
    /// By its name, whatever characters that begins with.
    case named(String)

    var text: String {
      switch self {
      case .device(let text), .named(let text): text
      }
    }

    var path: String? {
      switch self {
      case .device(let text): text.hasPrefix("/") ? text : nil
      case .named: nil
      }
    }

    func fits(_ name: String) -> Bool {
      switch self {
      case .device(let text) where text.hasPrefix(wildcard): name.hasSuffix(text.dropFirst(wildcard.count))
      case .device(let text), .named(let text): name == text
      }
    }
  }

  /// Opens the device with this path, or else the first one with this name; of several with one name, as a USB reader has
  /// beside its keys, the first that `isPreferred`; another one only where all of them could be opened.
  func open(
    _ wanted: Wanted, preferring isPreferred: (EventDevice) -> Bool = { _ in true }
  ) throws(LineError) -> EventDevice {
    do throws(InputFailure) {
      let opened =
        if let path = wanted.path { try EventDevice.open(path: path) } else { try first(wanted, isPreferred) }
      try opened.stampMonotonic()
      opened.ambiguity = ambiguity(wanted)
      return opened
    } catch {
      throw LineError(.openDevice, wanted.text, error, note: note(wanted, error))
    }
  }

  private func first(_ wanted: Wanted, _ isPreferred: (EventDevice) -> Bool) throws(InputFailure) -> EventDevice {
    var failure: InputFailure?
    var other: EventDevice?
    for event in events where wanted.fits(name(of: event)) {
      do throws(InputFailure) {
        let device = try EventDevice.open(path: "\(directory)/\(event)")
        if isPreferred(device) { return device }
        other = other ?? device
      } catch {
        if error.code != ENODEV { failure = error }
      }
    }
    // One that udev has not released yet may be the preferred one, and nothing reports that it can be opened by now.
    if let failure { throw failure }
    if let other { return other }
    throw InputFailure(code: ENOENT)
  }

  /// When a device file was last made or removed, in nanoseconds of a clock that may be set; nil: nobody knows.
  var arrival: Int64? {
    var status = stat()
    guard stat(directory, &status) == 0 else { return nil }
    return Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// What to say where devices in several places have the name, as two keypads of one make.
  func ambiguity(_ wanted: Wanted) -> String? {
    guard case .device(let name) = wanted, wanted.path == nil, !name.hasPrefix(Self.wildcard) else { return nil }
    let same = events.filter { wanted.fits(self.name(of: $0)) }
    guard Set(same.map(place)).count > 1 else { return nil }
    return "\(same.count) devices have this name: \(same.map { "\(directory)/\($0)" }.joined(separator: ", ")); "
      + "expected a path, as /dev/input/by-path has them"
  }

  /// Where the device is plugged in, without the number of its interface; its file where its driver does not say.
  private func place(of event: String) -> String {
    let place = attribute("phys", of: event)
    guard let slash = place.lastIndex(of: "/") else { return place.isEmpty ? event : place }
    return String(place[..<slash])
  }

  /// Advice at the end of the error.
  private func note(_ wanted: Wanted, _ failure: InputFailure) -> String {
    switch failure.code {
    case EACCES, EPERM: return "; expected membership in the group of \(directory), as a rule input"
    case ENOENT where wanted.path == nil:
      let names = events.map(name).filter { !$0.isEmpty }
      let known = names.isEmpty ? "none" : names.joined(separator: ", ")
      return ": no input device has this name; there are: \(known)"
    default: return ""
    }
  }

  /// The names of all device files, in the order of their numbers.
  private var events: [String] {
    let numbers = FileAccess.names(in: directory).compactMap { name in
      name.hasPrefix("event") ? Int(name.dropFirst("event".count)) : nil
    }
    return numbers.sorted().map { "event\($0)" }
  }

  /// The driver's name for the device; empty where it has none, or is gone.
  private func name(of event: String) -> String { attribute("name", of: event) }

  private func attribute(_ attribute: String, of event: String) -> String {
    guard let bytes = try? FileAccess.read("\(names)/\(event)/device/\(attribute)", atMost: 4_096) else { return "" }
    return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
  }
}

extension LineError {
  init(_ operation: Operation, _ subject: String, _ failure: InputFailure, note: String = "") {
    let message = String(cString: strerror(failure.code)) + note
    self.init(operation: operation, subject: subject, code: failure.code, message: message)
  }
}

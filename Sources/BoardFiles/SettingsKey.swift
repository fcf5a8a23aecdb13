import AudioSession
import Files

/// A setting above the first table: its name, what it takes, and where that goes. One that is missing or wrong leaves the
/// default, which `Settings`, `RecordingSettings` or `KioskSettings` has.
struct SettingsKey: Sendable {
  let name: String
  let read: @Sendable (TOMLTable, [Port], inout KioskSettings) throws(FileError) -> Void

  init<Value: Sendable>(
    _ name: String, _ shape: @autoclosure @escaping @Sendable () -> TOMLShape<Value>,
    _ store: @escaping @Sendable (inout KioskSettings, Value) -> Void
  ) {
    self.init(name, on: { _, _ in shape() }, store)
  }

  /// - Parameter shape: what it takes on a board with these ports, of which those before it in the table may have been read.
  init<Value: Sendable>(
    _ name: String, on shape: @escaping @Sendable ([Port], KioskSettings) -> TOMLShape<Value>,
    _ store: @escaping @Sendable (inout KioskSettings, Value) -> Void
  ) {
    self.name = name
    read = { (table, ports, kiosk) throws(FileError) in
      if let value = try table.optional(name, shape(ports, kiosk)) { store(&kiosk, value) }
    }
  }
}

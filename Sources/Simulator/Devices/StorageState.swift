/// The condition of a simulated board's storage.
public enum StorageState: String, Hashable, Sendable, CaseIterable {
  case good
  /// No byte is free.
  case full
  case readOnly = "read-only"
}

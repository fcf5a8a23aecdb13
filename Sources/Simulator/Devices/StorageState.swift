/// How the storage of a simulated board fares.
public enum StorageState: String, Hashable, Sendable, CaseIterable {
  case good
  /// Not one byte is free.
  case full
  case readOnly = "read-only"
}

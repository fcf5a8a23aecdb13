import Storage

extension QuarantineStore {
  /// A decoder died of the file at this path, which is kept by now.
  package func died(_ path: String, reason: String) {
    report(path, reason: reason)
    stop()
  }
}

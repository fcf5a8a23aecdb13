/// Whether the system gives what the firmware asks of it.
public struct SystemGrant: Hashable, Sendable {
  /// What it refused, and why; empty: all was granted.
  public var refusals: [String]

  public init(refusals: [String]) { self.refusals = refusals }

  /// As the log has it.
  enum Grant: String { case granted, refused }

  var grant: Grant { refusals.isEmpty ? .granted : .refused }
}

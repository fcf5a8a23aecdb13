import AudioSession
import JSON

/// What the running firmware says of itself.
enum FirmwareState {
  static var isRunning: Bool { reply != nil }

  private static var reply: String? { try? ControlCall.send("status --json").lines.first }

  /// The ports at which something is plugged in; none where no firmware answers.
  static func plugged() -> Set<Port> {
    guard let reply, let state = try? JSONValue(parsing: reply.utf8) else { return [] }
    return Set(state["connected"]?.strings.compactMap(Port.init) ?? [])
  }
}

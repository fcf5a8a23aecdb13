import AudioSession
import JSON

/// What the running firmware says of itself.
enum FirmwareState {
  /// The ports at which something is plugged in; none where no firmware answers.
  static func plugged() -> Set<Port> {
    guard let reply = try? ControlCall.send("status --json").lines.first,
      let state = try? JSONValue(parsing: reply.utf8)
    else { return [] }
    return Set(state["connected"]?.strings.compactMap(Port.init) ?? [])
  }
}

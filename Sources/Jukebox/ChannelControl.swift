import AudioSession

/// What the sides of each port play: as the board file says, until somebody changes it for this visit (M4).
struct ChannelControl: Hashable, Sendable {
  private let configured: [Port: PortChannels]
  private var chosen: [Port: PortChannels] = [:]

  init(ports: [OutputPort]) {
    configured = Dictionary(ports.map { ($0.port, $0.channels) }) { first, _ in first }
  }

  func channels(of port: Port) -> PortChannels { chosen[port] ?? configured[port] ?? .stereo }

  /// Returns the command for the engine and the line of the log; nil where nothing changes.
  mutating func set(_ channels: PortChannels, of port: Port) -> Change? {
    let old = self.channels(of: port)
    chosen[port] = channels == configured[port] ?? .stereo ? nil : channels
    return channels == old ? nil : Change(port: port, channels: channels)
  }

  /// As the board file says again.
  mutating func reset(_ port: Port) -> Change? {
    chosen.removeValue(forKey: port).map { _ in Change(port: port, channels: channels(of: port)) }
  }

  struct Change: Hashable {
    var port: Port
    var channels: PortChannels
  }
}

extension Jukebox {
  mutating func obeyChannels(_ channels: PortChannels, of port: Port, _ turn: inout Turn) {
    if let change = channelControl.set(channels, of: port) { follow(change, because: nil, &turn) }
  }

  mutating func resetChannels(of port: Port, because cause: ResetCause, _ turn: inout Turn) {
    if let change = channelControl.reset(port) { follow(change, because: cause, &turn) }
  }

  private func follow(_ change: ChannelControl.Change, because cause: ResetCause?, _ turn: inout Turn) {
    turn.append(.audio(.channels(change.port, change.channels)))
    turn.log(
      .channelsChanged, .info,
      [
        "port": change.port.rawValue, "channels": change.channels.mode.rawValue,
        "balance": change.channels.balance == 0 ? nil : String(change.channels.balance),
        "cause": cause?.rawValue,
      ])
  }
}

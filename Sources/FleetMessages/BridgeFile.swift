import AudioSession

/// The configuration of Mosquitto on a board: a socket for the programs of the board, and a bridge to the fleet's broker.
public struct BridgeFile: Hashable, Sendable {
  public var host: String
  public var port = 8_883
  /// Files in PEM. Without `ca` the bridge is not encrypted; `certificate` and `key` go together.
  public var ca: String?
  public var certificate: String?
  public var key: String?
  /// What the broker asks for, one line each; they go together.
  public var user: String?
  public var password: String?
  /// The broker's socket on the board.
  public var socket: String
  /// How many boards the fleet has, so that they do not come back all at once.
  public var boards = 200

  public init(host: String, socket: String) {
    self.host = host
    self.socket = socket
  }

  /// Seconds before the first try to connect again, one of its own a board: Mosquitto spreads only the later ones.
  public func firstRetry(_ options: FleetOptions) -> Int {
    10 + Int(options.seed % UInt64(min(290, max(20, boards / 30))))
  }

  public func text(_ options: FleetOptions) -> String {
    let topics = FleetTopics(options)
    let out = FleetTopics.told.map { "topic \(topics[$0]) out 1" } + ["topic \(topics.discovery) out 1"]
    let commands = options.tellsOnly ? [] : topics.commands.map { "topic \($0)# in 0" }
    let access = [
      ("bridge_cafile", ca), ("bridge_certfile", certificate), ("bridge_keyfile", key), ("remote_username", user),
      ("remote_password", password),
    ]
    .compactMap { name, file in file.map { "\(name) \($0)" } }
    var lines = [
      "# Written by jackdaw-fleet setup for the board \(options.id).",
      "listener 0 \(socket)",
      "allow_anonymous true",
      "# Events wait here while the centre is away, on the card, too.",
      "persistence true",
      "autosave_interval 300",
      "max_queued_messages 5000",
      "# What no board tells and no command is: a payload beyond this is dropped.",
      "message_size_limit 262144",
      "",
      "connection jackdaw",
      "address \(host):\(port)",
      "remote_clientid jackdaw-\(options.id)",
      "# What the board tells is kept for the centre; a command that the board misses is gone.",
      "cleansession false",
      "# The first try has no jitter, so that each board has a time of its own.",
      "restart_timeout \(firstRetry(options)) 300",
      "# The centre gives a connection up after one and a half of these, for which Mosquitto looks every 6 s: a pulled",
      "# cable is noticed within 29 s. With 20 it could be 37.",
      "keepalive_interval 15",
      "notification_topic \(topics["link"])",
    ]
    lines += access + out + commands
    lines.append("topic \(FleetTopics.homeAssistant) in 0")
    return lines.joined(separator: "\n") + "\n"
  }
}

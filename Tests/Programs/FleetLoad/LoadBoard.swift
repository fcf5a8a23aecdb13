import AudioSession
import FleetMessages
import Glibc
import MQTTClient

/// One board: the agent with its client, and lines as a firmware would push them.
final class LoadBoard {
  private static let facts =
    #"{"seq":1,"type":"board","version":"0.1.0","board":"Raspberry Pi 4","rate":48000,"ports":[{"port":"headphones","private":true,"ceiling":80,"sensed":true},{"port":"line-out","private":false,"ceiling":80,"sensed":true},{"port":"speaker","private":false,"ceiling":60,"sensed":false}],"cues":["welcome"]}"#

  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  let firstRetry: Int
  private let options: FleetOptions
  private var agent: FleetAgent
  private var client: MQTTClient?
  private(set) var isUp = false
  private(set) var published = 0
  private(set) var statuses = 0
  /// If it is not a board: the topics whose messages it counts.
  var watched: Set<String> = []
  var isWatching: Bool { !watched.isEmpty }
  private var time = Instant.powerOn

  init(id: String, fleet: Int) {
    options = FleetOptions(id: id)
    agent = FleetAgent(options)
    var bridge = BridgeFile(host: "centre", socket: "/run/jackdaw-fleet/broker")
    bridge.boards = fleet
    firstRetry = bridge.firstRetry(options)
  }

  var statusTopic: String { agent.topics["status"] }
  var descriptor: CInt { client?.descriptor ?? -1 }
  var wantsWrite: Bool { client?.wantsWrite ?? false }
  /// Whether the broker has acknowledged all.
  var isIdle: Bool { client?.unacknowledged == 0 && !wantsWrite }

  func connect(_ port: CInt) {
    let will = agent.will
    client = try? MQTTClient(
      path: "127.0.0.1", port: port, id: options.id, will: (will.topic, will.payload))
    try? client?.connect()
  }

  /// Without a farewell, as when the power is cut.
  func cut() {
    if descriptor >= 0 { shutdown(descriptor, CInt(SHUT_RDWR)) }
    client = nil
    isUp = false
    feed(.brokerDown)
    feed(.controlDown)
  }

  func serve() {
    for event in client?.serve() ?? [] {
      switch event {
      case .up: begin()
      case .down: isUp = false
      case .message(let topic, let payload, let isRetained):
        if watched.contains(topic) { statuses += 1 }
        feed(.message(FleetMessage(topic, String(decoding: payload, as: UTF8.self), isRetained: isRetained)))
      }
    }
  }

  private func begin() {
    isUp = true
    if isWatching {
      client?.subscribe("jackdaw/+/status")
      return
    }
    feed(.controlUp)
    for line in ["ok", Self.facts, Self.state(0)] { feed(.line(line)) }
    feed(.brokerUp)
  }

  /// A visitor does something: an event and a new state.
  func change(_ index: Int) {
    time = time + .seconds(1)
    let event =
      #"{"seq":1,"type":"event","time":\#(index).5,"level":"info","event":"volume.changed","fields":{"port":"headphones","volume":"\#(index % 80)","from":"40","cause":"user"}}"#
    feed(.line(event))
    // Another volume than at the last change, however many boards there are.
    feed(.line(Self.state(index % 79)))
  }

  private static func state(_ volume: Int) -> String {
    #"{"seq":2,"type":"state","time":1.5,"state":"playing","hold":[],"route":"headphones","connected":["headphones","speaker"],"volume":\#(volume),"track":1,"tracks":12,"file":"1 Waltz of the Chimneys.mp3","title":"Waltz of the Chimneys","artist":"Jackdaw","frame":7,"prompt":false,"lamp":"on","sessions":["music"],"interrupted":[],"duck":false,"cue":null,"recording":false,"health":{"saves":0,"uptime":1,"played":0.0,"underruns":0,"lost-edges":0,"dropped":0}}"#
  }

  private func feed(_ input: FleetAgent.Input) {
    for effect in agent.handle(input, at: .init(time)) {
      switch effect {
      case .publish(let message):
        published += 1
        client?.publish(message.topic, message.payload, isRetained: message.isRetained)
      case .subscribe(let topic): client?.subscribe(topic)
      case .send, .look, .log: break
      }
    }
  }
}

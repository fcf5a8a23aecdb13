import AudioSession
import JSON

@testable import FleetMessages

/// An agent with a broker and a firmware made of lists.
struct FleetBench {
  static let board =
    #"{"seq":1,"type":"board","version":"0.1.0","board":"Test","rate":44100,"ports":[{"port":"headphones","private":true,"ceiling":80,"sensed":true},{"port":"speaker","private":false,"ceiling":60,"sensed":false}],"cues":[]}"#

  static func state(_ state: String = "stopped", seq: Int = 2, _ more: String = "") -> String {
    #"{"seq":\#(seq),"type":"state","time":1.5,"state":"\#(state)","hold":[],"route":"speaker","connected":["speaker"],"volume":60,"track":1,"tracks":3,"file":"a.mp3","title":null,"frame":7\#(more),"health":{"saves":0,"uptime":1}}"#
  }

  /// What the firmware replies to `stats --json` for one period.
  static func counts(_ id: Int, starts: Int = 1) -> String {
    #"{"id":"\#(id)","period":"2026-11-\#(10 + id)","sum":{"starts":\#(starts)},"board":{"visits":\#(starts + 1)}}"#
  }

  var agent: FleetAgent
  var now = Instant.powerOn
  var utc: Int?
  private(set) var published: [FleetMessage] = []
  private(set) var sent: [String] = []
  private(set) var logged: [String] = []
  private(set) var subscribed: [String] = []
  private(set) var looks = 0
  /// Why nobody can be asked to look.
  var lookRefusal: String?

  init(_ change: (inout FleetOptions) -> Void = { _ in }) {
    var options = FleetOptions(id: "b7")
    options.boot = "boot-1"
    change(&options)
    agent = FleetAgent(options)
  }

  /// With a broker, and a firmware that has told its state.
  static func up(_ change: (inout FleetOptions) -> Void = { _ in }) -> FleetBench {
    var bench = FleetBench(change)
    bench.feed(.brokerUp, .controlUp, .line("ok"), .line(board), .line(state()))
    bench.forget()
    return bench
  }

  mutating func feed(_ inputs: FleetAgent.Input...) {
    for input in inputs {
      for effect in agent.handle(input, at: .init(now, utc: utc)) {
        switch effect {
        case .publish(let message): published.append(message)
        case .subscribe(let topic): subscribed.append(topic)
        case .send(let line): sent.append(line)
        case .look:
          looks += lookRefusal == nil ? 1 : 0
          feed(.looked(refusal: lookRefusal))
        case .log(let text): logged.append(text)
        }
      }
    }
  }

  mutating func forget() { (published, sent, logged, subscribed) = ([], [], [], []) }

  /// Lets time pass, with every wake-up that is asked for.
  mutating func wait(_ duration: Duration) {
    let end = now + duration
    while let due = agent.nextWake, due <= end {
      now = max(now, due)
      feed(.tick)
    }
    now = end
  }

  mutating func command(_ verb: String, _ payload: String = "", isRetained: Bool = false, to: String = "jackdaw/b7") {
    feed(.message(FleetMessage("\(to)/set/\(verb)", payload, isRetained: isRetained)))
  }

  /// The last message of a topic of this board.
  func last(_ topic: String) throws -> JSONValue? {
    try published.last { $0.topic == "jackdaw/b7/\(topic)" }.map { try JSONValue(parsing: $0.payload.utf8) }
  }

  func count(_ topic: String) -> Int { published.count { $0.topic == "jackdaw/b7/\(topic)" } }
}

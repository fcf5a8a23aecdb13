import AudioSession
import Jukebox
import Testing

@testable import SimulationTesting

@Suite struct PairingModelTests {
  private static let text = "00:1A:7D:DA:71:13"
  private let address: BluetoothAddress

  init() throws { address = try #require(BluetoothAddress(Self.text)) }

  /// A model in which that is done and logged, second by second; the rows that are violated.
  private final class Log {
    var model = PairingModel()
    private(set) var rows: [String] = []
    private var now = Instant.powerOn

    func at(_ seconds: Int, _ body: (inout PairingModel, Instant) -> Void = { _, _ in }) {
      now = .powerOn + .seconds(seconds)
      body(&model, now)
    }

    func log(_ name: EventName, _ fields: KeyValuePairs<String, String?> = ["address": PairingModelTests.text]) {
      note(model.check(Event(name, .info, fields), at: now))
    }

    func settle() { note(model.settle(at: now)) }

    private func note(_ mismatch: Mismatch?) { if let mismatch { rows.append(mismatch.row) } }

    func open(_ seconds: Int) {
      at(seconds) { $0.ask(at: $1) }
      log(.pairingOpened, [:])
      settle()
    }
  }

  private func paired(_ log: Log) {
    log.model.change(address, isReady: true)
    log.open(100)
    log.at(105)
    log.log(.pairingPaired)
    log.settle()
  }

  @Test("B7: a window is asked for, ends after 60 s or with one headset, and no other pairs")
  func window() {
    let good = Log()
    paired(good)
    good.open(200)
    good.at(230) { $0.ask(at: $1) }
    good.settle()
    good.at(290)
    good.log(.pairingClosed, [:])
    good.settle()
    #expect(good.rows == [])

    let early = Log()
    early.open(100)
    early.at(159)
    early.log(.pairingClosed, [:])
    #expect(early.rows == ["B7"])
    let endless = Log()
    endless.open(100)
    endless.at(162)
    endless.settle()
    #expect(endless.rows == ["B7"])
    let unasked = Log()
    unasked.log(.pairingOpened, [:])
    unasked.settle()
    #expect(unasked.rows == ["B7"])
    let mute = Log()
    mute.at(100) { $0.ask(at: $1) }
    mute.settle()
    #expect(mute.rows == ["B7"])
    let stranger = Log()
    stranger.log(.pairingPaired)
    stranger.open(100)
    stranger.log(.pairingPaired)
    #expect(stranger.rows == ["B7", "B7"])
  }

  @Test("B7: a headset is tried three times a window, and refusals are logged once a minute, with their number")
  func limits() {
    let tries = Log()
    tries.open(100)
    for _ in 0..<3 { tries.log(.pairingFailed) }
    #expect(tries.rows == [])
    tries.log(.pairingFailed)
    #expect(tries.rows == ["B7"])

    let refused = Log()
    refused.at(100) { $0.refuse(at: $1) }
    refused.settle()
    refused.log(.pairingRefused)
    for _ in 0..<2 { refused.at(110) { $0.refuse(at: $1) } }
    refused.settle()
    refused.at(160)
    refused.log(.pairingRefused, ["n": "2"])
    refused.at(300) { $0.refuse(at: $1) }
    refused.settle()
    #expect(refused.rows == [])
    refused.at(301)
    refused.settle()
    #expect(refused.rows == ["B7"])
    refused.log(.pairingRefused)
    refused.at(302) { $0.refuse(at: $1) }
    refused.log(.pairingRefused)
    #expect(refused.rows == ["B7", "B7"])
  }

  @Test("B9: who is called is paired, is not called at once again, nor in a window")
  func calls() {
    let unknown = Log()
    unknown.log(.headsetCalled)
    #expect(unknown.rows == ["B9"])

    let log = Log()
    paired(log)
    let unanswered: KeyValuePairs<String, String?> = ["address": Self.text, "reason": "it does not answer"]
    log.at(200)
    log.log(.headsetCalled, unanswered)
    log.at(211)
    log.log(.headsetCalled, unanswered)
    #expect(log.rows == [])
    log.at(215)
    log.log(.headsetCalled, unanswered)
    #expect(log.rows == ["B9"])
    log.open(320)
    log.at(330)
    log.log(.headsetCalled, unanswered)
    #expect(log.rows == ["B9", "B9"])
  }

  @Test("B9: a call from before a window is answered within it where the headset was switched on meanwhile, else not")
  func lateCall() throws {
    for (onAt, rows) in [(302, []), (200, ["B9"]), (nil, ["B9"])] {
      let log = Log()
      paired(log)
      if let onAt { log.at(onAt) { $0.switchOn(address, at: $1) } }
      log.open(301)
      log.at(303)
      log.log(.headsetCalled)
      #expect(log.rows == rows)
    }
  }

  @Test("B9: at power on all are called that are paired, unless one is there")
  func powerOn() {
    for (isPlugged, rows) in [(false, ["B9"]), (true, [])] {
      let log = Log()
      paired(log)
      log.at(200) { $0.powerOn(at: $1, isPlugged: isPlugged) }
      log.at(205)
      log.settle()
      #expect(log.rows == [])
      log.at(206)
      log.settle()
      #expect(log.rows == rows)
    }
    let called = Log()
    paired(called)
    called.at(200) { $0.powerOn(at: $1, isPlugged: false) }
    called.at(201)
    called.log(.headsetCalled)
    called.at(300)
    called.settle()
    #expect(called.rows == [])
  }
}

import AudioSession
import Testing

@Suite struct SessionArbiterTests {
  private func client(
    _ name: ClientName, _ category: SessionCategory = .playback, _ options: Set<SessionClient.Option> = [],
    priority: Int = 10, isSpeech: Bool = false
  ) -> SessionClient {
    SessionClient(name: name, category: category, options: options, priority: priority, isSpeech: isSpeech)
  }

  private func arbiter(_ clients: SessionClient...) throws -> SessionArbiter {
    var arbiter = SessionArbiter()
    for client in clients { try arbiter.activate(client, hasInput: true) }
    return arbiter
  }

  private func refusal(_ client: SessionClient, _ arbiter: SessionArbiter, hasInput: Bool = true) -> SessionRefusal? {
    var arbiter = arbiter
    do {
      try arbiter.activate(client, hasInput: hasInput)
      return nil
    } catch {
      return error
    }
  }

  @Test("S1: ambient interrupts nobody")
  func ambient() throws {
    let arbiter = try arbiter(client("a"), client("b", .ambient))
    #expect(arbiter.interrupters(of: client("a")) == [])
    #expect(arbiter.interrupters(of: client("b", .ambient)) == [])
  }

  @Test(
    "S2, S3: solo-ambient and playback interrupt who does not mix, and nobody else",
    arguments: [
      SessionCategory.soloAmbient, .playback, .multiRoute, .playAndRecord,
    ])
  func interrupts(category: SessionCategory) throws {
    let old = client("old")
    let mixing = client("mixing", .playback, [.mixWithOthers])
    let arbiter = try arbiter(old, mixing, client("new", category))
    #expect(arbiter.interrupters(of: old).map(\.name) == ["new"])
    #expect(arbiter.interrupters(of: mixing) == [])
  }

  @Test("S3: playback that mixes with others interrupts nobody")
  func mixes() throws {
    let arbiter = try arbiter(client("old"), client("new", .playback, [.mixWithOthers], priority: 90))
    #expect(arbiter.interrupters(of: client("old")) == [])
  }

  @Test("S4: record needs an input and silences whoever is no stronger, mixing or not")
  func record() throws {
    let recorder = client("r", .record, [.mixWithOthers])
    #expect(refusal(recorder, SessionArbiter(), hasInput: false) == .noInput)
    let mixing = client("m", .playback, [.mixWithOthers])
    let ambient = client("a", .ambient)
    let arbiter = try arbiter(client("p"), mixing, ambient, recorder)
    for name in [client("p"), mixing, ambient] { #expect(arbiter.interrupters(of: name).map(\.name) == ["r"]) }
  }

  @Test("S5: play-and-record needs an input and otherwise is as playback")
  func playAndRecord() throws {
    #expect(refusal(client("r", .playAndRecord), SessionArbiter(), hasInput: false) == .noInput)
    #expect(refusal(client("r", .playAndRecord), SessionArbiter()) == nil)
  }

  @Test("S7: weaker ones are refused while a stronger one holds the session, mixing or not")
  func refuses() throws {
    let arbiter = try arbiter(client("strong", priority: 50))
    #expect(refusal(client("weak"), arbiter) == .held(by: "strong"))
    #expect(refusal(client("weak", .ambient), arbiter) == .held(by: "strong"))
    #expect(refusal(client("equal", priority: 50), arbiter) == nil)
    #expect(refusal(client("stronger", priority: 51), arbiter) == nil)
    #expect(arbiter.active.map(\.name) == ["strong"])
  }

  @Test("S7: one that mixes does not hold the session, however strong")
  func mixingHoldsNothing() throws {
    let arbiter = try arbiter(client("cue", .playback, [.duckOthers], priority: 90))
    #expect(refusal(client("weak"), arbiter) == nil)
  }

  @Test("S7: what may not begin may not go on either")
  func silencesWeaker() throws {
    let mixing = client("mixing", .playback, [.mixWithOthers])
    let arbiter = try arbiter(mixing, client("strong", priority: 50))
    #expect(arbiter.interrupters(of: mixing).map(\.name) == ["strong"])
  }

  @Test(
    "S8: those it interrupted are free when it is gone, and told to resume where it notifies", arguments: [true, false])
  func notifies(doesNotify: Bool) throws {
    var arbiter = try arbiter(
      client("a"), client("b", priority: 20), client("page", .playback, doesNotify ? [.notifyOthers] : [], priority: 50)
    )
    let done = arbiter.deactivate("page", isSounding: false)
    #expect(done?.shouldResume == doesNotify)
    #expect(done?.isBusy == false)
    #expect(arbiter.interrupters(of: client("b", priority: 20)) == [])
    #expect(arbiter.interrupters(of: client("a")).map(\.name) == ["b"])
    let again = arbiter.deactivate("page", isSounding: false)
    #expect(again == nil)
    let last = arbiter.deactivate("b", isSounding: false, shouldResume: true)
    #expect(last?.shouldResume == true)
  }

  @Test("S9: deactivation while sounding is done and says busy")
  func busy() throws {
    var arbiter = try arbiter(client("a"))
    let done = arbiter.deactivate("a", isSounding: true)
    #expect(done?.isBusy == true)
    #expect(!arbiter.isActive("a"))
  }

  @Test("Between equals the newer wins, and activating again makes the newest")
  func equals() throws {
    var arbiter = try arbiter(client("a"), client("b"))
    #expect(arbiter.interrupters(of: client("a")).map(\.name) == ["b"])
    #expect(arbiter.interrupters(of: client("b")) == [])
    try arbiter.activate(client("a"), hasInput: true)
    #expect(arbiter.interrupters(of: client("a")) == [])
    #expect(arbiter.interrupters(of: client("b")).map(\.name) == ["a"])
  }

  @Test("D1: duck-others lowers others while it may sound itself")
  func ducks() throws {
    let cue = client("cue", .playback, [.duckOthers], priority: 20)
    var arbiter = try arbiter(client("music"), cue)
    #expect(arbiter.duckers(of: client("music")) == [cue])
    #expect(arbiter.duckers(of: cue) == [])
    try arbiter.activate(client("page", priority: 50), hasInput: true)
    #expect(arbiter.duckers(of: client("music")) == [])
  }

  @Test("D6: spoken word is interrupted by who would duck it")
  func speech() throws {
    let speech = client("music", isSpeech: true)
    let arbiter = try arbiter(speech, client("cue", .playback, [.duckOthers], priority: 20))
    #expect(arbiter.interrupters(of: speech).map(\.name) == ["cue"])
  }

  @Test("What is active at once is bounded")
  func bounded() throws {
    var arbiter = SessionArbiter()
    for number in 0..<SessionArbiter.mostClients {
      try arbiter.activate(client(try #require(ClientName("\(number)"))), hasInput: true)
    }
    #expect(refusal(client("more"), arbiter) == .tooMany)
    #expect(refusal(client("3"), arbiter) == nil)
  }

  @Test("S1: a client's name is 1 to 31 small letters, digits and hyphens")
  func names() {
    for text in ["a", "page-2", String(repeating: "x", count: 31)] { #expect(ClientName(text)?.text == text) }
    for text in ["", "Page", "a b", "ä", "a_b", String(repeating: "x", count: 32)] { #expect(ClientName(text) == nil) }
  }
}

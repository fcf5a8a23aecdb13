import AudioSession
import Board
import Files
import Jukebox
import TestSupport
import Testing

@testable import KioskTestSupport
@testable import Simulator

/// The steps that change the surroundings of the board: console, storage, clock and sleep.
@Suite struct SurroundingsTests {
  let stage = ScenarioSetup()

  @Test("K6: a blocked console holds up no sound, and misses nothing of what 64 KiB hold")
  func blockedConsole() throws {
    let story = """
      at 1s press play
      at 2s CONSOLE
      at 3s console "volume 40"
      at 3.5s console "status"
      at 4s expect volume 40 sound speaker event volume.changed
      at 4.5s FREE
      at 5s console "status"
      at 6s end
      """
    let blocked = try stage.play(
      story.replacing("CONSOLE", with: "console blocked").replacing("FREE", with: "console free"))
    let free = try stage.play(
      story.replacing("CONSOLE", with: "expect state playing").replacing("FREE", with: "expect state playing"))
    #expect(blocked.outcome.failures == [] && free.outcome.failures == [])
    #expect(blocked.log == free.log && blocked.replies == free.replies)
    #expect(blocked.left == free.left)
  }

  @Test("K6: of a flood a blocked console gets as many lines as fit into 64 KiB; the others are counted and logged")
  func floodedConsole() throws {
    let helps = (0..<120).map { "at \(2_000 + $0)ms console help" }.joined(separator: "\n")
    let played = try stage.play(
      "at 1s press play\nat 2s console blocked\n\(helps)\nat 3s console free\nat 4s console status\nat 5s end")
    #expect(played.outcome.failures == [])
    let help = try #require(try stage.play("at 1s console help").replies.first)
    // Puts the same lines into the real console's queue, each with its CR LF.
    var queue = 65_536
    var (kept, dropped) = (0, 0)
    func queueLine(_ line: Substring, isReply: Bool) {
      let bytes = line.utf8.count + 2
      if bytes > queue { return dropped += 1 }
      queue -= bytes
      if isReply { kept += 1 }
    }
    for line in played.log where line.hasPrefix("2.") {
      queueLine(line[...], isReply: false)
      guard line.contains("command=help") else { continue }
      for line in help.split(separator: "\n") { queueLine(line, isReply: true) }
    }
    #expect(dropped > 0 && kept > 0)
    #expect(played.events("log.dropped") == ["log.dropped n=\(dropped)"])
    #expect(played.replies.count == kept + 1)
    #expect(try #require(played.replies.last).contains(" dropped=\(dropped)"))
  }

  @Test("K6: a console that is free while the system sleeps gets nothing until it wakes")
  func freeInSleep() throws {
    let helps = (0..<120).map { "at \(2_000 + $0)ms console help" }.joined(separator: "\n")
    let played = try stage.play(
      "at 1s console blocked\n\(helps)\nat 3s power sleep\nat 4s console free\nat 5s power wake\nat 6s end")
    #expect(played.log.filter { $0.contains("log.dropped") }.map { $0.prefix(8) } == ["5.000000"])
  }

  @Test("K6: a console that is free, or was blocked only before a power cut, has missed nothing")
  func nothingMissed() throws {
    let played = try stage.play(
      """
      at 0s console blocked
      at 1s power cut
      at 2s console free
      at 3s power on
      at 5s end
      """)
    #expect(played.events("boot").count == 2)
    #expect(played.events("log.dropped") == [])
  }

  @Test("W3: on full or read-only storage saves fail, which is logged once, and the old state remains")
  func storage() throws {
    var stage = stage
    stage.settings.visitGap = .zero
    for (state, reason) in [("full", "No space left on device"), ("read-only", "Read-only file system")] {
      let played = try stage.play(
        """
        at 1s console "volume 30"
        at 10s storage \(state)
        at 11s press play
        at 12s console "volume 50"
        at 30s console "volume 70"
        at 50s expect volume 70 sound speaker event state.saved error="state.toml: \(reason)"
        at 51s power cut
        at 52s power on
        at 53s expect volume 30
        at 54s storage restore
        at 55s console "volume 80"
        at 70s power cut
        at 71s power on
        at 72s expect volume 80
        at 73s end
        """)
      #expect(played.outcome.failures == [])
      #expect(played.events("state.saved").filter { $0.contains("error=") }.count == 1)
    }
  }

  @Test("R11: in sleep nothing is seen, heard or done; a plug that was pulled meanwhile counts from waking on")
  func sleep() throws {
    let played = try stage.play(
      """
      at 0s plug headphones
      at 1s press play
      at 3s power sleep
      at 3.5s unplug headphones bounce 20ms
      at 5s expect silence headphones silence speaker
      at 6s power wake
      at 6.1s expect state paused hold route-lost route speaker volume 100 prompt on event route.changed reason=wake-from-sleep
      at 7s plug headphones
      at 7.2s expect state playing hold none sound headphones
      at 9s end
      """)
    #expect(played.outcome.failures == [])
    #expect(played.log.allSatisfy { !$0.hasPrefix("3.") && !$0.hasPrefix("4.") && !$0.hasPrefix("5.") })
    // Silent from the moment it falls asleep, on every port, and not a click at waking.
    let asleep = 3 * ScenarioSetup.rate..<7 * ScenarioSetup.rate
    for port in [Port.headphones, .lineOut, .speaker] {
      #expect((played.left[port] ?? [])[asleep].allSatisfy { $0 == 0 })
    }
    #expect(played.events("port.disconnected") == ["port.disconnected port=headphones line=JACK_SENSE"])
  }

  @Test("R11: a plug that went and came back in sleep is no change, and timers that ran out fire at waking")
  func quietSleep() throws {
    var stage = stage
    stage.settings.idleReset = .seconds(5)
    let played = try stage.play(
      """
      at 0s plug headphones
      at 1s console "volume 20"
      at 2s power sleep
      at 3s unplug headphones
      at 4s plug headphones
      at 9s expect volume 20
      at 10s power wake
      at 10.1s expect volume 100 route headphones event route.changed reason=wake-from-sleep
      at 11s end
      """)
    #expect(played.outcome.failures == [])
    #expect(played.events("port.disconnected").isEmpty && played.events("line.bounced").isEmpty)
  }

  @Test("R12: a device of another rate sounds at every moment that an expect may check")
  func otherRate() throws {
    let moments = (0..<20).map { "at \(3_480 + $0)ms expect sound speaker" }
    let played = try stage.play("at 1s output rate 48000\nat 2s press play\n" + moments.joined(separator: "\n"))
    #expect(played.outcome.failures == [])
    #expect(played.outcome.expectations == 20)
  }

  @Test("a power cut in sleep does no harm, nor does a plug that moves in between")
  func cutInSleep() throws {
    let played = try stage.play(
      """
      at 2s power sleep
      at 4s power cut
      at 5s plug headphones
      at 7s power on
      at 8s press play
      at 9s expect state playing sound headphones
      at 10s end
      """)
    #expect(played.outcome.failures == [])
    #expect(played.events("boot").count == 2)
    #expect(played.events("route.changed").isEmpty)
  }

  @Test("K7: a refused command is reported with its line, and so is one that was expected to be refused and was not")
  func refusals() throws {
    let commands = [
      ("console \"volume loud\"", "volume loud: expected a whole number from 0 to 100, alone or behind + or -"),
      ("console play", nil), ("route dock", "line-out is not connected"), ("route auto", nil),
      ("interrupt end page", "page is not active"), ("interrupt begin page", nil),
      ("interrupt begin page", "page is active already"), ("interrupt end page resume", nil),
      ("cue nothing", "cue nothing: expected a cue folder with cues"), ("console status", nil),
    ]
    let story = commands.enumerated().map { "at \(1 + $0)s \($1.0)" } + ["at 20s expect state playing volume 99"]
    let played = try stage.play(story.joined(separator: "\n"))
    let refusals = commands.enumerated().compactMap { index, command in
      command.1.map { reason in
        let typed = command.0.filter { $0 != "\"" }.replacing("console ", with: "").replacing("dock", with: "line-out")
        return "test.scenario:\(index + 1): expected \"\(typed)\" to be obeyed, found error: \(reason)"
      }
    }
    #expect(played.outcome.failures == refusals + ["test.scenario:11: expected volume 99, found 100"])
    #expect(played.outcome.expectations == refusals.count + 2)
    let refused = zip(story, commands).map { $0 + ($1.1 == nil ? "" : " refused") }
    let again = try stage.play(refused.joined(separator: "\n"))
    #expect(again.outcome.failures == [] && again.outcome.expectations == refusals.count)
    #expect(again.log == played.log)
    let wrong = try stage.play("at 1s console play refused\nat 2s end")
    #expect(wrong.outcome.failures == ["test.scenario:1: expected \"play\" to be refused, found it obeyed"])
  }

  @Test("an underrun while nothing plays is reported with its line")
  func idleUnderrun() throws {
    let played = try stage.play("at 1s output underrun\nat 2s press play\nat 3s output underrun\nat 4s end")
    #expect(played.outcome.notes == ["test.scenario:1: note: no device plays, nothing happens"])
    #expect(played.outcome.failures == [])
    #expect(played.events("output.underrun").count == 1)
  }

  @Test("the steps of an interruption and a cue are the console's commands")
  func commands() throws {
    var stage = stage
    stage.cues = [Cue(name: "welcome", path: "hello")]
    stage.cueFiles = ["hello": ScenarioSetup.rate]
    let played = try stage.play(
      """
      at 1s press play
      at 2s interrupt begin fire-2
      at 2.1s expect state paused hold interruption event interruption.began reason=fire-2
      at 3s interrupt end fire-2 resume
      at 3.1s expect state playing hold none event interruption.ended reason=fire-2 resume=true
      at 4s interrupt begin page
      at 5s interrupt end page
      at 5.1s expect state paused hold none event interruption.ended reason=page resume=false
      at 6s press play
      at 6.5s cue welcome
      at 6.6s expect state playing duck on event duck.began
      at 7s end
      """)
    #expect(played.outcome.failures == [])
    #expect(
      played.events("console.command").compactMap { $0.split(separator: "\"").dropFirst().first } == [
        "interrupt begin fire-2", "interrupt end fire-2 resume", "interrupt begin page", "interrupt end page",
        "cue welcome",
      ])
  }

  @Test("a failed expectation of ducking is reported, too")
  func failedDuck() throws {
    let played = try stage.play("at 1s expect duck off\nat 2s expect duck on")
    #expect(played.outcome.failures == ["test.scenario:2: expected duck on, found off"])
  }

  @Test("C1: the microphone hears a file from its step on, and falls silent when the input is lost")
  func microphone() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/voice.wav"
    let writer = try WAVWriter(path: path, rate: ScenarioSetup.rate)
    writer.write([1, 2, 3, 4, 5, 6], frames: 3)
    try writer.finish()
    let story = try ScenarioParser.parse(
      "at 1s microphone voice.wav\nat 2s microphone fail\nat 3s end", file: "\(folder.path)/s", board: stage.board)
    let simulation = try simulation(of: story)
    let capture = try simulation.microphone.open(
      input: .microphone, name: "microphone", rate: ScenarioSetup.rate, buffer: .seconds(4))
    try capture.start()
    #expect(simulation.sounds[path]?.samples == [1, 2, 3, 4, 5, 6])
    _ = try simulation.run()
    var heard = [Int16](repeating: 0, count: 8)
    simulation.microphone.copySound(44_099..<44_103, rate: ScenarioSetup.rate, into: &heard)
    #expect(heard == [0, 0, 1, 2, 3, 4, 5, 6])
    #expect(throws: PCMError.self) { _ = try capture.read(into: &heard, frames: 4) }
  }

  @Test("a file that the microphone cannot use is reported with the step's line, before anything happens")
  func badMicrophone() throws {
    let story = try ScenarioParser.parse(
      "at 1s press play\nat 2s microphone nothing.wav\nat 3s end", file: "/nowhere/s", board: stage.board)
    do throws(FileError) {
      _ = try simulation(of: story)
      Issue.record("it was taken")
    } catch {
      #expect(error.description == "/nowhere/s:2: microphone: /nowhere/nothing.wav: no such file")
    }
  }

  private func simulation(of story: Scenario) throws(FileError) -> Simulation {
    try Simulation(
      scenario: story, board: stage.board, settings: Settings(), library: [], opener: CountingTracks([:]), audio: nil,
      onLine: { _ in })
  }

  @Test("the clock of a scenario is set, and goes on")
  func clock() throws {
    let story = try ScenarioParser.parse(
      "at 0s clock 17:29:30\nat 45s end", file: "s", board: stage.board)
    let simulation = try simulation(of: story)
    _ = try simulation.run()
    let time = simulation.wallClock.now
    #expect([time.hour, time.minute, time.second] == [17, 30, 15])
  }
}

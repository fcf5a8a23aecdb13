import AudioSession
import Board
import InputDevices
import TestSupport
import Testing

@testable import jackdaw

/// What `jackdaw check` warns of: it runs as it is, and perhaps not as it is meant.
@Suite struct CheckWarningTests {
  /// The rows of a check of the simulated board with these lines in front of its own, that begin with a word.
  private func rows(_ board: String, _ settings: String, _ subject: String) throws -> (rows: [String], isGood: Bool) {
    let folder = try TemporaryFolder()
    let own = Sources.text("board/sim.toml").replacing("device = \"keypad\"", with: "device = \"keypad\"\nlength = 2")
    folder.write("post.toml", own.replacing("[lines.JACK_SENSE]", with: "\(board)\n[lines.JACK_SENSE]"))
    folder.write("kiosk.toml", "music = [\"\(repositoryPath("board/sim/music"))\"]\n\(settings)\n")
    let outcome = try Program.run(["check", "--board", "post.toml", "--settings", "kiosk.toml"], in: folder)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let found = lines.filter { $0.dropFirst(6).hasPrefix(subject) }
    return (found, !found.contains { $0.hasPrefix("FAIL") })
  }

  @Test("T5.3: tokens that no reader can end; a reader without `length` takes any")
  func tokens() throws {
    let board = "[readers.door]\ndevice = \"b\"\nlength = 3\n"
    let tokens = "[tokens]\nBLUE = { track = 2 }\nRED = { track = 1 }\n7 = { track = 3 }\n"
    let found = try rows(board, tokens, "token ")
    let warned = found.rows.filter { $0.hasPrefix("warn  ") }
    #expect(warned.count == 2 && found.isGood)
    #expect(warned.contains { $0.hasPrefix("warn  token 7") && $0.contains("1 character,") })
    #expect(warned.first?.hasPrefix("warn  token BLUE") == true && warned.first?.contains("4 characters") == true)
    let free = try rows(board.replacing("length = 3\n", with: ""), tokens, "token ")
    #expect(!free.rows.contains { $0.hasPrefix("warn") })
  }

  @Test("D1: a Cue button without a cue to speak")
  func cue() throws {
    let folder = try TemporaryFolder()
    folder.write("cues/other.wav", "-")
    let settings = "cue_folder = \"\(folder.path)/cues\"\n"
    let found = try rows("", settings, "button BTN_CUE")
    #expect(found.rows.count == 1 && found.rows.first?.hasPrefix("warn  ") == true)
    #expect(found.rows.first?.contains("no cue is called welcome") == true)
    folder.write("cues/welcome.wav", "-")
    #expect(try rows("", settings, "button BTN_CUE").rows == [])
  }

  @Test("E1.1: a signal that follows a port which is unwired")
  func unwired() throws {
    let board = "[lines.LIT]\nrole = \"signal\"\nwhile = [\"port:headphones\", \"port:speaker\"]\n"
    let found = try rows(board, "unwired = [\"headphones\"]", "signal LIT")
    #expect(found.rows.count == 1 && found.rows.first?.hasPrefix("warn  ") == true)
    #expect(found.rows.first?.contains("headphones") == true)
    #expect(try rows(board, "unwired = []", "signal LIT").rows == [])
  }

  @Test("J3: coins that buy nothing, and credits that no coin makes")
  func coins() throws {
    let line = "[lines.COIN]\nrole = \"coin\"\n"
    let credits = "choice = \"queue\"\n[credits]\ncoins = { 1 = 1, 5 = 6 }"
    let nothing = try rows(line, "", "coins COIN")
    #expect(nothing.rows.count == 1 && nothing.rows.first?.hasPrefix("warn  ") == true)
    let bought = try rows(line, credits, "coins COIN")
    #expect(bought.rows.first?.hasPrefix("ok    ") == true)
    let unpaid = try rows("", credits, "kiosk.toml:3: credits")
    #expect(unpaid.rows.count == 1 && unpaid.rows.first?.hasPrefix("warn  ") == true)
    #expect(try rows("", "", "coin").rows == [])
    let key = "[lines.KEY]\nrole = \"free-play\"\n"
    #expect(try rows(key, credits, "free-play KEY").rows.first?.hasPrefix("ok    ") == true)
    #expect(try rows(key, "", "free-play KEY").rows.first?.hasPrefix("warn  ") == true)
    let lamp = "[lines.LAMP]\nrole = \"signal\"\nwhile = \"credits\"\n"
    #expect(try rows(lamp, credits, "signal LAMP").rows == [])
    #expect(try rows(lamp, "", "signal LAMP").rows.first?.contains("choices do not wait") == true)
  }

  @Test("C7: recordings are to be removed, and the clock is none by which they are")
  func retention() {
    var settings = RecordingSettings(sizeLimit: 1)
    #expect(FolderChecks.retention(settings, trust: .unknown).isEmpty)
    settings.retention = .seconds(86_400)
    #expect(FolderChecks.retention(settings, trust: .synchronised).isEmpty)
    let findings = FolderChecks.retention(settings, trust: .unknown)
    #expect(findings.map(\.grade) == [.warning] && findings[0].advice.joined().contains("clock = \"trusted\""))
  }

  @Test("L4: `without_card` is no use without a reader that says what lies on it")
  func withoutCard() throws {
    let reader = "[readers.BOX]\nkind = \"presence\"\n"
    #expect(try rows("", "without_card = \"silent\"\n", "without_card").rows.first?.hasPrefix("warn  ") == true)
    #expect(try rows(reader, "without_card = \"silent\"\n", "without_card").rows == [])
    #expect(try rows("", "", "without_card").rows == [])
  }

  @Test("T5, G, K1.1: a keypad, a knob or a keyboard that is not plugged in is no failure, and is named")
  func notPluggedIn() throws {
    let name = "a device that nobody has"
    let code = try #require(InputCode.axes.first)
    let key = try #require(InputCode.key(named: "f5"))
    let devices: [any LineDevice] =
      [KeyReader("pad", device: name)]
      + AxisDevice.devices(for: [InputLineRequest(name: "DIAL", device: name, code: code)])
      + InputDevice.devices(for: [InputLineRequest(name: "BTN", device: name, code: key)]) { _ in nil }
    #expect(devices.count == 3)
    for device in devices {
      let finding = LineChecks.device(device)
      #expect(finding.grade == .warning && finding.subject == device.name, "\(finding)")
      #expect(finding.what.hasPrefix("not plugged in now"))
      #expect(finding.advice.joined().contains("no input device has this name"))
    }
  }

  /// A device that is open as a number of the kernel.
  private final class Found: LineDevice {
    let name: String
    let lines: [String] = []
    let pollDescriptors: [PollDescriptor] = []
    let claim: DeviceClaim?
    var ambiguity: String?
    var failure: LineError?

    init(_ name: String, _ number: UInt64, isExclusive: Bool = false) {
      (self.name, claim) = (name, DeviceClaim(number: number, isExclusive: isExclusive))
    }

    func open() throws(LineError) { if let failure { throw failure } }
    func levels() -> [Bool] { [] }
    func readEdges(into edges: inout [LineEdge]) {}
    func close() {}
  }

  @Test("T5: a reader and a line of one device under two names; a name of several devices; a key that is missing")
  func unfit() {
    let (buttons, pad) = (Found("buttons", 7), Found("reader pad", 7, isExclusive: true))
    let (other, wrong) = (Found("other", 8), Found("wrong", 9))
    other.ambiguity = "2 devices have this name"
    wrong.failure = LineError(operation: .findLine, subject: "BTN", code: 0, message: "wrong has no play")
    let findings = LineChecks.devices([buttons, pad, other, wrong])
    #expect(findings.map(\.grade) == [.good, .bad, .warning, .bad])
    #expect(findings[1].what == "is taken by buttons" && findings[2].what == "2 devices have this name")
    #expect(findings[3].what == "BTN: wrong has no play")
    #expect(LineChecks.devices([pad, buttons]).map(\.grade) == [.good, .bad])
  }
}

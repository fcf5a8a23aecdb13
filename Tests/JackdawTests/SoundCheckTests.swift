import Board
import BoardFiles
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Firmware
@testable import jackdaw

/// What `check` says of outputs, on cards of the models of Tests/Plugins/PacedPCM/models.c.
@Suite struct SoundCheckTests {
  private static let takesBack = """
    ; takes back what is queued: a change is heard within 20 ms, on USB within 50 ms, on Bluetooth later by the \
    headset's delay
    """
  private static let keeps =
    "; takes nothing back: little is queued, a change is heard within 30 ms, at 40 wake-ups a second"

  /// The module is beside the program, in the folder of all products of the build.
  private static var library: String {
    var path = [CChar](repeating: 0, count: 4_096)
    let length = max(0, readlink("/proc/self/exe", &path, path.count))
    let program = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return program.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/libPacedPCM.so"
  }

  /// `check` of a board whose speaker is a card with these keys of the paced PCM, behind the plug-ins around `%`; the row
  /// of the speaker, and the advice below it.
  private func check(
    _ card: String, behind: String = "%", board: String = ""
  ) throws -> (row: String, advice: [String]) {
    let folder = try TemporaryFolder()
    let paced = "type paced file \"\(folder.path(of: "heard"))\" log \"\(folder.path(of: "log"))\" \(card)"
    let pcm = behind.split(separator: "%", omittingEmptySubsequences: false).joined(separator: paced)
    folder.write("asound.conf", "pcm_type.paced { lib \"\(Self.library)\" }\npcm.card { \(pcm) }\n")
    folder.write(
      "board.toml",
      """
      name = "Cards"
      rate = 44100
      buffer = "300ms"
      [ports.speaker]
      sense = "always"
      priority = 10
      private = false
      pcm = "card"
      \(board)
      """)
    let configuration = "ALSA_CONFIG_PATH=\(folder.path(of: "asound.conf"))"
    let outcome = try Program.run(["check", "--board", "board.toml"], under: ["env", configuration], in: folder)
    #expect(outcome.errors == "")
    // A row goes on in lines that begin with blanks.
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex { $0.dropFirst(6).hasPrefix("output speaker ") }, "\(outcome.output)")
    let rest = lines[(start + 1)...].prefix { $0.hasPrefix(" ") }.map { $0.drop { $0 == " " } }
    let advice = rest.firstIndex { $0.hasPrefix("-> ") } ?? rest.endIndex
    let row = ([lines[start]] + rest[..<advice].map(String.init)).joined(separator: " ")
    return (row, rest[advice...].map(String.init))
  }

  @Test(
    "P14: a card that takes back, and what that means",
    arguments: [
      "", "model i2s", "model i2s-periods", "model usb", "model usb-queued", "model virtio", "model bluealsa",
    ])
  func takesBack(card: String) throws {
    #expect(try check(card).row.hasSuffix("card, 44100 Hz\(Self.takesBack)"))
  }

  @Test(
    "P14: a card that takes nothing back, and what that means", arguments: ["model bcm2835", "model virtio-indirect"])
  func keeps(card: String) throws {
    #expect(try check(card).row.hasSuffix("card, 44100 Hz\(Self.keeps)"))
  }

  @Test("P14: the board file's word on taking back is believed")
  func boardFile() throws {
    #expect(try check("", board: "take_back = false").row.hasSuffix("card, 44100 Hz\(Self.keeps)"))
    #expect(try check("model bcm2835", board: "take_back = true").row.hasSuffix("card, 44100 Hz\(Self.takesBack)"))
  }

  @Test("a card that runs at another rate only converts, and is said to")
  func rate() throws {
    let row = try check("rate 48000").row
    #expect(row.hasSuffix("card, 48000 Hz; the board file says 44100 Hz, tracks are converted\(Self.takesBack)"))
  }

  @Test("HDMI opens through libasound's plug-in for its format; without that or a screen it fails with advice")
  func screen() throws {
    let plugin = "type iec958 slave { format IEC958_SUBFRAME_LE pcm { % } } hdmi_mode true"
    #expect(try check("model hdmi", behind: plugin).row.hasSuffix("card, 44100 Hz\(Self.takesBack)"))
    let failures = [("model hdmi", "%", "Invalid argument"), ("model hdmi-dark", plugin, "No such device")]
    for (card, behind, reason) in failures {
      let found = try check(card, behind: behind)
      #expect(found.row.hasPrefix("FAIL") && found.row.contains(reason), "\(found.row)")
      #expect(found.advice.first?.hasPrefix("-> ") == true)
    }
  }

  @Test("a driver that does not return is given up, so that it holds up no other line of check")
  func hung() throws {
    var board = try ChosenBoard("sim").board
    let never = DispatchSemaphore(value: 0)
    defer { for _ in 0..<2 { never.signal() } }
    func opened() -> Finding {
      SoundChecks(board: board).finding("output speaker", "slow", within: .milliseconds(50)) { () throws(PCMError) in
        never.wait()
        return (rate: 44_100, note: "")
      }
    }
    let silent = opened()
    #expect(silent.grade == .missing && silent.what == "simulated, silent: slow: open: device does not answer")
    board.isSimulated = false
    let bad = opened()
    #expect(bad.grade == .bad && bad.what == "slow: open: device does not answer")
    #expect(bad.advice == ["its driver hangs: unplug the card and plug it in again, or restart the board"])
  }

  @Test("--measure prints the edge, the calls, the queue and what to write into the board file")
  func measured() {
    var figures = LoopFigures(
      start: .milliseconds(10), silence: .microseconds(10_200), takesBack: false, safeQueue: .milliseconds(30))
    let keeping = LoopChecks.findings(figures, unplug: .microseconds(10_300), of: .headphones)
    #expect(
      FindingList(findings: keeping).text == """
        ok    headphones edge        silent at most 11 ms after it
        ok    headphones start       heard 10 ms after it
        ok    headphones stop        silent 11 ms after it
        ok    headphones takes back  no: little is kept queued in it
        ok    headphones queue       30 ms did not run dry
        ok    board file             take_back = false
        6 of 6 good
        """)
    figures.takesBack = true
    let usual = LoopChecks.findings(figures, unplug: .milliseconds(6), of: .headphones)
    #expect(usual.last?.what == "nothing to write")
    #expect(usual.contains { $0.subject == "headphones takes back" && $0.what == "yes: the buffer delays nothing" })
    figures.safeQueue = nil
    #expect(LoopChecks.findings(figures, unplug: .milliseconds(6), of: .headphones).last?.grade == .bad)
  }
}

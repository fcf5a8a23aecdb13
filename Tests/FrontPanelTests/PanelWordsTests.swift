import AudioSession
import BoardFiles
import Testing

@testable import FrontPanel
@testable import Jukebox
@testable import KioskTestSupport

@Suite struct PanelWordsTests {
  @Test("the state and the holds are shown in words")
  func states() {
    #expect(text(testState { $0.state = .stopped }).contains("STOPPED "))
    #expect(text(testState { $0.state = .paused }).contains("PAUSED  "))
    let held = testState {
      $0.state = .paused
      $0.holds = [.routeLost, .outputUnavailable, .noSuitableRoute]
    }
    #expect(text(held).contains("PAUSED — plug unplugged, sound device gone, nothing to play on"))
    #expect(text(promptState()).contains("PAUSED — headphones unplugged"))
  }

  @Test("a blinking lamp is lit in the first half of every second, a flashing one for a moment every two")
  func lamp() {
    for (milliseconds, lamp) in [(0, "●"), (499, "●"), (500, "○"), (999, "○"), (1_000, "●")] {
      let state = testState(now: .powerOn + .milliseconds(milliseconds)) { $0.lamp = .blink }
      #expect(text(state, 30, 3).hasPrefix(lamp))
      #expect(text(state).contains("lamp blinking"))
    }
    for (milliseconds, lamp) in [(0, "●"), (99, "●"), (100, "○"), (1_999, "○"), (2_000, "●")] {
      let state = testState(now: .powerOn + .milliseconds(milliseconds)) { $0.lamp = .flash }
      #expect(text(state, 30, 3).hasPrefix(lamp), "X3 at \(milliseconds) ms")
      #expect(text(state).contains("lamp flashing"))
    }
    #expect(text(testState { $0.lamp = .off }, 30, 3).hasPrefix("○"))
    #expect(text(testState { $0.lamp = .off }).contains("lamp dark"))
    #expect(text(testState { $0.lamp = .on }).contains("lamp lit"))
  }

  @Test("track, title, time and volume")
  func details() {
    #expect(text(testState { $0.tags.artist = nil }, 30, 2).hasSuffix("2/7 Blue in Green"))
    #expect(text(testState { $0.tags = TrackTags() }, 30, 2).hasSuffix("2/7 02 blue.mp3"))
    #expect(text(testState { $0.tags.frames = nil }).contains("1:23 / -:--"))
    #expect(text(testState { $0.frame = 44_100 * 3_665 }).contains("1:01:05 / 5:37"))
    let none = testState {
      $0.trackCount = 0
      $0.track = nil
    }
    #expect(text(none).contains("No track was found in the music folders"))
    #expect(text(testState { $0.volume = nil }).contains("░  no port"))
    #expect(text(testState(board: testBoard { $0.ports[0].output.ceiling = 85 })).contains("60, at most 85"))
    let morning = HoursBoundary(second: 0, day: CalendarDay(number: 0), time: TimeOfDay(hour: 8, minute: 0))
    func quiet(_ state: QuietStatus.State) -> String {
      text(testState { $0.quiet = QuietStatus(state: state, ceiling: 60, until: morning) })
    }
    #expect(quiet(.on).contains("60, quiet until 08:00") && !quiet(.off).contains("quiet"))
    #expect(!quiet(.unknown).contains("quiet"))
  }

  @Test("bars are empty at 0 and full at the end")
  func bars() {
    func volume(_ volume: Int) -> String { picture(testState { $0.volume = volume }, 20, 4)[3] }
    #expect(volume(0) == "Volume ░░░░░░░░░░░ 0")
    #expect(volume(100) == "Volume █████████ 100")
    #expect(volume(50) == "Volume █████░░░░░ 50")
    #expect(picture(testState { $0.frame = 14_861_700 }, 24, 4)[2] == "Time   █████ 5:37 / 5:37")
  }

  @Test("keys of buttons and sockets that the board does not have are not offered")
  func absentKeys() {
    let board = testBoard {
      $0.lines.removeAll { $0.role == .button(.stop) }
      $0.ports.remove(at: 1)
    }
    #expect(text(testState()).contains("s stop") && text(testState()).contains("d dock"))
    let shown = text(testState(board: board))
    #expect(!shown.contains("s stop") && !shown.contains("d dock") && shown.contains("h headphones"))
  }

  @Test("five ports do not fit as boxes and are shown as a list")
  func manyPorts() {
    let board = testBoard {
      for (port, priority) in [(Port.bluetooth, 8), (.usb, 9)] {
        $0.ports.append(
          PortDescription(
            output: OutputPort(port: port, sense: .always, priority: priority, isPrivate: false), pcm: "default"))
      }
    }
    #expect(
      text(testState(board: board)).contains("*Headphones: in   Dock: empty   Speaker: built in   Bluetooth: built in"))
  }

  @Test("a bigger screen shows more of the log, and the help replaces it")
  func log() {
    var state = testState()
    for number in 0..<300 { state.note("line \(number)") }
    func count(_ rows: Int) -> Int { picture(state, 80, rows).filter { $0.contains("line ") }.count }
    #expect(count(17) == 0)
    #expect(count(18) == 1)
    #expect(count(24) == 7)
    #expect(count(60) == 43)
    #expect(text(state).contains("line 299"))
    #expect(state.log.count == 200)
    state.showsHelp = true
    #expect(text(state).contains("├─ Help ─") && text(state).contains("Play held down for a second"))
    #expect(count(24) == 0)
  }

  @Test("a message is shown until a prompt replaces it")
  func message() {
    var state = testState()
    state.message = "volume 85: the ceiling"
    #expect(text(state).contains("│ volume 85: the ceiling "))
    #expect(text(state, 40, 10).contains("\nvolume 85: the ceiling\n"))
    state.status.isPromptShown = true
    #expect(!text(state).contains("the ceiling"))
  }

  @Test("styles add only codes, and only with colour")
  func colour() {
    let plain = PanelView(unicode: true, colour: false).render(testState(), columns: 80, rows: 24)
    let styled = PanelView(unicode: true, colour: true).render(testState(), columns: 80, rows: 24)
    #expect(!plain.joined().contains("\u{1B}"))
    #expect(styled[1].contains("\u{1B}[1mPLAYING\u{1B}[0m"))
    let prompt = PanelView(unicode: true, colour: true).render(promptState(), columns: 80, rows: 24)
    #expect(
      prompt[11].contains("\u{1B}[1;7m Headphones unplugged. Press p to go on here (speaker), s to stop. \u{1B}[0m"))
  }

  @Test("an update overwrites in place and clears only what stays empty")
  func update() {
    let view = PanelView(unicode: true, colour: false)
    let full = view.update(testState(), columns: 80, rows: 24)
    #expect(full == "\u{1B}[H" + picture(testState()).joined(separator: "\r\n"))
    let small = view.update(testState { $0.lamp = .off }, columns: 30, rows: 2)
    #expect(small == "\u{1B}[H○ PLAYING\u{1B}[K\r\n2/7 Blue in Green — Miles Dav…")
    var state = testState()
    state.showsHelp = false
    let tall = view.update(
      PanelState(status: state.status, board: state.board, now: .powerOn, output: ""), columns: 50, rows: 15)
    #expect(tall.hasSuffix("\u{1B}[K\r\n\u{1B}[J"))
    #expect(!full.contains("\u{1B}[2J"))
  }

  @Test("J1, J3: what waits, and what a choice costs")
  func requests() {
    func words(_ waiting: Int?, _ credits: Int?, isFree: Bool = false) -> String? {
      testState { ($0.waiting, $0.credits, $0.isFree) = (waiting, credits, isFree) }.requestWords
    }
    #expect(words(nil, nil) == nil && words(0, nil) == "0 waiting" && words(0, 1) == "1 credit")
    #expect(words(2, 0) == "2 waiting, 0 credits" && words(2, 5, isFree: true) == "2 waiting, free play")
    let state = testState { ($0.waiting, $0.credits) = (3, 12) }
    let picture = PanelView(unicode: true, colour: false)
    #expect(picture.render(state, columns: 80, rows: 24)[1].contains("PLAYING  3 waiting, 12 credits "))
    #expect(picture.render(state, columns: 40, rows: 10)[0].contains("PLAYING  3 waiting, 12 credits"))
  }
}

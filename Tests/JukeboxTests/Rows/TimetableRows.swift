import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// What the timetable has done: starts, stops, playlists and volumes.
@Suite struct TimetableRows {
  static let day = CalendarDay(year: 2026, month: 11, day: 27)
  static let entries = [
    TimetableEntry(.playlist("deutsch"), .at([time(0)])), TimetableEntry(.playlist("english"), .at([time(12)])),
    TimetableEntry(.volume(30), .at([time(9)])), TimetableEntry(.volume(45), .at([time(17)])),
    TimetableEntry(.start, .at([time(9)])), TimetableEntry(.stop, .at([time(18)])),
    TimetableEntry(.playlist("nowhere"), .at([time(1)])),
  ]

  static func time(_ hour: Int) -> TimeOfDay { TimeOfDay(hour: hour, minute: 0) }

  static func moment(_ entry: Int, _ day: CalendarDay = Self.day) -> TimetableMoment {
    guard case .at(let times) = entries[entry].times, let time = times.first else { return TimetableMoment(entry, day) }
    return TimetableMoment(entry, day, time)
  }

  /// German since midnight, at a volume of 30 since nine.
  static let morning = TimetableState(playlist: moment(0), volume: moment(2))
  /// English since noon, and 45 since five.
  static let evening = TimetableState(playlist: moment(1), volume: moment(3))

  static func kiosk(
    plugged: Set<String> = [], saved: SavedState? = nil, state: TimetableState? = morning, hours: HoursReport? = nil,
    buttons: [Button] = [], selectors: [Line] = [], isMusicKept: Bool = false,
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    Kiosk(
      plugged: plugged, saved: saved.map { .state($0) } ?? .nothing, buttons: buttons, selectors: selectors,
      names: Kiosk.folders, isMusicKept: isMusicKept, hours: hours, timetable: state
    ) {
      $0.timetable = entries
      change(&$0)
    }
  }

  /// The kiosk after another start.
  static func restarted(_ kiosk: Kiosk, state: TimetableState?, _ change: (inout Settings) -> Void = { _ in }) -> Kiosk
  {
    Self.kiosk(saved: kiosk.saves.last, state: state, change)
  }

  private func lines(_ kiosk: Kiosk) -> [String] {
    kiosk.names(.timetableDue).map { event in
      event.fields.filter { $0.key != "at" }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }
  }

  @Test("H3.5: a start begins the music, and goes on with what was paused; what plays plays on")
  func start() {
    let kiosk = Self.kiosk()
    #expect(kiosk.sounding == nil && kiosk.status.playlist == "deutsch" && kiosk.status.volume == 30)
    kiosk.feed(.scheduled(Self.moment(4)), then: .seconds(5))
    #expect(kiosk.sounding == .speaker && kiosk.last(.playbackStarted)?["cause"] == "timetable")
    #expect(kiosk.last(.timetableDue)?["at"] == "2026-11-27 09:00" && lines(kiosk).last == "start=true")
    let (frame, isVisited) = (kiosk.status.frame, kiosk.status.isVisited)
    kiosk.feed(.scheduled(Self.moment(4, Self.day.next)))
    #expect(kiosk.status.frame == frame && !isVisited && kiosk.sounding == .speaker)
    kiosk.type("pause", then: .seconds(1))
    kiosk.feed(.scheduled(Self.moment(4, Self.day.next.next)), then: .seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.last(.playbackResumed)?["cause"] == "timetable")
  }

  @Test("H3.5, R3: a plug that only moves in that second keeps nothing from starting")
  func doubted() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.edge("JACK", false, then: .milliseconds(10))
    kiosk.feed(.scheduled(Self.moment(4)))
    kiosk.edge("JACK", true, then: .seconds(1))
    #expect(kiosk.sounding == .headphones && lines(kiosk).last == "start=true")
  }

  @Test("H3.5, P1: nothing starts while it is closed, nor where an unplug holds the music")
  func refused() {
    let closed = Self.kiosk(hours: HoursRows.closed) { $0.hours = HoursSettings(WeekCalendar()) }
    closed.feed(.scheduled(Self.moment(4)), then: .seconds(1))
    #expect(closed.sounding == nil && lines(closed).last == "start=true ignored=closed")
    closed.feed(.hours(HoursRows.open), then: .seconds(1))
    #expect(closed.sounding == nil)
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.pressOnce(.play, then: .seconds(5))
    kiosk.unplug("JACK")
    kiosk.feed(.scheduled(Self.moment(4)), then: .seconds(1))
    #expect(kiosk.sounding == nil && kiosk.status.isPromptShown)
    #expect(lines(kiosk).last == "start=true ignored=unplugged")
    kiosk.plug("JACK", then: .seconds(1))
    #expect(kiosk.sounding == .headphones)
  }

  @Test("H3.5: a page and the mute line hold what starts, and it is heard behind them")
  func held() {
    for line in ["PAGE", "MUTE"] {
      let kiosk = Kiosk(
        clients: [SessionClient(name: "music", category: .ambient, priority: 10)], names: Kiosk.folders,
        timetable: Self.morning
      ) { $0.timetable = Self.entries }
      kiosk.edge(line, true, then: .seconds(1))
      kiosk.feed(.scheduled(Self.moment(4)), then: .seconds(1))
      #expect(kiosk.sounding == nil && kiosk.status.state != .stopped)
      kiosk.edge(line, false, then: .seconds(1))
      #expect(kiosk.sounding == .speaker, "\(line)")
    }
  }

  @Test("H3.6: a stop stops the music, also what is held; a cue and a recording go on")
  func stop() {
    let kiosk = Self.kiosk()
    kiosk.type("play", then: .seconds(5))
    kiosk.type("cue closing", then: .seconds(1))
    kiosk.feed(.scheduled(Self.moment(5)), then: .milliseconds(100))
    #expect(kiosk.last(.playbackStopped)?["cause"] == "timetable" && kiosk.status.cue == "closing")
    #expect(kiosk.status.state == .stopped && kiosk.status.frame == 0 && kiosk.status.playlist == "deutsch")
    let recording = Self.kiosk()
    recording.pressOnce(.record, then: .seconds(1))
    recording.feed(.scheduled(Self.moment(5)), then: .seconds(1))
    #expect(recording.status.state == .recording)
    let paged = Self.kiosk()
    paged.type("play")
    paged.edge("PAGE", true, then: .seconds(1))
    paged.feed(.scheduled(Self.moment(5)))
    paged.edge("PAGE", false, then: .seconds(1))
    #expect(paged.sounding == nil && paged.status.state == .stopped)
  }

  @Test("H3.2: at the time of a playlist the music moves to it; the next visitor finds it")
  func playlist() {
    let kiosk = Self.kiosk()
    kiosk.feed(.timetable(TimetableState(playlist: Self.moment(1), volume: Self.moment(2))))
    #expect(kiosk.status.playlist == "english" && kiosk.status.state == .stopped && kiosk.sounding == nil)
    #expect(lines(kiosk).last == "playlist=english")
    kiosk.feed(.scheduled(Self.moment(4)), then: .seconds(5))
    kiosk.feed(.timetable(TimetableState(playlist: Self.moment(0, Self.day.next), volume: Self.moment(2))))
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .speaker && kiosk.status.file == "deutsch/1 Haus.mp3" && kiosk.status.state == .playing)
    // A visitor chooses another, and has gone.
    kiosk.type("playlist english")
    kiosk.type("stop", then: .seconds(601))
    #expect(kiosk.status.playlist == "deutsch")
  }

  @Test("H3.2, T4.3: a selector names the playlist, whatever the timetable says")
  func selector() {
    let selector = Line(name: "LANGUAGE", role: .selector(playlist: "english", released: "deutsch"))
    let kiosk = Self.kiosk(selectors: [selector])
    kiosk.feed(.timetable(TimetableState(playlist: Self.moment(1), volume: Self.moment(2))))
    #expect(kiosk.status.playlist == "deutsch" && lines(kiosk).last == "playlist=english ignored=selector")
  }

  @Test("H3.2: a playlist that the music does not have is said, and nothing changes")
  func missing() {
    let kiosk = Self.kiosk()
    kiosk.feed(.timetable(TimetableState(playlist: Self.moment(6), volume: Self.moment(2))))
    #expect(kiosk.status.playlist == "deutsch" && kiosk.last(.choiceFailed)?["playlist"] == "nowhere")
    #expect(kiosk.names(.choiceFailed).count == 1)
  }

  @Test("H3.4: whoever listens alone keeps the music until the visit ends")
  func listener() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.pressOnce(.play, then: .seconds(5))
    kiosk.feed(.timetable(Self.evening), then: .seconds(1))
    #expect(kiosk.status.playlist == "deutsch" && lines(kiosk).contains("playlist=english waits=true"))
    kiosk.unplug("JACK", then: .seconds(5))
    #expect(kiosk.status.playlist == "deutsch" && kiosk.status.isPromptShown)
    kiosk.wait(.seconds(301))
    #expect(kiosk.status.playlist == "english" && kiosk.status.state == .stopped)
  }

  @Test("H3.3, H3.4: where visits are not told apart, nobody listens alone once the headphones are out")
  func withoutVisits() {
    let kiosk = Self.kiosk(plugged: ["JACK"]) { $0.visitGap = .zero }
    kiosk.pressOnce(.play, then: .seconds(5))
    kiosk.unplug("JACK")
    kiosk.pressOnce(.play, then: .seconds(5))
    #expect(kiosk.sounding == .speaker)
    kiosk.feed(.timetable(Self.evening), then: .seconds(1))
    #expect(kiosk.status.playlist == "english" && kiosk.sounding == .speaker && kiosk.status.volume == 45)
    kiosk.plug("JACK")
    #expect(kiosk.status.volume == 45)
  }

  @Test("H3.2, H3.4: a selector that is turned while the timetable's playlist waits counts more")
  func selectorMeanwhile() {
    let selectors = ["english", "deutsch"].map { Line(name: $0, role: .selector(playlist: $0, released: nil)) }
    let kiosk = Self.kiosk(plugged: ["JACK"], selectors: selectors)
    kiosk.pressOnce(.play, then: .seconds(5))
    kiosk.feed(.timetable(Self.evening))
    kiosk.edge("deutsch", true, then: .seconds(1))
    kiosk.unplug("JACK", then: .seconds(601))
    #expect(kiosk.status.playlist == "deutsch" && kiosk.status.state == .stopped)
  }

  @Test("H3.4: a contact that keeps music, the sleep timer's fade and the track at closing are heard to their ends")
  func kept() {
    let seat = Line(name: "SEAT", role: .button(.playlist("deutsch")), manners: Manners(.while))
    let held = Self.kiosk(selectors: [seat])
    held.edge("SEAT", true, then: .seconds(5))
    held.feed(.timetable(Self.evening), then: .seconds(1))
    #expect(held.status.playlist == "deutsch" && held.sounding == .speaker)
    held.edge("SEAT", false, then: .seconds(1))
    #expect(held.status.playlist == "english" && held.sounding == nil)
    let asleep = Self.kiosk()
    asleep.type("play")
    asleep.type("sleep 5s", then: .seconds(8))
    asleep.feed(.timetable(Self.evening), then: .seconds(1))
    #expect(asleep.status.playlist == "deutsch" && asleep.sounding == .speaker)
    asleep.wait(.seconds(10))
    #expect(asleep.status.playlist == "english" && asleep.sounding == nil)
    let closing = Self.kiosk(hours: HoursRows.open) { $0.hours = HoursSettings(WeekCalendar(), closing: .track) }
    closing.type("play", then: .seconds(5))
    closing.feed(.hours(HoursRows.closed))
    closing.feed(.timetable(Self.evening), then: .seconds(10))
    #expect(closing.sounding == .speaker && closing.status.playlist == "deutsch")
    closing.wait(.seconds(60))
    #expect(closing.sounding == nil && closing.status.playlist == "english")
  }

  @Test("H3.3: every port has the volume at once, and the next visitor finds it; the ceiling stands")
  func volume() {
    let kiosk = Self.kiosk()
    kiosk.type("volume 20")
    kiosk.type("volume headphones 70")
    kiosk.feed(.timetable(Self.evening))
    #expect(kiosk.status.volume == 45)
    #expect(kiosk.names(.volumeChanged).suffix(3).allSatisfy { $0["cause"] == "timetable" && $0["volume"] == "45" })
    kiosk.pressOnce(.volumeUp)
    #expect(kiosk.status.volume == 50)
    kiosk.wait(.seconds(601))
    #expect(kiosk.status.volume == 45)
    let loud = Kiosk(timetable: TimetableState(volume: TimetableMoment(0, Self.day))) {
      $0.timetable = [TimetableEntry(.volume(100), .at([Kiosk.dailyTime]))]
    }
    #expect(loud.status.volume == 50)
  }

  @Test("H3.3: what a visitor has set at a private port stays until the visit ends")
  func ownVolume() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.pressOnce(.volumeUp)
    #expect(kiosk.status.volume == 35)
    kiosk.feed(.timetable(Self.evening))
    #expect(kiosk.status.volume == 35)
    kiosk.unplug("JACK")
    #expect(kiosk.status.volume == 45)
    kiosk.plug("JACK")
    #expect(kiosk.status.volume == 35)
    kiosk.unplug("JACK", then: .seconds(11))
    kiosk.plug("JACK")
    #expect(kiosk.status.volume == 45)
  }

  @Test("H3.5, H5.3: a start that comes while the sleep timer fades ends the fade")
  func startInFade() {
    let kiosk = Self.kiosk()
    kiosk.type("play")
    kiosk.type("sleep 40s", then: .seconds(42))
    kiosk.feed(.scheduled(Self.moment(4)), then: .seconds(30))
    #expect(kiosk.sounding == .speaker && kiosk.engine.duck == 0 && kiosk.last(.sleepEnded) == nil)
  }

  @Test("V2.1, T4.4: where the timetable names a playlist that is not there, the next visitor finds all the music")
  func playlistIsNotThere() {
    let kiosk = Self.kiosk(state: TimetableState(playlist: Self.moment(6)))
    kiosk.pressOnce(.play, then: .seconds(5))
    kiosk.type("stop", then: .seconds(601))
    #expect(kiosk.names(.visitEnded).count == 1 && kiosk.status.trackCount == Kiosk.folders.count)
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .speaker)
    // That is nobody's choice, and a contact that lets others finish may begin (O2).
    #expect(!kiosk.jukebox.player.isTaken(selected: "nowhere"))
  }
}

import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Quiet hours (H4 rows). The speaker's ceiling is 50, that of the headphones 80; volumes begin at 60.
@Suite struct QuietRows {
  private static let quiet = HoursReport.known(isWithin: true, until: HoursRows.morning)
  private static let loud = HoursReport.known(isWithin: false, until: HoursRows.evening)

  private static func kiosk(
    _ report: HoursReport? = loud, plugged: Set<String> = [], saved: SavedState? = nil, knobs: [Knob] = [],
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    Kiosk(plugged: plugged, saved: saved.map { .state($0) } ?? .nothing, knobs: knobs, quiet: report) {
      $0.quiet = QuietSettings(WeekCalendar(), ceiling: 40)
      change(&$0)
    }
  }

  private static func playing(
    plugged: Set<String> = [], knobs: [Knob] = [], _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = kiosk(plugged: plugged, knobs: knobs, change)
    kiosk.pressOnce(.play, then: .seconds(5))
    kiosk.forget()
    return kiosk
  }

  /// The volumes that the engine was told, in order.
  private static func volumes(_ kiosk: Kiosk) -> [Int] {
    kiosk.commands.compactMap { command in
      switch command {
      case .volume(let volume), .route(.some, let volume): volume
      default: nil
      }
    }
  }

  // MARK: - Down and back

  @Test("H4: what sounds goes down to the ceiling within the fade, a point after the other")
  func down() {
    let kiosk = Self.playing()
    kiosk.feed(.quiet(Self.quiet))
    let line = kiosk.last(.quietBegan)
    #expect(line?["ceiling"] == "40" && line?["until"] == "1970-01-02 09:00")
    #expect(line?["port"] == "speaker" && line?["volume"] == "40" && line?["from"] == "50")
    #expect(Self.volumes(kiosk) == [])
    kiosk.wait(.milliseconds(999))
    #expect(Self.volumes(kiosk) == [])
    kiosk.wait(.milliseconds(1))
    #expect(Self.volumes(kiosk) == [49])
    kiosk.wait(.seconds(60))
    #expect(Self.volumes(kiosk) == Array((40...49).reversed()) && kiosk.names(.volumeChanged).isEmpty)
    #expect(kiosk.timers[.quiet] == nil)
  }

  @Test("H4: without a fade, and on every port; what is softer is left alone")
  func ports() {
    let kiosk = Self.playing(plugged: ["JACK"]) { $0.quiet?.fade = .zero }
    kiosk.type("volume speaker 30")
    kiosk.feed(.quiet(Self.quiet))
    #expect(Self.volumes(kiosk) == [40] && kiosk.status.volume == 40)
    kiosk.unplug("JACK", then: .seconds(1))
    #expect(kiosk.status.volume == 30)
    let soft = Self.playing()
    soft.type("volume 40")
    soft.forget()
    soft.feed(.quiet(Self.quiet))
    #expect(soft.commands == [] && soft.timers[.quiet] == nil)
    #expect(soft.last(.quietBegan)?["port"] == nil && soft.last(.quietBegan)?["ceiling"] == "40")
  }

  @Test("H4: a page and an alarm are spoken under it, too")
  func pages() {
    let kiosk = Self.kiosk(Self.quiet)
    kiosk.type("cue call")
    #expect(kiosk.engine.volume == 40)
  }

  @Test("H4.1: what was heard before comes back by such a fade")
  func back() {
    let kiosk = Self.playing(plugged: ["JACK"])
    kiosk.type("volume 70")
    kiosk.feed(.quiet(Self.quiet), then: .seconds(20))
    kiosk.forget()
    kiosk.feed(.quiet(Self.loud))
    let line = kiosk.last(.quietEnded)
    #expect(line?["ceiling"] == nil && line?["volume"] == "70" && line?["from"] == "40")
    #expect(Self.volumes(kiosk) == [])
    kiosk.wait(.seconds(20))
    #expect(Self.volumes(kiosk) == Array(41...70) && kiosk.timers[.quiet] == nil)
  }

  @Test("H4.1: it turns on its way, and goes on from where it is")
  func turns() {
    let kiosk = Self.playing()
    kiosk.feed(.quiet(Self.quiet), then: .milliseconds(5_100))
    #expect(Self.volumes(kiosk).last == 45)
    kiosk.forget()
    kiosk.feed(.quiet(Self.loud), then: .seconds(5))
    kiosk.feed(.quiet(Self.quiet), then: .seconds(20))
    let found = Self.volumes(kiosk)
    #expect(found.max() ?? 0 < 60 && found.last == 40 && found.first == 46)
    #expect(zip(found, found.dropFirst()).allSatisfy { abs($0 - $1) == 1 })
  }

  // MARK: - Volumes that somebody sets

  @Test("H4.2: more than the ceiling is refused, and what was louder comes back behind it")
  func refused() {
    let kiosk = Self.playing(plugged: ["JACK"])
    kiosk.feed(.quiet(Self.quiet), then: .seconds(20))
    kiosk.forget()
    kiosk.press(.volumeUp)
    kiosk.type("volume 75")
    kiosk.type("volume +5")
    #expect(kiosk.names(.volumeChanged).isEmpty && Self.volumes(kiosk) == [] && kiosk.status.volume == 40)
    #expect(kiosk.replies.last == "volume 40: the ceiling of the quiet hours")
    kiosk.feed(.quiet(Self.loud), then: .seconds(20))
    #expect(kiosk.status.volume == 60 && kiosk.engine.volume == 60)
    kiosk.type("volume 90")
    #expect(kiosk.replies.last == "volume 80: the ceiling of headphones")
  }

  @Test("H4.2: who makes it softer than the ceiling has it so afterwards, too")
  func softer() {
    let kiosk = Self.playing(plugged: ["JACK"])
    kiosk.feed(.quiet(Self.quiet), then: .seconds(20))
    kiosk.press(.volumeDown)
    #expect(kiosk.last(.volumeChanged)?["from"] == "40" && kiosk.last(.volumeChanged)?["volume"] == "35")
    kiosk.forget()
    kiosk.feed(.quiet(Self.loud), then: .seconds(20))
    #expect(Self.volumes(kiosk) == [] && kiosk.status.volume == 35)
  }

  @Test("H4.2, G4: a knob that is turned on and on winds nothing up")
  func knob() {
    let kiosk = Self.playing(plugged: ["JACK"], knobs: [Knob(name: "VOLUME")])
    kiosk.feed(.knob(KnobID(0), .position(a: false, b: false, at: kiosk.now)))
    kiosk.feed(.quiet(Self.quiet), then: .seconds(20))
    kiosk.forget()
    kiosk.turn(6, every: .milliseconds(200))
    #expect(Self.volumes(kiosk) == [])
    kiosk.turn(-1, every: .milliseconds(200))
    #expect(Self.volumes(kiosk) == [35])
  }

  @Test("H4.2: the end of a visit forgets what was louder, and a volume that was saved is not lowered for good")
  func visits() {
    let kiosk = Self.playing(plugged: ["JACK"])
    kiosk.type("volume 80")
    kiosk.feed(.quiet(Self.quiet), then: .seconds(20))
    kiosk.pressOnce(.stop)
    kiosk.unplug("JACK", then: .seconds(20))
    kiosk.plug("JACK", then: .seconds(1))
    #expect(kiosk.status.volume == 40)
    kiosk.feed(.quiet(Self.loud))
    #expect(kiosk.status.volume == 60)
    let saved = SavedState(volumes: [.headphones: 70], track: nil, frame: 0, intent: .stopped, port: nil)
    let next = Self.kiosk(Self.quiet, plugged: ["JACK"], saved: saved) { $0.visitGap = .zero }
    #expect(next.status.volume == 40)
    next.type("next", then: .seconds(10))
    #expect(next.saves.last?.volumes == [.headphones: 70])
    next.feed(.quiet(Self.loud))
    #expect(next.status.volume == 70)
  }

  // MARK: - In silence

  @Test("H4.3: in silence, at a boot and right after a wake there is no fade")
  func silence() {
    let kiosk = Self.kiosk()
    kiosk.feed(.quiet(Self.quiet))
    #expect(kiosk.timers[.quiet] == nil)
    kiosk.pressOnce(.play)
    #expect(kiosk.sounding == .speaker && kiosk.engine.volume == 40)
    let saved = SavedState(volumes: [:], track: "1.mp3", frame: 0, intent: .playing, port: .speaker)
    let boot = Self.kiosk(Self.quiet, saved: saved) { $0.playOnBoot = true }
    #expect(boot.sounding == .speaker && boot.names(.quietBegan).count == 1 && boot.timers[.quiet] == nil)
    #expect(Self.volumes(boot).allSatisfy { $0 == 40 })
    let asleep = Self.playing()
    asleep.feed(.woke(asserted: [], slept: .zero))
    asleep.feed(.quiet(Self.quiet))
    #expect(Self.volumes(asleep) == [40])
    let awake = Self.playing()
    awake.feed(.woke(asserted: [], slept: .zero), then: .milliseconds(1_001))
    awake.feed(.quiet(Self.quiet))
    #expect(Self.volumes(awake) == [])
  }

  @Test("H4.3: what falls silent on its way is heard under the ceiling next")
  func fallsSilent() {
    let kiosk = Self.playing()
    kiosk.feed(.quiet(Self.quiet), then: .seconds(3))
    kiosk.pressOnce(.play, then: .milliseconds(100))
    #expect(kiosk.engine.volume == 40 && kiosk.timers[.quiet] == nil)
    kiosk.forget()
    kiosk.feed(.quiet(Self.loud))
    kiosk.pressOnce(.play)
    #expect(Self.volumes(kiosk) == [50])
  }

  @Test("H4.4: while it fades, the volume is where it goes, and steps go on from there")
  func decisions() {
    let kiosk = Self.playing(plugged: ["JACK"])
    kiosk.feed(.quiet(Self.quiet), then: .seconds(1))
    #expect(kiosk.status.volume == 40 && kiosk.engine.volume == 58)
    kiosk.press(.volumeUp)
    #expect(kiosk.names(.volumeChanged).isEmpty)
    kiosk.wait(.seconds(20))
    kiosk.feed(.quiet(Self.loud), then: .seconds(1))
    #expect(kiosk.status.volume == 60 && kiosk.engine.volume == 42)
    kiosk.press(.volumeUp)
    #expect(kiosk.last(.volumeChanged)?["volume"] == "65" && kiosk.last(.volumeChanged)?["from"] == "60")
    kiosk.wait(.seconds(20))
    #expect(kiosk.engine.volume == 65)
  }

  // MARK: - The clock

  @Test("H4.5: nobody knows the time: not quiet, said once; then it fades")
  func unknown() {
    let kiosk = Self.kiosk(.unknown)
    #expect(kiosk.names(.quietUnknown).count == 1 && kiosk.status.line.hasSuffix(" quiet=unknown quiet-ceiling=40"))
    kiosk.pressOnce(.play, then: .seconds(1))
    #expect(kiosk.engine.volume == 50)
    kiosk.feed(.quiet(Self.quiet), then: .seconds(10))
    #expect(kiosk.engine.volume == 40 && kiosk.names(.quietUnknown).count == 1)
    #expect(kiosk.status.line.hasSuffix(" quiet=on quiet-ceiling=40 quiet-until=\"1970-01-02 09:00\""))
    kiosk.feed(.quiet(Self.quiet))
    #expect(kiosk.names(.quietBegan).count == 1)
    #expect(Kiosk().status.quiet == nil && !Kiosk().status.line.contains("quiet"))
  }

  @Test("H4.6: under a cue, under closing and while it goes to sleep the fade goes on, and so do those")
  func crossings() {
    let kiosk = Self.playing()
    kiosk.type("cue welcome")
    kiosk.feed(.quiet(Self.quiet))
    kiosk.type("sleep 12s", then: .milliseconds(2_500))
    #expect(kiosk.engine.volume == 48)
    kiosk.wait(.seconds(8))
    #expect(kiosk.engine.volume == 40 && kiosk.sounding == .speaker)
    kiosk.wait(.seconds(20))
    #expect(kiosk.sounding == nil && kiosk.status.state == .paused)
    kiosk.type("play")
    #expect(kiosk.engine.volume == 40)
  }
}

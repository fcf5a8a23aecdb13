import AudioSession
import Files
import Jukebox
import Testing

@testable import Storage

@Suite struct StateTextTests {
  static let full = SavedState(
    volumes: [.headphones: 0, .lineOut: 100, .speaker: 42], track: "1 Waltz.mp3", frame: 123_456_789, intent: .paused,
    port: .lineOut, seed: .max - 5, override: .port(.speaker), category: .ambient, played: 1_234_567)

  private func error(_ text: String) -> String? { error(Array(text.utf8)) }

  private func error(_ bytes: [UInt8]) -> String? {
    do throws(FileError) {
      _ = try StateText.decode(bytes, file: "s")
      return nil
    } catch {
      return error.description
    }
  }

  @Test("the checksum is that of zlib")
  func checksum() {
    #expect(CRC32.of(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    #expect(CRC32.of([]) == 0)
  }

  @Test("W1: every state comes back as it was written")
  func whole() throws {
    var states = [Self.full, SavedState(volumes: [:], track: nil, frame: 0, intent: .stopped, port: nil)]
    states.append(SavedState(volumes: [:], track: "", frame: 1, intent: .playing, port: .usb, seed: 0, override: .auto))
    var places = Self.full
    places.playlist = "deutsch \"A\""
    places.places = [
      PlaylistPlace(playlist: "b.c", track: "b.c/1.mp3", frame: 7),
      PlaylistPlace(playlist: "夜\n", track: "夜\n/烏", frame: 0),
    ]
    states.append(places)
    var done = places
    done.doneCues = [
      DoneCue(
        cue: "closing time", date: CalendarDay(year: 2026, month: 11, day: 26),
        times: [TimeOfDay(hour: 9, minute: 0), TimeOfDay(hour: 17, minute: 5)]),
      DoneCue(
        cue: "夜\n\"a.b\" # c", date: CalendarDay(year: 1969, month: 12, day: 31),
        times: [TimeOfDay(hour: 0, minute: 0)]),
    ]
    states.append(done)
    for hours in [
      HoursMemory(), HoursMemory(until: 1_795_802_400), HoursMemory(until: 0, order: .closed),
      HoursMemory(order: .open),
    ] {
      done.hours = hours
      states.append(done)
    }
    for state in states { #expect(try StateText.decode(StateText.encode(state), file: "s") == state) }
  }

  @Test(
    "W1: whatever a track is called",
    arguments: ["1 Waltz.mp3", "quote\" back\\slash.mp3", "line\nbreak\ttab\u{1b}[31m\u{7f}.mp3", "夜の烏 👩‍👩‍👧.mp3"])
  func names(name: String) throws {
    var state = Self.full
    state.track = name
    #expect(try StateText.decode(StateText.encode(state), file: "s") == state)
  }

  @Test("the text is TOML that people can read")
  func text() {
    let expected = """
      version = 2
      intent = "paused"
      frame = 123456789
      played = 1234567
      track = "1 Waltz.mp3"
      port = "line-out"
      seed = -6
      route = "speaker"
      category = "ambient"
      [volumes]
      headphones = 0
      line-out = 100
      speaker = 42
      # crc-32 
      """
    #expect(String(decoding: StateText.encode(Self.full), as: UTF8.self).hasPrefix(expected))
  }

  @Test("a state of the first version, which has no checksum, is read")
  func firstVersion() throws {
    let text = "intent = \"playing\"\nframe = 88200\ntrack = \"a\"\nport = \"speaker\"\n[volumes]\nspeaker = 30\n"
    let expected = SavedState(
      volumes: [.speaker: 30], track: "a", frame: 88_200, intent: .playing, port: .speaker)
    #expect(try StateText.decode(Array(text.utf8), file: "s") == expected)
    #expect(error("seed = 1\n" + text) == "s:1: seed: unknown key, expected track, frame, intent, port or volumes")
  }

  @Test("N6: cues that are done stand in comments, which programs that do not know of them pass over")
  func doneCues() throws {
    var state = Self.full
    let day = CalendarDay(year: 2026, month: 11, day: 26)
    let times = [9, 12, 15].map { TimeOfDay(hour: $0, minute: 0) }
    state.doneCues = [DoneCue(cue: "closing", date: day, times: times)]
    let text = String(decoding: StateText.encode(state), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.contains("# done.\"closing\" = { date = \"2026-11-26\", at = \"15:00\" }"))
    #expect(lines.dropLast().last == "# earlier.\"closing\" = { at = [\"09:00\", \"12:00\"] }")
    let others = lines.filter { !$0.hasPrefix("#") }.map { $0 + "\n" }.joined()
    #expect(try StateText.decode(StateText.sealed(Array(others.utf8)), file: "s") == Self.full)
  }

  @Test("H1.7: what staff has said of the hours stands in a comment, too, and an error in it names line and field")
  func hours() {
    var state = Self.full
    state.hours = HoursMemory(until: 1_795_802_400, order: .closed)
    let lines = String(decoding: StateText.encode(state), as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.dropLast().last == "# hours = { until = 1795802400, order = \"closed\" }")
    let wrong = StateText.sealed(Array("version = 2\nintent = \"paused\"\n# hours = { order = \"shut\" }\n".utf8))
    #expect(error(wrong) == "s:3: hours.order: \"shut\" is unknown, expected open, closed or auto")
  }

  @Test("J5: the request that plays stands in a comment, too")
  func request() throws {
    var state = SavedState(volumes: [:], track: "a.mp3", frame: 5, intent: .playing, port: .speaker)
    state.request = RequestPlace(number: 17, frame: 441_000)
    let encoded = StateText.encode(state)
    let lines = String(decoding: encoded, as: UTF8.self).split(separator: "\n")
    #expect(lines.dropLast().last == "# request = { number = 17, frame = 441000 }")
    #expect(try StateText.decode(encoded, file: "s") == state)
    let text = "version = 2\nintent = \"paused\"\n# request = { number = 0, frame = 1 }\n"
    #expect(
      error(StateText.sealed(Array(text.utf8))) == "s:3: request.number: 0 is out of range, expected 1...\(1 << 40)")
  }

  @Test("H3.7: what the timetable has done stands in a comment, too")
  func timetable() throws {
    var state = Self.full
    state.timetable = TimetableMemory(playlist: "a \"b\"", playlistSince: 1_795_802_400, volume: 40, volumeSince: 0)
    let lines = String(decoding: StateText.encode(state), as: UTF8.self).split(separator: "\n").map(String.init)
    let since = "playlist-since = 1795802400"
    #expect(
      lines.dropLast().last == "# timetable = { playlist = \"a \\\"b\\\"\", \(since), volume = 40, volume-since = 0 }")
    #expect(try StateText.decode(StateText.encode(state), file: "s") == state)
    state.timetable = TimetableMemory(isFree: false, freeSince: 8, started: 7, stopped: -1)
    #expect(try StateText.decode(StateText.encode(state), file: "s") == state)
    let wrong = StateText.sealed(Array("version = 2\nintent = \"paused\"\n# timetable = { volume = 101 }\n".utf8))
    #expect(error(wrong) == "s:3: timetable.volume: 101 is out of range, expected 0...100")
  }

  @Test("N6: an error in a cue that is done names line and field")
  func doneCueFaults() {
    func error(of line: String) -> String? {
      self.error(StateText.sealed(Array("version = 2\nintent = \"paused\"\n\(line)\n".utf8)))
    }
    #expect(
      error(of: "# done.a = { date = \"2026-02-30\", at = \"17:45\" }")
        == "s:3: done.a.date: \"2026-02-30\" is no date, expected a date such as \"2026-11-26\"")
    #expect(
      error(of: "# done.a = { date = \"2026-02-03\" }")
        == "s:3: done.a.at: missing, expected a time of day \"00:00\"...\"23:59\"")
    #expect(
      error(of: "# done.a = { date = \"2026-02-03\", at = \"17:45\", on = 1 }")
        == "s:3: done.a.on: unknown key, expected date or at")
    #expect(error(of: "# done.a = 1") == "s:3: done.a: found 1, expected a table")
    #expect(error(of: "# done is not done") == nil)
    #expect(error(of: "# done. = ")?.hasPrefix("s:3: ") == true)
  }

  @Test("W3: no byte can change without being noticed")
  func flips() throws {
    let good = StateText.encode(Self.full)
    for place in good.indices {
      for bit in 0..<8 {
        var bad = good
        bad[place] ^= 1 << UInt8(bit)
        #expect(error(bad) != nil, "bit \(bit) of byte \(place)")
      }
    }
  }

  @Test("W3: no part of a state is taken for a whole one, nor is one that ends in zeros")
  func torn() {
    let good = StateText.encode(Self.full)
    for count in 0..<(good.count - 1) {
      let part = Array(good.prefix(count))
      #expect(error(part) != nil, "the first \(count) bytes")
      #expect(error(part + [UInt8](repeating: 0, count: good.count - count)) != nil, "zeros from byte \(count) on")
    }
  }

  @Test("W3: what only a newer version knows is as if it were not there, and the rest is read")
  func newerWords() throws {
    let text = """
      version = 2
      intent = "paused"
      track = "a.mp3"
      port = "ceiling"
      route = "ceiling"
      category = "karaoke"
      [volumes]
      ceiling = 30
      speaker = 40

      """
    let state = try StateText.decode(StateText.sealed(Array(text.utf8)), file: "s")
    #expect(state.track == "a.mp3" && state.intent == .paused && state.volumes == [.speaker: 40])
    #expect(state.port == nil && state.override == nil && state.category == nil)
    #expect(error(StateText.sealed(Array("version = 2\nintent = \"paused\"\nport = 7\n".utf8))) != nil)
  }

  @Test("W3: errors name line and field")
  func faults() {
    func signed(_ text: String) -> [UInt8] {
      let sum = String(CRC32.of(Array(text.utf8)[...]), radix: 16)
      return Array("\(text)# crc-32 \(String(repeating: "0", count: 8 - sum.count))\(sum)\n".utf8)
    }
    #expect(error("") == "s: is empty, expected a saved state")
    #expect(
      error("version = 2\nintent = \"paused\"\n# crc-32 00000000\n")
        == "s:3: crc-32: found \"00000000\", expected 97d609d7: the file is damaged")
    #expect(
      error("version = 2\nintent = \"paused\"\n")
        == "s:2: crc-32: missing, expected # crc-32 and 8 digits as the last line")
    #expect(error(signed("version = 3\nwhat = 1\n")) == "s:1: version: 3 is out of range, expected 1...2")
    #expect(error(signed("version = 2\n")) == "s:1: intent: missing, expected stopped, playing or paused")
    #expect(
      error(signed("version = 2\nintent = \"paused\"\nframe = 9223372036854775807\n"))
        == "s:3: frame: 9223372036854775807 is out of range, expected 0...1099511627776")
    #expect(
      error(signed("version = 2\nintent = \"paused\"\n[volumes]\nspeaker = 101\n"))
        == "s:4: volumes.speaker: 101 is out of range, expected 0...100")
  }
}

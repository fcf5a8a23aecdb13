import AudioSession
import Testing

@testable import Jukebox

@Suite struct EventTests {
  @Test("K5: an event is one line of time, level, name and fields")
  func line() {
    let event = Event(
      .routeChanged, .notice, ["reason": "override", "from": nil, "to": "speaker", "text": "a b"])
    #expect(
      event.line(at: Instant(nanoseconds: 12_345_678_999))
        == "12.345678 notice route.changed reason=override to=speaker text=\"a b\"")
    #expect(event["to"] == "speaker")
    #expect(event["from"] == nil)
  }

  @Test("The time stamp has six places, whatever the time")
  func stamps() {
    for (nanoseconds, text) in [
      (0, "0.000000"), (999, "0.000000"), (1_000, "0.000001"), (1_000_000_000, "1.000000"),
      (86_400_000_001_000, "86400.000001"),
    ] as [(Int64, String)] {
      #expect(Instant(nanoseconds: nanoseconds).logStamp == text)
    }
  }

  @Test("A plain word stands bare; anything else is quoted, in printable ASCII, and cannot forge a line")
  func quoting() {
    let values = [
      ("plain-1.mp3", "plain-1.mp3"), ("", "\"\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""),
      ("say \"hi\"", "\"say \\\"hi\\\"\""), ("back\\slash", "\"back\\\\slash\""), ("a\nb", "\"a\\nb\""),
      ("a\rb\tc", "\"a\\rb\\tc\""), ("\r\n", "\"\\r\\n\""), ("\u{1b}[2J", "\"\\u{1b}[2J\""),
      ("é", "\"\\u{e9}\""), ("e\u{301}", "\"e\\u{301}\""), ("\u{7f}", "\"\\u{7f}\""), ("🎵", "\"\\u{1f3b5}\""),
    ]
    for (value, text) in values {
      #expect(Event.quoted(value) == text)
      #expect(text.utf8.allSatisfy { (0x20...0x7e).contains($0) })
    }
  }

  @Test("In UTF-8 letters stand as they are, and what controls a terminal or cannot be seen is escaped")
  func unicode() {
    let values = [
      ("plain-1.mp3", "plain-1.mp3"), ("é", "\"é\""), ("夜の烏", "\"夜の烏\""), ("Größe – Ω 🎵", "\"Größe – Ω 🎵\""),
      ("e\u{301}x", "\"e\u{301}x\""), ("\u{301}x", "\"\\u{301}x\""),
      ("e\u{301}\u{302}\u{303}", "\"e\u{301}\u{302}\\u{303}\""), ("\u{1b}[2J", "\"\\u{1b}[2J\""),
      ("a\u{202e}b", "\"a\\u{202e}b\""), ("a\u{2066}b", "\"a\\u{2066}b\""), ("a\u{200b}b", "\"a\\u{200b}b\""),
      ("a\u{ad}b", "\"a\\u{ad}b\""), ("a\u{3164}b", "\"a\\u{3164}b\""), ("a\u{2028}b", "\"a\\u{2028}b\""),
      ("a\u{a0}b", "\"a\\u{a0}b\""), ("a\u{85}b", "\"a\\u{85}b\""), ("a\u{e000}b", "\"a\\u{e000}b\""),
      ("é\"\\\n", "\"é\\\"\\\\\\n\""),
    ]
    for (value, text) in values { #expect(Event.quoted(value, unicode: true) == text) }
    let event = Event(.trackStarted, .info, ["title": "Ü"])
    #expect(event.line(at: .powerOn) == "0.000000 info track.started title=\"\\u{dc}\"")
    #expect(event.line(at: .powerOn, unicode: true) == "0.000000 info track.started title=\"Ü\"")
  }

  @Test("Names are words of small letters joined by dots, each used once")
  func names() {
    let names = EventName.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
    for name in names {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      #expect(parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { ("a"..."z").contains($0) } })
    }
  }
}

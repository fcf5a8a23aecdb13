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

import JSON
import Testing

@testable import FleetMessages

/// Which versions there are to be installed.
@Suite struct OfferTests {
  @Test(
    "F9: an offer is two words; whatever else stands there is none",
    arguments: [
      ("0.1.0 0.2.0", Offer(installed: "0.1.0", latest: "0.2.0")), (" a\tb \n", Offer(installed: "a", latest: "b")),
      ("", nil), ("0.1.0", nil), ("a b c", nil), ("a b\u{1B}[2J", nil),
      ("a " + String(repeating: "b", count: 101), nil),
    ])
  func reading(text: String, offer: Offer?) { #expect(Offer(text) == offer) }

  @Test("F9: the newest software is told beside the version that runs, and not beside another one")
  func software() throws {
    var bench = FleetBench.up()
    bench.feed(.offers(Offers(software: Offer(installed: "0.1.0", latest: "0.2.0"))))
    #expect(try bench.last("info")?["latest"]?.string == "0.2.0")
    bench.forget()
    bench.feed(.offers(Offers(software: Offer(installed: "0.1.0", latest: "0.2.0"))))
    #expect(bench.published == [])
    bench.feed(.offers(Offers(software: Offer(installed: "0.0.9", latest: "0.2.0"))))
    #expect(try bench.last("info")?["version"]?.string == "0.1.0")
    #expect(try bench.last("info")?["latest"] == nil)
  }

  @Test("F9: the exhibition that is installed and the newest are told, whatever was told of them before")
  func exhibition() throws {
    var bench = FleetBench.up()
    bench.feed(.offers(Offers(exhibition: Offer(installed: "none", latest: "exhibition_7"))))
    #expect(try bench.last("content")?["exhibition"]?.string == "none")
    #expect(try bench.last("content")?["latest"]?.string == "exhibition_7")
    #expect(try bench.last("content")?["state"]?.string == "idle")
    let kept =
      #"{"state":"refused","exhibition":"exhibition_3","latest":"exhibition_3","name":null,"reason":"bad signature"}"#
    bench.feed(.message(FleetMessage("jackdaw/b7/content", kept, isRetained: true)))
    #expect(try bench.last("content")?["latest"]?.string == "exhibition_7")
    #expect(try bench.last("content")?["reason"]?.string == "bad signature")
    bench.feed(.offers(Offers(exhibition: Offer(installed: "exhibition_7", latest: "exhibition_7"))))
    #expect(try bench.last("content")?["exhibition"]?.string == "exhibition_7")
  }

  @Test("F9: an update can be asked for where the board can look, and not of one that only tells")
  func installing() throws {
    for (canLook, tellsOnly) in [(true, false), (false, false), (true, true)] {
      var bench = FleetBench { ($0.canLook, $0.tellsOnly) = (canLook, tellsOnly) }
      bench.feed(.brokerUp, .controlUp, .line("ok"), .line(FleetBench.board), .line(FleetBench.state()))
      let message = try #require(bench.published.last { $0.topic.hasPrefix("homeassistant/") })
      let entities = try JSONValue(parsing: message.payload.utf8)["cmps"]
      #expect((entities?["software"]?["cmd_t"]?.string == "jackdaw/b7/set/update") == (canLook && !tellsOnly))
      #expect((entities?["exhibition"]?["cmd_t"]?.string == "jackdaw/b7/set/content") == (canLook && !tellsOnly))
    }
  }
}

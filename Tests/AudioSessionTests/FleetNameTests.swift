import AudioSession
import Testing

@Suite struct FleetNameTests {
  @Test(
    "F3: an id is a word that can stand in a topic",
    arguments: [
      ("b7", true), ("10000000a3b4c5d6", true), ("a_b-C", true), ("", false), ("a/b", false), ("#", false),
      ("+", false),
      ("all", false), ("group", false), ("ü", false), (String(repeating: "a", count: 65), false),
    ])
  func ids(text: String, isID: Bool) { #expect(FleetName.isID(text) == isID) }
}

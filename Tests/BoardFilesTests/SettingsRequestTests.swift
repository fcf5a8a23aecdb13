import Jukebox
import Testing

@testable import BoardFiles

/// Requests and credits in the settings (J rows).
@Suite struct SettingsRequestTests {
  private func read(_ text: String) throws -> RequestSettings? {
    try SettingsFile.parse(Array(text.utf8), file: "s.toml").settings.requests
  }

  private func error(_ text: String) -> String? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("J1, J2, J3: what the settings say of requests and credits")
  func all() throws {
    #expect(try read("") == nil && read("choice = \"now\"") == nil)
    #expect(try read("choice = \"queue\"") == RequestSettings())
    var expected = RequestSettings()
    (expected.after, expected.limit, expected.twice, expected.background) = (.background, 9, .allow, "lounge")
    var credits = CreditSettings()
    (credits.coins, credits.isFree) = ([1: 1, 2: 2, 5: 6], true)
    expected.credits = credits
    expected.attract = AttractSettings(after: .seconds(1_200), playlist: "hits", volume: 30)
    let text = """
      choice = "queue"
      after_requests = "background"
      requests_limit = 9
      request_twice = "allow"
      background = "lounge"
      attract = "20min"
      attract_playlist = "hits"
      attract_volume = 30
      [credits]
      coins = { 1 = 1, 2 = 2, 5 = 6 }
      free_play = true
      """
    #expect(try read(text) == expected)
    #expect(try read("choice = \"queue\"\n[credits]\n")?.credits == CreditSettings())
  }

  @Test(
    "J1, J3: what is wrong in them is named by file, line and field",
    arguments: [
      ("choice = \"later\"", "s.toml:1: choice: \"later\" is unknown, expected now or queue"),
      (
        "requests_limit = 5",
        "s.toml:1: requests_limit: stands without requests, expected `choice = \"queue\"` beside it"
      ),
      ("[credits]", "s.toml:1: credits: stands without requests, expected `choice = \"queue\"` beside it"),
      (
        "choice = \"queue\"\nrequests_limit = 0",
        "s.toml:2: requests_limit: 0 is out of range, expected 1...500"
      ),
      (
        "choice = \"queue\"\nattract = \"20min\"",
        "s.toml:2: attract: stands alone, expected `attract_playlist` beside it"
      ),
      ("choice = \"queue\"\nattract = 0", nil),
      (
        "choice = \"queue\"\nattract_playlist = \"hits\"",
        "s.toml:2: attract_playlist: stands alone, expected `attract` beside it"
      ),
      (
        "choice = \"queue\"\nattract_volume = 20",
        "s.toml:2: attract_volume: stands alone, expected `attract` beside it"
      ),
      (
        "choice = \"queue\"\nattract = \"20s\"\nattract_playlist = \"hits\"",
        "s.toml:2: attract: \"20s\" is out of range, expected 0 or 1min...24h"
      ),
      (
        "choice = \"queue\"\n[credits]\ncoins = { x = 1 }",
        "s.toml:3: credits.coins.x: is no number of pulses, expected 1...100"
      ),
      (
        "choice = \"queue\"\n[credits]\ncoins = { 2 = 0 }",
        "s.toml:3: credits.coins.2: 0 is out of range, expected 1...999"
      ),
      (
        "choice = \"queue\"\n[credits]\ncoins = {}",
        "s.toml:3: credits.coins: names no coin, expected such as { 1 = 1, 2 = 2, 5 = 6 }"
      ),
    ])
  func faults(text: String, expected: String?) {
    #expect(error(text) == expected)
  }
}

import Jukebox
import PacedCards
import Testing

@testable import KioskTestSupport

/// Pages through real libasound calls, on cards as their drivers are.
@Suite struct RealInterruptionTests {
  static let kinds = RealCardTests.cards + RealReactionTests.kinds

  @Test(
    "I10, I11: the music goes on at the frame at which its fade began, whatever the policy and however soon a page comes",
    arguments: kinds, Settings.InterruptionPolicy.allCases)
  func pages(kind: String, policy: Settings.InterruptionPolicy) throws {
    let kiosk = try #require(
      PacedKiosk.counting(policy) { card in
        for fault in kind.split(separator: ",") { #expect(card.suffer(String(fault))) }
      })
    kiosk.type("play")
    for time in stride(from: Int64(20), to: 1_000, by: 67) {
      kiosk.pass(.milliseconds(time))
      kiosk.type("interrupt begin page", then: .milliseconds(400))
      kiosk.type("interrupt end page resume")
    }
    kiosk.pass(.seconds(1))
    let missing = kiosk.hearing().joints.map(\.missing)
    // What fades out fades in again, so that no frame is lost, and none heard twice in full.
    #expect(missing.count == 15 && missing.allSatisfy { $0 == RealReactionTests.fadeIn }, "\(missing)")
  }
}

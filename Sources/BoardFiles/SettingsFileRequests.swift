import Files
import Jukebox

extension SettingsFile {
  /// `choice` and what belongs to it.
  static let requests = [
    SettingsKey("choice", .choice([("now", false), ("queue", true)])) {
      $0.settings.requests = $1 ? RequestSettings() : nil
    },
    SettingsKey("after_requests", .word) { $0.settings.requests?.after = $1 },
    SettingsKey("requests_limit", .integer(in: 1...500)) { $0.settings.requests?.limit = $1 },
    SettingsKey("request_twice", .word) { $0.settings.requests?.twice = $1 },
    SettingsKey("background", .text) { $0.settings.requests?.background = $1 },
    SettingsKey("attract", .duration(in: .seconds(60) ... .seconds(86_400), orZero: true)) {
      $0.settings.requests?.attract = $1 == .zero ? nil : AttractSettings(after: $1, playlist: "")
    },
    SettingsKey("attract_playlist", .text) { $0.settings.requests?.attract?.playlist = $1 },
    SettingsKey("attract_volume", .integer(in: 0...100)) { $0.settings.requests?.attract?.volume = $1 },
  ]

  /// `[credits]`, and whether `choice = "queue"` is there with what belongs to requests; the settings must have been
  /// read.
  static func readRequests(_ root: TOMLTable, into kiosk: inout KioskSettings) throws(FileError) {
    kiosk.creditsLine = root.line(of: "credits")
    let credits = try credits(root)
    kiosk.settings.requests?.credits = credits
    let isNever = root.has("attract") && kiosk.settings.requests != nil && kiosk.settings.requests?.attract == nil
    if root.has("attract") != root.has("attract_playlist") && !isNever {
      let (there, missing) = root.has("attract") ? ("attract", "attract_playlist") : ("attract_playlist", "attract")
      try root.keep(root.error(there, "stands alone, expected `\(missing)` beside it"))
    } else if root.has("attract_volume") && !root.has("attract") {
      try root.keep(root.error("attract_volume", "stands alone, expected `attract` beside it"))
    }
    if kiosk.settings.requests != nil { return }
    for key in requests.map(\.name) + ["credits"] where key != "choice" && root.has(key) {
      try root.keep(root.error(key, "stands without requests, expected `choice = \"queue\"` beside it"))
    }
  }

  /// `[credits]`: what coins are worth; nil: requests cost nothing.
  private static func credits(_ root: TOMLTable) throws(FileError) -> CreditSettings? {
    guard let table = try root.table("credits") else { return nil }
    try table.allowOnly(["coins", "free_play"])
    var credits = CreditSettings()
    credits.isFree = try table.optional("free_play", .boolean) ?? credits.isFree
    guard let coins = try table.table("coins") else { return credits }
    credits.coins = [:]
    for entry in coins.entries {
      guard let pulses = Int(entry.key), (1...100).contains(pulses), String(pulses) == entry.key else {
        try coins.keep(coins.error(entry.key, "is no number of pulses, expected 1...100"))
        continue
      }
      credits.coins[pulses] = try coins.required(entry.key, .integer(in: 1...999), or: 1)
    }
    if coins.entries.isEmpty { try coins.keep(coins.error("names no coin, expected such as { 1 = 1, 2 = 2, 5 = 6 }")) }
    return credits
  }
}

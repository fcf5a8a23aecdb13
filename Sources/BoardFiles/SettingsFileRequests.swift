import Files
import Jukebox

extension SettingsFile {
  static let requestKeys = [
    "after_requests", "requests_limit", "request_twice", "background", "attract", "attract_playlist", "attract_volume",
  ]

  /// `choice` and what belongs to it; nil: every choice cuts what plays.
  static func requests(_ root: TOMLTable) throws(FileError) -> RequestSettings? {
    let waits = try root.optional("choice", .choice([("now", false), ("queue", true)]))
    var requests = RequestSettings()
    requests.after = try root.optional("after_requests", .word) ?? requests.after
    requests.limit = try root.optional("requests_limit", .integer(in: 1...500)) ?? requests.limit
    requests.twice = try root.optional("request_twice", .word) ?? requests.twice
    requests.background = try root.optional("background", .text)
    requests.credits = try credits(root)
    requests.attract = try attraction(root)
    // Of a word that is wrong, nobody knows which was meant.
    if waits ?? root.has("choice") { return requests }
    for key in requestKeys + ["credits"] where root.has(key) {
      try root.keep(root.error(key, "stands without requests, expected `choice = \"queue\"` beside it"))
    }
    return nil
  }

  private static func attraction(_ root: TOMLTable) throws(FileError) -> AttractSettings? {
    let after = try root.optional("attract", .duration(in: .seconds(60) ... .seconds(86_400), orZero: true)) ?? .zero
    let playlist = try root.optional("attract_playlist", .text)
    let volume = try root.optional("attract_volume", .integer(in: 0...100))
    if root.has("attract") != root.has("attract_playlist") {
      let (there, missing) = root.has("attract") ? ("attract", "attract_playlist") : ("attract_playlist", "attract")
      try root.keep(root.error(there, "stands alone, expected `\(missing)` beside it"))
    } else if root.has("attract_volume") && !root.has("attract") {
      try root.keep(root.error("attract_volume", "stands alone, expected `attract` beside it"))
    }
    return playlist.flatMap { after > .zero ? AttractSettings(after: after, playlist: $0, volume: volume) : nil }
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

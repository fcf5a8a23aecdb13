import Files
import Jukebox

extension SettingsFile {
  static let requestKeys = ["after_requests", "requests_limit", "request_twice", "background"]

  /// `choice` and what belongs to it; nil: every choice cuts what plays.
  static func requests(_ root: TOMLTable) throws(FileError) -> RequestSettings? {
    let waits = try root.optional("choice", .choice([("now", false), ("queue", true)]))
    var requests = RequestSettings()
    requests.after = try root.optional("after_requests", .word) ?? requests.after
    requests.limit = try root.optional("requests_limit", .integer(in: 1...500)) ?? requests.limit
    requests.twice = try root.optional("request_twice", .word) ?? requests.twice
    requests.background = try root.optional("background", .text)
    requests.credits = try credits(root)
    // Of a word that is wrong, nobody knows which was meant.
    if waits ?? root.has("choice") { return requests }
    for key in requestKeys + ["credits"] where root.has(key) {
      try root.keep(root.error(key, "stands without requests, expected `choice = \"queue\"` beside it"))
    }
    return nil
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

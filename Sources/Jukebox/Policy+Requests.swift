import AudioSession

/// A chosen track waits its turn, and costs a credit where coins are taken (J rows).
extension Jukebox {
  // MARK: - Choosing

  /// Somebody has chosen this track.
  mutating func request(_ track: TrackID, _ turn: inout Turn) {
    guard let settings = configuration.settings.requests else { return }
    let name = player.name(of: track)
    if let refusal = refusal(of: name, settings) {
      turn.object(refusal.reply(accounts.ledger.requests.count))
      defer { if refusal == .twice { goOnWithRequests(&turn) } }
      return turn.log(
        .requestRefused, .notice, ["track": player.number(of: track), "file": name, "reason": refusal.rawValue])
    }
    accounts.accept(name, isFree: isFree)
    count(.requests, &turn)
    count(isFree ? .freeRequests : .creditsTaken, &turn)
  }

  /// It waits already, and somebody wants to hear it: what stands still for no other reason goes on.
  private mutating func goOnWithRequests(_ turn: inout Turn) {
    guard !player.transport.isPromptShown else { return }
    withPlayer(&turn) { [selection] in $0.start(selected: selection, &$1) }
  }

  private func refusal(of name: String, _ settings: RequestSettings) -> RefusedRequest? {
    let requests = accounts.ledger.requests
    if settings.twice == .refuse, requests.contains(where: { FileName($0.track) == FileName(name) }) { return .twice }
    if isFullOfRequests { return .full }
    return canPay ? nil : .credits
  }

  private var canPay: Bool { isFree || accounts.ledger.credits > 0 }

  /// As many as may wait or play.
  var isFullOfRequests: Bool {
    configuration.settings.requests.map { accounts.ledger.requests.count >= $0.limit } ?? false
  }

  /// What is chosen now would be taken.
  var takesRequests: Bool {
    configuration.settings.requests != nil && !isFullOfRequests && canPay && !hours.refuses && !library.isEmpty
  }

  // MARK: - What becomes of a request

  mutating func end(_ request: Request, _ ending: RequestEnding, _ turn: inout Turn) {
    count(.creditsBought, by: accounts.end(request, refund: ending.refund), &turn)
    if let refund = ending.refund, !request.isPaid {
      turn.log(.requestDropped, .notice, ["file": request.track, "reason": refund])
    }
  }

  /// Staff takes back what waits.
  mutating func clearRequests(_ turn: inout Turn) {
    for request in accounts.ledger.requests where request.number != player.requests.playing?.number {
      let isKnown = player.requests.list.contains { $0.number == request.number }
      if isKnown {
        withPlayer(&turn) { $0.withdraw(request.number, .cleared, &$1) }
      } else {
        end(request, .cleared, &turn)
      }
    }
  }

  // MARK: - The storage

  mutating func take(_ report: LedgerReport, _ turn: inout Turn) {
    tell(accounts.take(report, at: turn.now), &turn)
  }

  mutating func ledgerTimerFired(_ turn: inout Turn) { tell(accounts.timerFired(at: turn.now), &turn) }

  private mutating func tell(_ found: (deeds: [Accounts.Deed], failure: String?), _ turn: inout Turn) {
    let (deeds, failure) = found
    if let failure { turn.log(.ledgerFailed, .warn, ["error": failure]) }
    for deed in deeds { carryOut(deed, isKept: !accounts.isRefused, &turn) }
  }

  private mutating func carryOut(_ deed: Accounts.Deed, isKept: Bool, _ turn: inout Turn) {
    let kept = isKept ? nil : "false"
    switch deed {
    case .coin(let line, let pulses, let credits, let total):
      count(.coins, &turn)
      count(.creditsBought, by: credits, &turn)
      turn.log(
        .coinTaken, .info,
        ["line": line, "pulses": String(pulses), "credits": String(credits), "total": String(total), "kept": kept])
    case .gift(let credits, let total):
      count(.creditsGiven, by: credits, &turn)
      turn.log(.creditsGiven, .info, ["credits": String(credits), "total": String(total), "kept": kept])
    case .request(let request):
      withPlayer(&turn) { [mayBegin = !hours.refuses] in $0.enqueue(request, mayBegin: mayBegin, &$1) }
    case .refund(let request, let reason, let total):
      count(.creditsReturned, &turn)
      turn.log(
        .creditReturned, .notice, ["file": request.track, "reason": reason, "total": String(total), "kept": kept])
    }
  }

  // MARK: - Power on

  /// Before the place in the music comes back.
  mutating func restoreLedger(_ saved: SavedLedger, _ turn: inout Turn) {
    accounts = Accounts(configuration.settings.requests?.credits, saved.ledger ?? Ledger())
    player.requests.restore(accounts.ledger.requests)
    switch saved {
    case .nothing: break
    case .ledger(let ledger):
      let credits = accounts.areCounted ? String(ledger.credits) : nil
      turn.log(.ledgerRestored, .info, ["requests": String(ledger.requests.count), "credits": credits])
    case .unreadable(let reason): turn.log(.ledgerUnreadable, .warn, ["reason": reason])
    }
  }

  // MARK: - The console

  var requestsReply: String {
    let playing = player.requests.playing
    let lines = accounts.ledger.requests.enumerated().map { index, request in
      "\(index + (playing == nil ? 1 : 0)) \(request.number == playing?.number ? "plays" : "waits") "
        + (request.isPaid ? "paid " : "") + Turn.plain(request.track)
    }
    // A client of the control socket gets no longer reply.
    var left = Self.mostOfReply
    let shown = lines.prefix { line in
      left -= line.utf8.count + 1
      return left >= 0
    }
    let more = lines.count - shown.count
    return lines.isEmpty ? "no requests" : (shown + (more > 0 ? ["… and \(more) more"] : [])).joined(separator: "\n")
  }

  private static let mostOfReply = 12_000

  var creditsReply: String {
    let (ledger, totals) = (accounts.ledger, accounts.ledger.totals)
    return "credits=\(ledger.credits) pulses=\(ledger.pulses) coins=\(totals.coins) bought=\(totals.bought) "
      + "given=\(totals.given) taken=\(totals.taken) returned=\(totals.returned) requests=\(totals.requests)"
  }
}

/// Why a request is not taken; it costs nothing then (J2).
enum RefusedRequest: String, Hashable, Sendable {
  /// It waits or plays already.
  case twice
  /// As many wait as may.
  case full
  case credits

  /// - Parameter count: of requests that wait or play.
  func reply(_ count: Int) -> String {
    switch self {
    case .twice: "it waits or plays already"
    case .full: "no more requests are taken, \(count) wait or play"
    case .credits: "no credit is left"
    }
  }
}

import AudioSession

/// Waiting for a device that takes its time to be opened or recovered.
extension OutputMachine {
  /// The answer is pending: goes on with the commands, up to the moment at which the device counts as hung.
  mutating func awaitAnswer() -> Call {
    var by = awaited?.by ?? now + timing.answer
    if case .opening = state {
      isAsked = true
      // It was asked for while another device played.
      by = openBy ?? by
      openBy = nil
    }
    guard now < by else { return hang() }
    awaited = Awaited(state: state, by: by)
    return pendingRoute == nil ? proceedToCommand() : switchIfDue()
  }

  mutating func forgetAnswer() {
    awaited = nil
    isAsked = false
  }

  /// A device that is being opened stays asked for: what opens late is taken by the next try.
  private mutating func hang() -> Call {
    awaited = nil
    return isAsked ? didClose(.loss(.hangs)) : lose(.hangs)
  }
}

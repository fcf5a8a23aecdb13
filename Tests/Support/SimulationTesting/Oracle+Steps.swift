import AudioSession
import Jukebox
import Simulator

/// The steps of the scenario, before they happen.
extension Oracle {
  public func willDo(_ step: Scenario.Step, at now: Instant) {
    self.now = now
    stepLine = step.line
    coverage.count(step.action)
    switch step.action {
    case .output(let fault):
      cutSound()
      isOutputFailing = fault == .fail || isOutputFailing && fault == .underrun
      headset.hungSince = [:]
      if fault == .fail { noteHeadsetsGone() }
      if fault == .restore { restoredAt = now }
    case .outputRate(let rate):
      cutSound()
      noteHeadsetsGone()
      restoredAt = now
      for port in probes.keys { probes[port]?.isResampled = rate != kiosk.board.rate }
    case .outputCard(let port, let card):
      cutSound(card: port)
      restoredAt = now
      probes[port]?.card = card
      if routes.isWireless(port) { noteGone(port) }
    case .outputOpening(let port, let time): setOpening(of: port, to: time)
    case .outputLink(let port, let isSilent): setLink(of: port, isSilent: isSilent)
    case .power(let power): change(power)
    case .storage(let state): persistence.setStorage(state)
    case .consoleBlocked(let isBlocked): if isBlocked { console.block() } else { console.unblock(isAsleep: isAsleep) }
    case .microphone: recordingChecker.isDisturbed = true
    case .music(let change): changeMusic(change)
    case .clock(let time, let second, let day):
      isClockSet = time != nil
      if let time { dailyCue.setClock(to: time, second: second, day: day, at: now) }
      if let time { hours?.model.setClock(time, second: second, day: day, at: now) } else { hours?.model.unsetClock() }
    case .type(let text, _, let isEnded):
      guard isOn && !isAsleep else { return }
      if !reader.mayBeRepeated(text, at: now) { usedAt = now }
      reader.tracks = playlists.numbers.count
      reader.type(text, isEnded: isEnded, at: now)
    case .headset(let address, let change): note(address, change)
    case .outputVolume(_, let level): turnHeadset(to: level)
    case .console(let line):
      let words = line.split(separator: " ")
      guard isOn && !isAsleep, words.first == "token", words.count == 2 else { return }
      givenTokens.type(String(words[1]), isEnded: true, at: now)
    case .card(let token, _): cards?.lay(token, isSeen: isOn && !isAsleep, at: now)
    case .plug, .unplug, .press, .turn, .coin, .line, .expect, .end: break
    }
  }

  private func change(_ power: PowerChange) {
    headset.hungSince = [:]
    switch power {
    case .cut:
      cutSound()
      if isOn { persistence.cutPower() }
      contacts.powerOn(at: now)
      dailyCue.cutPower()
      hours?.model.cutPower()
      recordingChecker.cutPower(at: now)
      isOn = false
      asleepSince = nil
      console.cutPower()
    case .on: break
    case .sleep:
      guard isOn && !isAsleep else { return }
      let steadySince = levelSince
      cutSound()
      levelSince = steadySince
      asleepSince = now
      contacts.delays = [:]
      pairing.sleep()
      recordingChecker.isDisturbed = true
    case .wake:
      guard let since = asleepSince else { return }
      asleepSince = nil
      wokeAt = now
      console.wake()
      // A fade that the sleep interrupted continues after it.
      levelSince = levelSince + (now - max(levelSince, since))
      // A timer that was due in sleep fires now.
      let idleReset = kiosk.settings.settings.idleReset
      if idleReset > .zero && usedAt + idleReset <= now { noteIdle() }
      intentModel.restartLimit(at: now)
      if cueSince != nil { cueSince = now }
      quietSince = nil
      lines.wake(at: now)
      knob?.read(isPowerOn: false)
      findHeadset(isWake: true)
      presses.wake()
      reader.forget()
      reader.wake(slept: now - since)
      givenTokens.wake(slept: now - since)
      cards?.wake(at: now)
      visit.wake(at: now)
      sleep.wake(at: now)
      contacts.wake(slept: now - since)
      updateIntent()
    }
  }
}

import BoardFiles
import Jukebox

/// The knob of the board (G rows).
extension Oracle {
  static func knob(of kiosk: KioskSetup) -> KnobModel? {
    guard let knob = kiosk.board.knobs.first?.knob, case .volume(let points) = knob.use else { return nil }
    return KnobModel(name: knob.name, points: points ?? kiosk.settings.settings.volumeStep)
  }

  /// A contact of the knob has moved. Returns false for a line.
  func moveKnob(_ line: String, asserted: Bool) -> Bool {
    guard let description = kiosk.board.knobs.first,
      let contact = KnobContact.allCases.first(where: { description.name(of: $0) == line })
    else { return false }
    knob?.isClosed = hours?.isClosed == true
    let turned = knob?.move(contact, to: asserted, isSeen: isOn && !isAsleep, at: now)
    guard let turned, turned.isTurned else { return true }
    usedAt = now
    visit.use(at: now)
    headset.decidedAt = now
    guard turned.step != 0, let route, let points = knob?.points else { return true }
    persistence.turn(route, by: turned.step * points)
    knob?.turned(to: persistence.mayBe(route))
    return true
  }

  func applyKnobTurn(_ event: Event) {
    demand(knob?.check(event, at: now))
    guard event["ignored"] == nil, let to = event["to"].flatMap({ Int($0) }) else { return }
    demand(knob?.mayHaveTurned(to: to, at: now) == true, "G5", "the knob has not turned the volume to \(to)")
  }
}

import ControlCard

@testable import ALSADevices

/// The controls of a sound card that is not there (Tests/Plugins/ControlCard). Any thread.
final class PretendedCard: @unchecked Sendable {
  struct NoMemory: Error {}

  private let raw: OpaquePointer

  init() throws {
    guard let raw = control_card_new() else { throw NoMemory() }
    self.raw = raw
  }

  deinit { control_card_free(raw) }

  /// Replaces the kernel's opener; any id opens this card.
  var opener: ControlOpener {
    { [self] _, control in control_card_open(raw, &control, 1) }
  }

  func addJack(_ name: String) -> CInt { control_card_add_jack(raw, name) }

  func addVolume(_ name: String, most: Int, step: CInt) -> CInt { control_card_add_volume(raw, name, most, step) }

  func addSwitch(_ name: String) -> CInt { control_card_add_switch(raw, name) }

  func freeze(_ volume: CInt, by switch: CInt) { control_card_freeze(raw, volume, `switch`) }

  func move(_ control: CInt, to value: Int) { control_card_move(raw, control, value) }

  func value(of control: CInt) -> Int { control_card_value(raw, control) }

  func plug(_ isPlugged: Bool) { control_card_plug(raw, isPlugged) }

  func leaveOverDecibels() { control_card_leave_over_decibels(raw) }

  func refuse(_ result: CInt) { control_card_refuse(raw, result) }

  var openings: CInt { control_card_openings(raw) }
}

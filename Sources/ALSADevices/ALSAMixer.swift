import Board
import CALSA
import Glibc

/// Opens the simple mixer controls of ALSA cards.
public final class ALSAMixerOpener: MixerOpener {
  private let opener: ControlOpener

  public convenience init() { self.init(opener: ControlHandle.kernel) }

  init(opener: @escaping ControlOpener) { self.opener = opener }

  public func open(_ mixer: MixerDescription) throws(MixerError) -> any MixerControl {
    do throws(ALSAFailure) {
      let handle = try MixerHandle.open(mixer.card, with: opener)
      return try ALSAMixer(mixer, adopting: handle)
    } catch {
      // Without an errno the card was opened, but has no such control.
      let operation: MixerError.Operation = error.code == 0 ? .find : .open
      throw MixerError(operation: operation, mixer: mixer, code: error.code, message: error.message)
    }
  }
}

/// One simple mixer control with decibels.
private final class ALSAMixer: MixerControl {
  private let mixer: MixerDescription
  private let handle: MixerHandle
  /// Belongs to the handle.
  private let element: OpaquePointer

  init(_ mixer: MixerDescription, adopting handle: consuming MixerHandle) throws(ALSAFailure) {
    guard let element = handle.element(mixer.control) else {
      let known = handle.names()
      throw handle.lacking("no such control, expected one of: \(known.isEmpty ? "none" : known)")
    }
    var (least, most) = (0, 0)
    guard snd_mixer_selem_has_playback_volume(element) != 0,
      snd_mixer_selem_get_playback_dB_range(element, &least, &most) >= 0, least < most
    else { throw handle.lacking("it has no decibels") }
    self.mixer = mixer
    self.element = element
    self.handle = handle
  }

  var pollDescriptors: [PollDescriptor] { handle.pollDescriptors }

  func check() throws(MixerError) { try call(.check) { snd_mixer_handle_events(handle.pointer) } }

  func set(decibels: Double) throws(MixerError) -> Double {
    try check()
    let wanted = Int((min(0, decibels) * 100).rounded())
    var (level, reached) = (0, 0)
    try call(.set) { snd_mixer_selem_ask_playback_dB_vol(element, wanted, 1, &level) }
    try call(.set) { snd_mixer_selem_set_playback_volume_all(element, level) }
    try call(.set) { snd_mixer_selem_ask_playback_vol_dB(element, level, &reached) }
    if isMuted {
      try set(switch: 1)
      // The driver of the Raspberry Pi's jack ignores a volume while it is muted, and says so by an event only.
      try check()
      try call(.set) { snd_mixer_selem_set_playback_volume_all(element, level) }
    }
    return Double(reached) / 100
  }

  func mute() throws(MixerError) {
    try check()
    var (least, most) = (0, 0)
    try set(switch: 0)
    try call(.set) { snd_mixer_selem_get_playback_volume_range(element, &least, &most) }
    try call(.set) { snd_mixer_selem_set_playback_volume_all(element, least) }
  }

  private var hasSwitch: Bool { snd_mixer_selem_has_playback_switch(element) != 0 }

  private var isMuted: Bool {
    var isOn: CInt = 1
    return hasSwitch && snd_mixer_selem_get_playback_switch(element, SND_MIXER_SCHN_MONO, &isOn) >= 0 && isOn == 0
  }

  private func set(switch isOn: CInt) throws(MixerError) {
    guard hasSwitch else { return }
    try call(.set) { snd_mixer_selem_set_playback_switch_all(element, isOn) }
  }

  private func call(_ operation: MixerError.Operation, _ body: () -> CInt) throws(MixerError) {
    calsa_clear_message()
    let result = body()
    guard result < 0 else { return }
    let failure = ALSAFailure(result)
    throw MixerError(operation: operation, mixer: mixer, code: failure.code, message: failure.message)
  }
}

/// Owns one `snd_mixer_t` with a card and closes both on every path.
private struct MixerHandle: ~Copyable {
  let pointer: OpaquePointer

  private init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { snd_mixer_close(pointer) }

  static func open(_ card: String, with opener: ControlOpener) throws(ALSAFailure) -> MixerHandle {
    var mixer: OpaquePointer?
    try ALSAFailure.check(snd_mixer_open(&mixer, 0))
    guard let mixer else { throw ALSAFailure(-ENOMEM) }
    let handle = MixerHandle(adopting: mixer)
    let control = try ControlHandle.open(card, with: opener).take()
    var elements: OpaquePointer?
    let result = snd_hctl_open_ctl(&elements, control)
    guard result >= 0 else {
      snd_ctl_close(control)
      throw ALSAFailure(result)
    }
    try ALSAFailure.check(snd_mixer_attach_hctl(mixer, elements))
    try ALSAFailure.check(snd_mixer_selem_register(mixer, nil, nil))
    try ALSAFailure.check(snd_mixer_load(mixer))
    return handle
  }

  /// Why something was not found: that the card has just gone, where that is so, because libasound then says no more
  /// than of one that never had it.
  borrowing func lacking(_ message: String) -> ALSAFailure {
    let result = snd_mixer_handle_events(pointer)
    return result < 0 ? ALSAFailure(result) : ALSAFailure(nothing: message)
  }

  borrowing func element(_ name: String) -> OpaquePointer? {
    var id: OpaquePointer?
    guard snd_mixer_selem_id_malloc(&id) >= 0 else { return nil }
    defer { snd_mixer_selem_id_free(id) }
    snd_mixer_selem_id_set_name(id, name)
    snd_mixer_selem_id_set_index(id, 0)
    return snd_mixer_find_selem(pointer, id)
  }

  /// The names of all controls with a volume.
  borrowing func names() -> String {
    var names: [String] = []
    var element = snd_mixer_first_elem(pointer)
    while let found = element {
      if snd_mixer_selem_has_playback_volume(found) != 0, let name = snd_mixer_selem_get_name(found) {
        names.append(String(cString: name))
      }
      element = snd_mixer_elem_next(found)
    }
    return names.joined(separator: ", ")
  }

  var pollDescriptors: [PollDescriptor] {
    descriptors(snd_mixer_poll_descriptors_count(pointer)) { snd_mixer_poll_descriptors(pointer, $0, $1) }
  }
}

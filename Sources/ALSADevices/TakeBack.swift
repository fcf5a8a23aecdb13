import CALSA

/// Whether a device can rewind what is queued (`snd_pcm_rewind`).
///
/// A kernel driver that hands frames on at once, through the kernel's indirect PCM helper, refuses any step back, and
/// the kernel turns the refusal into an underrun: the headphone jack of a Raspberry Pi does (snd_bcm2835), and virtio
/// sound.
enum TakeBack {
  case takesBack
  case refuses
  /// A resampling plug-in, which also keeps up to a period until it is full.
  case keepsPeriods

  /// Tries it on a device that was just configured, with a few frames of silence of which nothing is heard, because the
  /// device is not started. One that cannot rewind them has to be configured again. The device's thread.
  static func probe(_ pcm: OpaquePointer, _ stream: NegotiatedStream) -> TakeBack {
    guard isCard(pcm) else { return .takesBack }
    let frames = stream.format.rate / 100
    let size = frames * stream.layout.bytesPerFrame
    let silence = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    silence.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    defer { silence.deallocate() }
    let written = snd_pcm_writei(pcm, silence, snd_pcm_uframes_t(frames))
    // A device that takes no frames shows that when it is to play.
    guard written > 0 else { return .takesBack }
    if snd_pcm_rewindable(pcm) <= 0 { return .keepsPeriods }
    guard snd_pcm_rewind(pcm, snd_pcm_uframes_t(written)) == written else { return .refuses }
    // A plug-in may notice only now.
    _ = snd_pcm_avail(pcm)
    guard snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED else { return .refuses }
    // A sound server only claims to have rewound, which its delay shows once it plays.
    if snd_pcm_type(pcm) == SND_PCM_TYPE_HW { return .takesBack }
    return snd_pcm_drop(pcm) >= 0 && snd_pcm_prepare(pcm) >= 0 ? .takesBack : .refuses
  }

  /// Whether there is a card or a server behind it, and no file, which would keep the silence.
  private static func isCard(_ pcm: OpaquePointer) -> Bool {
    switch snd_pcm_type(pcm) {
    case SND_PCM_TYPE_HW, SND_PCM_TYPE_IOPLUG: return true
    case SND_PCM_TYPE_FILE, SND_PCM_TYPE_NULL: return false
    default: return information(of: pcm) { snd_pcm_info_get_card($0) >= 0 } ?? false
    }
  }
}

/// Whether the driver interpolates the delay between the steps of the position, by its bus or its clock: snd-usb-audio and
/// snd_bcm2835, by the names that they give their devices.
func interpolatesDelay(_ pcm: OpaquePointer) -> Bool {
  let name = information(of: pcm) { snd_pcm_info_get_name($0).map { String(cString: $0) } } ?? nil
  return name.map { $0.hasPrefix("USB Audio") || $0.hasPrefix("bcm2835 ") } ?? false
}

private func information<Value>(of pcm: OpaquePointer, _ read: (OpaquePointer) -> Value) -> Value? {
  let memory = UnsafeMutableRawPointer.allocate(byteCount: snd_pcm_info_sizeof(), alignment: 16)
  memory.initializeMemory(as: UInt8.self, repeating: 0, count: snd_pcm_info_sizeof())
  defer { memory.deallocate() }
  let information = OpaquePointer(memory)
  return snd_pcm_info(pcm, information) >= 0 ? read(information) : nil
}

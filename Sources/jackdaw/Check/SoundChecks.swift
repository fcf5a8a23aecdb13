import ALSADevices
import Board
import BoardFiles
import Files
import Glibc

/// Whether every PCM of a board opens with its format, and every mixer control is there.
struct SoundChecks {
  /// A headset takes its time to open.
  private static let patience = Duration.seconds(5)

  var board: BoardDescription

  var findings: [Finding] {
    let outputs = board.ports.map { port in
      let name = port.output.port.rawValue
      return finding("output \(name)", port.pcm, isWireless: port.output.isWireless) { () throws(PCMError) in
        let pcm = try ALSAOpener(known: board.knownCards).open(
          port: port.output.port, name: port.pcm, rate: board.rate, buffer: board.buffer)
        defer { pcm.close() }
        return (pcm.format.rate, pcm.takesBack ? Self.takesBack : Self.keeps)
      }
    }
    let mixers = Set(board.ports.compactMap(\.mixer)).map(SoundChecks.mixer).sorted { $0.subject < $1.subject }
    guard let input = board.input else { return outputs + mixers }
    let microphone = finding("input \(input.port.rawValue)", input.pcm) { () throws(PCMError) in
      let pcm = try ALSACaptureOpener().open(
        input: input.port, name: input.pcm, rate: board.rate, buffer: board.buffer)
      defer { pcm.close() }
      return (pcm.format.rate, "")
    }
    return outputs + mixers + [microphone]
  }

  /// What a card keeps behind its buffer comes on top: up to 18 ms on USB, and what the headset needs on Bluetooth.
  private static let takesBack =
    "; takes back what is queued: a change is heard within 20 ms, on USB within 50 ms, on Bluetooth later by the "
    + "headset's delay"
  private static let keeps =
    "; takes nothing back: little is queued, a change is heard within 30 ms, at 40 wake-ups a second"

  /// Opens the mixer control, which changes nothing.
  private static func mixer(_ mixer: MixerDescription) -> Finding {
    let subject = "mixer \(mixer.control)"
    let opened: Result<Void, MixerError>
    do throws(PCMError) {
      opened = try Probe.run(on: mixer.card, within: patience) { () throws(PCMError) in
        Result<Void, MixerError> { () throws(MixerError) in _ = try ALSAMixerOpener().open(mixer) }
      }
    } catch {
      return .bad(subject, "card \(mixer.card): \(error.message)", advice(error))
    }
    do throws(MixerError) {
      try opened.get()
      return .good(subject, "on card \(mixer.card), in decibels")
    } catch {
      let advice =
        error.operation == .find
        ? "one of these, as `amixer -c \(mixer.card) scontrols` has them, or no `mixer` in the board file"
        : cards()
      return .bad(subject, "card \(mixer.card): \(error.message)", advice)
    }
  }

  /// What opening it with `open` comes to.
  func finding(
    _ subject: String, _ pcm: String, isWireless: Bool = false, within patience: Duration = SoundChecks.patience,
    _ open: @escaping @Sendable () throws(PCMError) -> (rate: Int, note: String)
  ) -> Finding {
    do throws(PCMError) {
      let (rate, note) = try Probe.run(on: pcm, within: patience, open)
      let conversion = rate == board.rate ? "" : "; the board file says \(board.rate) Hz, tracks are converted"
      return .good(subject, "\(pcm), \(rate) Hz\(conversion)\(note)")
    } catch {
      // A simulated board works without a device: it is silent, and records silence.
      if board.isSimulated { return .missing(subject, "simulated, silent: \(error)") }
      if isWireless, let found = BluetoothChecks.output(subject, pcm, error) { return found }
      return .bad(subject, error.description, SoundChecks.advice(error))
    }
  }

  private static func advice(_ error: PCMError) -> String {
    if error.code == EBUSY { return "end the program that has it first; the firmware: sudo systemctl stop jackdaw" }
    if error.code == ETIMEDOUT { return "its driver hangs: unplug the card and plug it in again, or restart the board" }
    return cards()
  }

  private static func cards() -> String {
    // libasound reports a card without permission as missing.
    if let locked = SoundCards.locked { return ProcessUser.join(groupOf: locked, usually: "audio") }
    let ids = SoundCards.ids
    if ids.isEmpty {
      return "no sound card here: dtparam=audio=on, or the dtoverlay of your card, in /boot/firmware/config.txt"
    }
    return "cards: \(ids.joined(separator: ", ")); in the board file, for instance: pcm = \"plughw:CARD=\(ids[0])\""
  }
}

/// The sound cards of this machine.
enum SoundCards {
  /// Their ids, by which a PCM names them regardless of their order.
  static var ids: [String] { FileAccess.names(in: "/proc/asound").compactMap(id) }

  /// The control device of a card that this user may not open; nil where there is none.
  static var locked: String? {
    let devices = FileAccess.names(in: "/dev/snd").filter { $0.hasPrefix("controlC") }.map { "/dev/snd/\($0)" }
    return devices.first { access($0, R_OK | W_OK) != 0 && errno == EACCES }
  }

  /// The id of a card, from the file in its `cardN` folder.
  private static func id(_ name: String) -> String? {
    guard name.hasPrefix("card"), Int(name.dropFirst(4)) != nil else { return nil }
    let bytes = try? FileAccess.read("/proc/asound/\(name)/id")
    return bytes.map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
  }
}

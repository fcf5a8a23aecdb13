import AudioSession

/// The forms in which a board file may name a chip.
enum ChipName: Hashable {
  /// `/dev/gpiochip0`, or a link to it.
  case path(String)
  /// `gpiochip0`, or `0` for short.
  case name(String)
  /// `pinctrl-bcm2711`: what the driver calls its chip.
  case label(String)

  init(_ text: String) {
    if text.hasPrefix("/") {
      self = .path(text)
    } else if text.isDigits {
      self = .name("gpiochip\(text)")
    } else if text.hasPrefix("gpiochip"), text.dropFirst("gpiochip".count).isDigits {
      self = .name(text)
    } else {
      self = .label(text)
    }
  }

  /// The file to open; nil for a label, which only open chips can report.
  func path(in directory: String) -> String? {
    switch self {
    case .path(let path): path
    case .name(let name): "\(directory)/\(name)"
    case .label: nil
    }
  }
}

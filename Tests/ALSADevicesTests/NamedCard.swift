import Glibc

/// Paced cards (Tests/Plugins/PacedPCM) that libasound finds by name and loads, with a clock in a file that the tests
/// move.
enum NamedCard: String, CaseIterable {
  case plain, wide, mono, fetching, pretending, hdmi, real

  /// Further options of the card in the ALSA configuration.
  private var traits: String {
    switch self {
    case .plain: ""
    case .wide: "format S32_LE"
    case .mono: "format S32_LE channels 1 rate 48000"
    case .fetching: "rewind no"
    case .pretending: "rewind pretended"
    case .hdmi: "model hdmi"
    case .real: ""
    }
  }

  private var times: String { self == .real ? "" : "clock \"%/clock\"" }

  /// Other plug-ins of libasound on these cards; not dmix and softvol, which need a real card.
  private static let others = """
    pcm.plug-wide { type plug slave.pcm wide }
    pcm.plug-mono { type plug slave.pcm mono }
    pcm.plug-fetching { type plug slave.pcm fetching }
    pcm.plug-pretending { type plug slave.pcm pretending }
    pcm.plug-hdmi { type plug slave.pcm { type iec958 slave { format IEC958_SUBFRAME_LE pcm hdmi } } }
    pcm.multi { type multi slaves.a { pcm plain channels 2 }
      bindings.0 { slave a channel 0 } bindings.1 { slave a channel 1 } }
    pcm.copy { type copy slave.pcm plain }
    pcm.hooks { type hooks slave.pcm plain }
    pcm.route { type route slave.pcm plain ttable.0.0 1 ttable.1.1 1 }
    pcm.linear { type linear slave { pcm wide format S32_LE } }
    pcm.rate { type rate slave { pcm plain rate 48000 } }
    pcm.filed { type file slave.pcm plain file "/dev/null" format raw }
    """

  static let files: [String] = allCases.reduce(into: ["clock"]) { files, card in
    files.append("\(card).raw")
    files.append("\(card).log")
  }

  /// The module is beside the tests, in the folder of all products of the build.
  private static var library: String {
    var path = [CChar](repeating: 0, count: 4_096)
    let length = max(0, readlink("/proc/self/exe", &path, path.count))
    let program = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let slash = program.lastIndex(of: "/") else { return "libPacedPCM.so" }
    return "\(program[...slash])libPacedPCM.so"
  }

  static func configuration(in folder: String) -> String {
    var lines = ["pcm_type.paced { lib \"\(library)\" }"]
    for card in allCases {
      let files = "file \"%/\(card).raw\" log \"%/\(card).log\" \(card.times)"
      lines.append("pcm.\(card) { type paced \(files) \(card.traits) }")
    }
    let text = lines.joined(separator: "\n") + "\n" + others + "\n"
    return text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: folder)
  }
}

/// The action of a key of the front panel.
public enum PanelKey: Hashable, Sendable {
  case play
  /// The Play button, held down for a little more than a second.
  case playHeld
  case stop
  case volumeUp
  case volumeDown
  case next
  case previous
  case record
  case cue
  /// Closes or opens the page contact.
  case page
  /// Closes or opens the mute contact.
  case mute
  /// Drops a coin of one pulse; several within a moment are one coin of as many pulses.
  case coin
  /// Pulls the headphones, or plugs them in.
  case headphones
  /// Takes the board off the dock, or puts it there.
  case dock
  /// Back and on within the track.
  case seekBack, seekOn
  case previousPlaylist, nextPlaylist
  /// A digit of the number of a track, which Enter ends.
  case digit(UInt8)
  case enter
  /// A letter that stands for a line of this board only (`BoardKeys`).
  case letter(Character)
  case help
  case redraw
  case quit

  /// The keys that may stand for a line of any board.
  static let ofEveryBoard: [PanelKey] = [
    .play, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .cue, .page, .mute, .headphones, .dock,
    .coin,
  ]
}

/// Decodes keys from the bytes of a terminal in raw mode, or of any other standard input. An escape sequence may arrive
/// in any number of parts; bytes without a meaning are dropped. The caller handles the end of the input.
public struct KeyDecoder: Hashable, Sendable {
  private enum Phase: Hashable, Sendable {
    case plain
    /// After ESC, which is a key itself or starts a sequence.
    case escape
    /// Between `ESC [` or `ESC O` and the byte that ends it.
    case sequence
  }

  private static let escape: UInt8 = 0x1B
  private var phase = Phase.plain

  public init() {}

  /// Takes one byte and returns the key that it completes, if any.
  public mutating func take(_ byte: UInt8) -> PanelKey? {
    switch phase {
    case .escape where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O"):
      phase = .sequence
      return nil
    case .sequence where (0x20..<0x40).contains(byte): return nil
    case .sequence where (0x40..<0x7F).contains(byte):
      phase = .plain
      return Self.arrow(byte)
    case .plain, .escape, .sequence:
      // An unfinished sequence is dropped: Ctrl-C must work at any time, and Escape alone means nothing.
      phase = byte == Self.escape ? .escape : .plain
      return Self.plain(byte)
    }
  }

  /// Takes bytes in order and returns the keys that they complete.
  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [PanelKey] {
    var keys: [PanelKey] = []
    for byte in bytes {
      if let key = take(byte) { keys.append(key) }
    }
    return keys
  }

  private static func arrow(_ final: UInt8) -> PanelKey? {
    switch final {
    case UInt8(ascii: "A"): .volumeUp
    case UInt8(ascii: "B"): .volumeDown
    case UInt8(ascii: "C"): .next
    case UInt8(ascii: "D"): .previous
    default: nil
    }
  }

  private static func plain(_ byte: UInt8) -> PanelKey? {
    switch byte {
    case UInt8(ascii: "p"), UInt8(ascii: " "): .play
    case UInt8(ascii: "P"): .playHeld
    case UInt8(ascii: "s"): .stop
    case UInt8(ascii: "+"), UInt8(ascii: "="): .volumeUp
    case UInt8(ascii: "-"): .volumeDown
    case UInt8(ascii: "n"): .next
    case UInt8(ascii: "b"): .previous
    case UInt8(ascii: ","), UInt8(ascii: "<"): .seekBack
    case UInt8(ascii: "."), UInt8(ascii: ">"): .seekOn
    case UInt8(ascii: "["): .previousPlaylist
    case UInt8(ascii: "]"): .nextPlaylist
    case UInt8(ascii: "r"): .record
    case UInt8(ascii: "c"): .cue
    case UInt8(ascii: "g"): .page
    case UInt8(ascii: "m"): .mute
    case UInt8(ascii: "$"): .coin
    case UInt8(ascii: "h"): .headphones
    case UInt8(ascii: "d"): .dock
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"): .enter
    case UInt8(ascii: "?"): .help
    // Ctrl-L, as in other terminal programs.
    case UInt8(ascii: "l"), 0x0C: .redraw
    // Ctrl-C and Ctrl-D.
    case UInt8(ascii: "q"), 0x03, 0x04: .quit
    default: BoardKeys.letters.first { $0.asciiValue == byte }.map { .letter($0) }
    }
  }
}

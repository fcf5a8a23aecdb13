import Board

/// Converts frame counts between rates, to the nearest frame.
enum Rates {
  private static let mostFrames = TrackInfo.mostFrames

  /// Clamps to `mostFrames` before and after the conversion, because lengths and positions may be any number that a
  /// file or its decoder names.
  static func convert(_ frame: Int, from: Int, to: Int) -> Int {
    let frame = min(max(-mostFrames, frame), mostFrames)
    return from == to ? frame : min(max(-mostFrames, (frame * to + from / 2) / from), mostFrames)
  }
}

/// Frames of one rate in those of another, to the nearest.
enum Rates {
  static func convert(_ frame: Int, from: Int, to: Int) -> Int { from == to ? frame : (frame * to + from / 2) / from }
}

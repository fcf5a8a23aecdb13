/// Converts frame counts between rates, to the nearest frame.
enum Rates {
  static func convert(_ frame: Int, from: Int, to: Int) -> Int { from == to ? frame : (frame * to + from / 2) / from }
}

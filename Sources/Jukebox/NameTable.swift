/// Where the tracks of a list stand, by name, each to be taken once. One piece of memory of 8 bytes per track or little
/// more: a dictionary of strings would leave a hundred thousand small pieces behind, among which others are not given
/// back.
struct NameTable {
  private static let taken = UInt32.max

  private let tracks: TrackList
  /// Places from 1, each at the first slot that was free from its name's hash on; 0: free. A power of two of them.
  private var slots: [UInt32]

  init(_ tracks: TrackList) {
    self.tracks = tracks
    var size = 8
    while size < 2 * tracks.count { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for place in tracks.indices {
      var slot = firstSlot(tracks.nameBytes(at: place))
      while slots[slot] != 0 { slot = next(slot) }
      slots[slot] = UInt32(truncatingIfNeeded: place + 1)
    }
  }

  /// Takes the first track of this name that was not taken yet; nil: there is none. Byte by byte: to the disk, names that
  /// look the same may be two.
  mutating func take(_ name: ArraySlice<UInt8>) -> Int? {
    var slot = firstSlot(name)
    while slots[slot] != 0 {
      if slots[slot] != Self.taken {
        let place = Int(slots[slot]) - 1
        if tracks.nameBytes(at: place).elementsEqual(name) {
          slots[slot] = Self.taken
          return place
        }
      }
      slot = next(slot)
    }
    return nil
  }

  /// The places of those that nobody has taken, in order.
  var rest: [Int] { slots.lazy.filter { $0 != 0 && $0 != Self.taken }.map { Int($0) - 1 }.sorted() }

  private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

  private func firstSlot(_ name: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    name.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize() & (slots.count - 1)
  }
}

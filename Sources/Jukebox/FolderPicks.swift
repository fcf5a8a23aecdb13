import AudioSession

/// Where the files of a playlist that a contact plays one by one stand (O4).
public struct FolderPick: Hashable, Sendable {
  public enum Order: Hashable, Sendable {
    /// That of the music; `index`: where the last one stood, from 0.
    case listed(index: Int)
    /// One that this number gives.
    case random(seed: UInt64)
  }

  @NameOfFile public var playlist: String
  /// The name of the last one in the library.
  @NameOfFile public var track: String
  public var order: Order

  public init(playlist: String, track: String, order: Order) {
    self.playlist = playlist
    self.track = track
    self.order = order
  }

  var isRandom: Bool { if case .random = order { true } else { false } }
}

/// The files that contacts play one by one, of each playlist none twice before all were played (O4). A random order is
/// that of numbers which a seed makes of the names: it needs no list, and files may come and go.
struct FolderPicks: Hashable, Sendable {
  /// The one that was used longest ago is forgotten first.
  private static let most = 64

  /// The one that was used last at the end.
  private(set) var picks: [FolderPick]
  private var generator: SplitMix64

  init(_ picks: [FolderPick] = [], seed: UInt64 = 0) {
    self.picks = Array(picks.suffix(Self.most))
    generator = SplitMix64(state: seed)
  }

  /// The next file of a playlist; nil: it has none.
  mutating func next(in playlist: String, isRandom: Bool, of library: Library) -> TrackID? {
    let ids = library.ids(in: playlist)
    guard !ids.isEmpty else { return nil }
    let former = picks.last { FileName($0.playlist) == FileName(playlist) && $0.isRandom == isRandom }
    let (index, order) = isRandom ? drawn(from: ids, after: former, library) : following(former, in: ids, library)
    picks.removeAll { $0 == former }
    picks.append(FolderPick(playlist: playlist, track: library[ids[index]]?.name ?? "", order: order))
    if picks.count > Self.most { picks.removeFirst() }
    return ids[index]
  }

  /// If the last one is gone, what follows it takes its place.
  private func following(
    _ former: FolderPick?, in ids: [TrackID], _ library: Library
  ) -> (Int, FolderPick.Order) {
    guard let former, case .listed(let last) = former.order else { return (0, .listed(index: 0)) }
    let place = library.id(named: former.track).flatMap(ids.firstIndex(of:))
    let index = (place.map { $0 + 1 } ?? max(0, last)) % ids.count
    return (index, .listed(index: index))
  }

  private mutating func drawn(
    from ids: [TrackID], after former: FolderPick?, _ library: Library
  ) -> (Int, FolderPick.Order) {
    let names = ids.map { id in library.index(of: id).map { Array(library.tracks.nameBytes(at: $0)) } ?? [] }
    let last = former.map { Array($0.track.utf8) }
    if let last, case .random(let seed) = former?.order,
      let index = Self.first(of: names, after: Self.key(seed, last), seed)
    {
      return (index, .random(seed: seed))
    }
    // A new round. It begins with another one than the last that was heard, if there is one.
    var seed = generator.next()
    var index = Self.first(of: names, after: nil, seed) ?? 0
    for _ in 0..<16 where names.count > 1 && names[index] == last {
      seed = generator.next()
      index = Self.first(of: names, after: nil, seed) ?? 0
    }
    return (index, .random(seed: seed))
  }

  /// The first one in the order that a seed gives, of those after a key.
  private static func first(of names: [[UInt8]], after last: UInt64?, _ seed: UInt64) -> Int? {
    let keys = names.map { key(seed, $0) }
    return keys.indices.filter { index in last.map { keys[index] > $0 } ?? true }.min { keys[$0] < keys[$1] }
  }

  /// Fowler, Noll and Vo's hash of a name, and what the generator makes of it and the seed.
  private static func key(_ seed: UInt64, _ name: [UInt8]) -> UInt64 {
    let hash = name.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    var mixer = SplitMix64(state: hash ^ seed)
    return mixer.next()
  }
}

/// What may follow a track (P10), while the music changes (X1).
struct QueueOrder {
  /// How many tracks may still follow by an order that is no longer the queue's: the decoder was sent no more.
  private static let mostPromised = 8

  /// Every file that there ever is, in the order of play.
  private let all: [String]
  /// The files that can be played.
  private var files: Set<String>
  private var former: [(files: Set<String>, promised: Int)] = []
  /// What came with the last change, before or after what went with it.
  private var added: Set<String> = []

  init(_ all: [String], playable: [String]? = nil) {
    self.all = all
    files = Set(playable ?? all)
  }

  /// Other files are there. What follows may have been promised before.
  mutating func change(to playable: [String]) {
    former.append((files, Self.mostPromised))
    added = Set(playable).subtracting(files)
    files = Set(playable)
  }

  /// A track has begun: one promise less is open.
  mutating func noteStart() { former = former.map { ($0.files, $0.promised - 1) }.filter { $0.promised > 0 } }

  func mayFollow(_ file: String, after ended: String) -> Bool {
    ([files] + former.map(\.files)).contains { successor(of: ended, in: $0) == file }
      || !files.contains(ended) && added.contains(file)
  }

  /// The next one in the order of play that can be played.
  private func successor(of file: String, in files: Set<String>) -> String {
    guard let place = all.firstIndex(of: file) else { return file }
    return (1...all.count).lazy.map { all[(place + $0) % all.count] }.first(where: files.contains) ?? file
  }
}

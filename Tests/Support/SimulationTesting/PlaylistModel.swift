import AudioSession
import BoardFiles
import Jukebox

/// Which part of the music is the queue, and where it begins (T4).
struct PlaylistModel {
  /// What was asked for in this instant, and the log has not named yet.
  struct Request: Equatable {
    /// nil: all the music.
    var name: String?
    /// Where the playlist was left does not matter.
    var isFromStart: Bool
    /// It is asked for with one of its tracks.
    var isForTrack = false
  }

  private struct Place {
    var file: String
    var frames: ClosedRange<Int>
  }

  private let library: [Track]
  private let selectors: [(line: String, playlist: String, released: String?)]
  private let isResuming: Bool
  /// nil: all the music.
  private(set) var current: String?
  /// Numbers in all the music of the queue's tracks, in the order of the music.
  private(set) var numbers: [Int] = []
  var request: Request?
  /// The playlists that may have been saved.
  private var kept: [String?] = [nil]
  /// Where playlists were left since power on.
  private var places: [String: Place] = [:]

  init(_ library: [Track], board: BoardDescription, settings: Settings) {
    self.library = library
    selectors = board.lines.compactMap { line in
      guard case .selector(let playlist, let released) = line.role else { return nil }
      return (line.name, playlist, released)
    }
    isResuming = settings.playlistStart == .resume
    take(nil)
  }

  /// Numbers in the playlist of those of its tracks that can be played.
  var playable: [Int] {
    numbers.indices.filter { TestMusic.frames(of: library[numbers[$0] - 1].name) != nil }.map { $0 + 1 }
  }

  func has(_ name: String) -> Bool { library.contains { $0.name.hasPrefix("\(name)/") } }

  func file(_ track: Int) -> String? {
    numbers.indices.contains(track - 1) ? library[numbers[track - 1] - 1].name : nil
  }

  private mutating func take(_ name: String?) {
    current = name
    numbers = library.indices.filter { name == nil || library[$0].name.hasPrefix("\(name ?? "")/") }.map { $0 + 1 }
  }

  // MARK: - Tracks

  /// The track's number in the playlist that it is played in: the current one, or the one that it lies in.
  func find(_ name: String) -> (number: Int, playlist: String?)? {
    if let number = Int(name) { return numbers.indices.contains(number - 1) ? (number, current) : nil }
    if let place = numbers.firstIndex(where: { isCalled($0, name) }) { return (place + 1, current) }
    guard let index = library.indices.first(where: { isCalled($0 + 1, name) }) else { return nil }
    let folder = library[index].name.split(separator: "/").dropLast().first.map(String.init)
    let first = library.firstIndex { folder == nil || $0.name.hasPrefix("\(folder ?? "")/") } ?? 0
    return (index - first + 1, folder)
  }

  private func isCalled(_ number: Int, _ name: String) -> Bool {
    let path = library[number - 1].name
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return path == name || file == name || file.hasPrefix("\(name).")
  }

  // MARK: - Selectors

  /// What the selectors name at power on and for the next visitor.
  func selected(_ isAsserted: (String) -> Bool) -> String? {
    selectors.first { isAsserted($0.line) }?.playlist ?? selectors.lazy.compactMap(\.released).first
  }

  /// What a selector means that has come to rest; nil: nothing.
  func target(of line: String, asserted: Bool) -> String? {
    guard let selector = selectors.first(where: { $0.line == line }) else { return nil }
    return asserted ? selector.playlist : selector.released
  }

  // MARK: - Changes

  mutating func powerOn(selected: String?) {
    request = nil
    places = [:]
    take(selected)
    if selected != nil { kept.append(selected) }
  }

  /// What was saved comes back, unless a selector names another.
  mutating func restore(_ name: String?, selected: String?) -> Mismatch? {
    take(name)
    let isKnown = selected == nil ? kept.contains(name) : name == selected
    return isKnown ? nil : Mismatch("T4", "the playlist after power on is \(name ?? "none")")
  }

  mutating func noteSave() { kept = [current] }

  /// Somebody leaves the playlist at this place.
  mutating func leave(_ file: String?, frames: ClosedRange<Int>) {
    if let current { places[current] = file.map { Place(file: $0, frames: frames) } }
  }

  /// Another playlist is the queue, or this one anew.
  mutating func change(_ event: Event, to request: Request) -> Mismatch? {
    let former = current
    take(request.name)
    kept.append(current)
    if event["from"] != former || event["tracks"] != String(numbers.count) {
      return Mismatch("T4", "the playlist changes from \(former ?? "none") to \(numbers.count) tracks")
    }
    let frame = event["frame"].flatMap { Int($0) } ?? 0
    guard isResuming, !request.isFromStart, let name = current else {
      return frame == 0 ? nil : Mismatch("T4", "the playlist begins at frame \(frame)")
    }
    guard let place = places[name] else { return nil }
    let isThere = event["track"].flatMap { Int($0) }.flatMap(file) == place.file && place.frames.contains(frame)
    return isThere
      ? nil : Mismatch("T4", "it goes on at frame \(frame), and was left at \(place.frames) of \(place.file)")
  }
}

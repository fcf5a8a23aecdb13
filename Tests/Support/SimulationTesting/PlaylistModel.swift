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
    /// Which one; nil: that is not known.
    var file: String?
  }

  private struct Place {
    var file: String
    var frames: ClosedRange<Int>
  }

  /// The names of all files that there ever are.
  private let all: [String]
  /// The files that the kiosk has listed, and those that are really there.
  private var listed: Set<String>
  private var present: Set<String>
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
    all = library.map(\.name)
    listed = Set(all)
    present = listed
    selectors = board.lines.compactMap { line in
      guard case .selector(let playlist, let released) = line.role else { return nil }
      return (line.name, playlist, released)
    }
    isResuming = settings.playlistStart == .resume
    take(nil)
  }

  /// The playlist's tracks that can be played.
  var playable: [String] {
    numbers.map { all[$0 - 1] }.filter { TestMusic.frames(of: $0) != nil && present.contains($0) }
  }

  /// Numbers in all the music of what is not listed, or not there.
  var absent: Set<Int> {
    Set(all.indices.filter { !listed.contains(all[$0]) || !present.contains(all[$0]) }.map { $0 + 1 })
  }

  func has(_ name: String) -> Bool { listed.contains { $0.hasPrefix("\(name)/") } }

  func file(_ track: Int) -> String? {
    numbers.indices.contains(track - 1) ? all[numbers[track - 1] - 1] : nil
  }

  /// The track that the place falls to where the file of the current one is gone.
  func heir(of file: String) -> String? {
    guard let place = all.firstIndex(of: file), !numbers.isEmpty else { return nil }
    return all[(numbers.first { $0 > place } ?? numbers[0]) - 1]
  }

  /// Other music is listed, or there.
  mutating func take(listed: Set<String>, present: Set<String>) {
    self.listed = listed
    self.present = present
    take(current)
  }

  private mutating func take(_ name: String?) {
    current = name
    numbers = all.indices.filter { isListed(all[$0], in: name) }.map { $0 + 1 }
  }

  private func isListed(_ file: String, in playlist: String?) -> Bool {
    listed.contains(file) && (playlist.map { file.hasPrefix("\($0)/") } ?? true)
  }

  // MARK: - Tracks

  /// The track's file, and the playlist that it is played in: the current one, or the one that it lies in.
  func find(_ name: String) -> (file: String, playlist: String?)? {
    if let number = Int(name) { return file(number).map { ($0, current) } }
    if let number = numbers.first(where: { isCalled(all[$0 - 1], name) }) { return (all[number - 1], current) }
    guard let path = all.first(where: { listed.contains($0) && isCalled($0, name) }) else { return nil }
    return (path, path.split(separator: "/").dropLast().first.map(String.init))
  }

  private func isCalled(_ path: String, _ name: String) -> Bool {
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

  /// What was saved comes back, unless a selector names another; one that no longer has a track becomes all the music.
  mutating func restore(_ name: String?, selected: String?) -> Mismatch? {
    take(name)
    let due = selected.map { [$0] } ?? kept
    let isKnown = due.contains(name) || name == nil && due.contains { $0.map { !has($0) } ?? false }
    return isKnown ? nil : Mismatch("T4", "the playlist after power on is \(name ?? "none")")
  }

  mutating func noteSave() { kept = [current] }

  /// Somebody leaves the playlist at this place.
  mutating func leave(_ file: String?, frames: ClosedRange<Int>) {
    if let current { places[current] = file.map { Place(file: $0, frames: frames) } }
  }

  /// Another playlist is the queue, or this one again.
  mutating func change(_ event: Event, to request: Request) -> Mismatch? {
    let former = current
    take(request.name)
    kept.append(current)
    if event["from"] != former || event["tracks"] != String(numbers.count) {
      return Mismatch("T4", "the playlist changes from \(former ?? "none") to \(numbers.count) tracks")
    }
    let track = event["track"].flatMap { Int($0) }.flatMap(file)
    if let chosen = request.file, track != chosen {
      return Mismatch("T4", "the playlist begins with \(track ?? "nothing"), and \(chosen) was chosen")
    }
    let frame = event["frame"].flatMap { Int($0) } ?? 0
    guard isResuming, !request.isFromStart, let name = current else {
      return frame == 0 ? nil : Mismatch("T4", "the playlist begins at frame \(frame)")
    }
    guard let place = places[name], listed.contains(place.file) else { return nil }
    let isThere = track == place.file && place.frames.contains(frame)
    return isThere
      ? nil : Mismatch("T4", "it goes on at frame \(frame), and was left at \(place.frames) of \(place.file)")
  }
}

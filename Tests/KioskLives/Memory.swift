import AudioSession
import Jukebox

@testable import Simulator

/// What may come back after a power cut (W rows): what was saved last, or anything that was true since.
struct Memory {
  private struct Place: Equatable {
    var track: Int
    var frame: Int
  }

  private let ports: [OutputPort]
  private let settings: Settings
  /// Numbers of the tracks that can be played.
  private let playable: Set<Int>
  /// What each port's volume is; more than one where that was not heard yet.
  private var volumes: [Port: Set<Int>] = [:]
  /// What it may be after a power cut.
  private var kept: [Port: Set<Int>] = [:]
  /// Frames of each track that playback was at since the last save.
  private var places: [Int: ClosedRange<Int>] = [:]
  private var isPlaying = false
  private(set) var mayPlayAtBoot = false
  private var hasPlayed = false

  private var state = StorageState.good
  /// The storage's fault was told, or has had no occasion.
  private var isFaultTold = false
  /// What was saved last, and since when something else is true.
  private var saved: [Port: Set<Int>] = [:]
  private var unsavedSince: Instant?
  /// Where it was at the last save, as the next look saw it, and since when it is elsewhere.
  private var savedPlace: Place?
  /// Where it was just before that look: a track that cannot be played is left in the instant in which it is saved.
  private var passedPlace: Place?
  /// At the last look.
  private var latest: Place?
  /// Where the log has said that it is, since that look.
  private var told: Place?
  private var movedSince: Instant?
  /// From a change until it is saved, at most: an interval, or the two seconds in which changes are gathered; and one more
  /// for what the storage was told late.
  private let patience: Duration
  /// What the console has made of the route and the category, now and since the last save.
  private(set) var forced: [Port?] = []
  private(set) var categories: [SessionCategory?] = []

  init(ports: [OutputPort], settings: Settings, playable: [Int]) {
    self.ports = ports
    self.playable = Set(playable)
    self.settings = settings
    patience = max(settings.saveInterval, .seconds(2)) + .seconds(1)
    for setup in ports {
      volumes[setup.port] = [min(settings.startVolume, setup.ceiling)]
      kept[setup.port] = volumes[setup.port]
    }
    saved = volumes
    places[1] = 0...0
  }

  mutating func storage(_ state: StorageState) {
    self.state = state
    unsavedSince = nil
    movedSince = nil
  }

  mutating func typed(route port: Port?) { forced.append(port) }
  mutating func typed(category: SessionCategory) { categories.append(category) }

  // MARK: - Saving

  mutating func objection(to event: Event, at now: Instant) -> Objection? {
    if event.name == .volumeChanged { return volumeChanged(event, at: now) }
    if event.name == .stateSaved { return saved(event) }
    listen(event)
    if event.name == .playbackStopped && ["idle", "prompt-expired"].contains(event["cause"]) { reset() }
    return nil
  }

  /// Where sound begins, the log names the place.
  private mutating func listen(_ event: Event) {
    guard [.playbackStarted, .playbackResumed, .trackStarted].contains(event.name),
      let track = event["track"].flatMap({ Int($0) }), let frame = event["frame"].flatMap({ Int($0) })
    else { return }
    told = Place(track: track, frame: frame)
  }

  private mutating func volumeChanged(_ event: Event, at now: Instant) -> Objection? {
    guard let port = event["port"].flatMap(Port.init), let from = event["from"].flatMap({ Int($0) }),
      let to = event["volume"].flatMap({ Int($0) })
    else { return Objection("K5", "volume.changed without port, volume and from") }
    if volumes[port]?.contains(from) != true {
      return Objection("R13", "the volume of \(port.rawValue) was not \(from)")
    }
    if event["cause"] != nil { reset() }
    volumes[port] = [to]
    kept[port, default: []].insert(to)
    return nil
  }

  /// Back to the start values (Q4, K8).
  mutating func reset() {
    for setup in ports {
      let start = min(settings.startVolume, setup.ceiling)
      volumes[setup.port, default: []].insert(start)
      kept[setup.port, default: []].insert(start)
    }
  }

  private mutating func saved(_ event: Event) -> Objection? {
    if event["error"] != nil {
      if state == .good { return Objection("W3", "a save has failed on a good storage") }
      if isFaultTold { return Objection("W3", "the storage's fault is told again") }
      isFaultTold = true
      return nil
    }
    if state != .good { return Objection("W3", "saved on a storage that is \(state.rawValue)") }
    isFaultTold = false
    kept = volumes
    saved = volumes
    unsavedSince = nil
    savedPlace = nil
    passedPlace = told ?? latest
    movedSince = nil
    // What was saved is from between the last look and the next.
    places = [:]
    for place in [latest, told].compactMap({ $0 }) { visit(place) }
    forced = forced.suffix(1)
    categories = categories.suffix(1)
    hasPlayed = isPlaying
    return nil
  }

  // MARK: - Power

  mutating func powerCut() {
    volumes = kept
    saved = kept
    mayPlayAtBoot = hasPlayed || isPlaying
    isPlaying = false
    unsavedSince = nil
    movedSince = nil
    savedPlace = nil
    passedPlace = nil
    told = nil
  }

  mutating func willBoot() { isFaultTold = false }

  /// Whether the console's last words about the route may come back; from now on they are what is true.
  mutating func restore(route: Port?, category: SessionCategory?) -> Bool {
    defer {
      forced = [route]
      categories = [category]
    }
    return (route == settings.route || forced.contains(route)) && (category == nil || categories.contains(category))
  }

  /// W1, W2.
  mutating func didBoot(_ status: Status, at now: Instant) -> Objection? {
    if status.state == .playing && !(settings.playOnBoot && mayPlayAtBoot) {
      return Objection("W2", "it plays by itself after power on")
    }
    return heard(status) ?? place(status, atBoot: true)
  }

  mutating func objection(to status: Status, at now: Instant, isPlaying: Bool) -> Objection? {
    self.isPlaying = isPlaying
    if isPlaying { hasPlayed = true }
    let isSaved = volumes.allSatisfy { port, possible in saved[port]?.isDisjoint(with: possible) == false }
    unsavedSince = isSaved ? nil : unsavedSince ?? now
    let here = status.track.map { Place(track: $0, frame: status.frame) }
    let origin = savedPlace ?? here
    savedPlace = origin
    told = nil
    movedSince = here == origin || here == passedPlace ? nil : movedSince ?? now
    if state == .good {
      if let unsavedSince, now > unsavedSince + patience {
        return Objection("W1", "a volume was changed at \(unsavedSince.stamp), and not saved")
      }
      if let movedSince, now > movedSince + patience {
        return Objection("W1", "it is elsewhere since \(movedSince.stamp), and was not saved")
      }
    }
    return heard(status) ?? place(status, atBoot: false)
  }

  /// The volume of the route is what it was the last time (R13).
  private mutating func heard(_ status: Status) -> Objection? {
    guard let port = status.route.port, let volume = status.volume else { return nil }
    guard let possible = volumes[port], possible.contains(volume) else {
      let known = (volumes[port] ?? []).sorted().map(String.init).joined(separator: " or ")
      return Objection("W1", "the volume of \(port.rawValue) is \(volume), expected \(known)")
    }
    if possible.count > 1 {
      if volumes == saved { saved[port] = [volume] }
      volumes[port] = [volume]
    }
    return nil
  }

  private mutating func place(_ status: Status, atBoot: Bool) -> Objection? {
    guard let track = status.track else { return nil }
    if atBoot && !settings.shuffle {
      // Stopped is at the start of the track.
      let isKnown = places[track].map { status.frame == 0 || $0.contains(status.frame) } ?? (places.isEmpty)
      let isBehindBroken = status.frame == 0 && !playable.isSuperset(of: places.keys)
      if !isKnown && !isBehindBroken {
        return Objection("W1", "it is at frame \(status.frame) of track \(track), where it was not lately")
      }
    }
    let here = Place(track: track, frame: status.frame)
    latest = here
    visit(here)
    return nil
  }

  private mutating func visit(_ place: Place) {
    let range = places[place.track] ?? place.frame...place.frame
    places[place.track] = min(range.lowerBound, place.frame)...max(range.upperBound, place.frame)
  }
}

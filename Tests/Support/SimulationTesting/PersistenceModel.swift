import AudioSession
import Jukebox
import Simulator

/// What the kiosk may remember after a power cut (W rows): what was saved last, or any state that it has had since.
struct PersistenceModel {
  private struct Place: Equatable {
    var track: Int
    var frame: Int
  }

  private let ports: [OutputPort]
  private let settings: Settings
  /// Numbers of the tracks that can be played.
  private let playable: Set<Int>
  /// Each port's volume; several possible ones until the log or the status has named it.
  private var volumes: [Port: Set<Int>] = [:]
  /// What each port's volume may be after a power cut.
  private var kept: [Port: Set<Int>] = [:]
  /// The frames of each track at which playback has been since the last save.
  private var places: [Int: ClosedRange<Int>] = [:]
  /// Numbers in all the music of the queue's tracks; empty: all of them.
  var numbers: [Int] = []
  /// All files that there ever are.
  var files: [String] = []
  /// Numbers of the tracks that are not there: their places are kept.
  var absent: Set<Int> = []
  /// The file of the place is gone: what is saved is not the position of playback.
  var isPlaceKept = false
  /// A selector named the playlist at power on: the place in it need not be the saved one.
  var isSelected = false
  private var isPlaying = false
  private(set) var mayPlayAtBoot = false
  private var hasPlayed = false

  private(set) var state = StorageState.good
  /// The storage's fault was logged.
  private var isFaultLogged = false
  /// The volumes that were saved last, and since when others are set.
  private var saved: [Port: Set<Int>] = [:]
  private var unsavedSince: Instant?
  /// The place at the last save, as the next status showed it; see `movedSince`.
  private var savedPlace: Place?
  /// The place just before that status: a track that cannot be played is left in the instant in which it is saved.
  private var passedPlace: Place?
  /// The place in the last status.
  private var lastPlace: Place?
  /// The place that the log has named since that status.
  private var loggedPlace: Place?
  /// Since when playback is at another place than the saved one.
  private var movedSince: Instant?
  /// The longest time from a change until it is saved: an interval, or the two seconds in which changes are gathered; and
  /// one second more for what reaches the storage late.
  private let saveDeadline: Duration
  /// The routes and categories that the console has set, now and since the last save.
  private(set) var forced: [Port?] = []
  private(set) var categories: [SessionCategory?] = []
  /// A visit has ended in this instant, and the log has still to say that the volumes of these ports go back (V2).
  private var resetDue: Set<Port> = []
  /// With visits that end by a gap, the volumes are those of the start after a power cut (V7).
  private var keepsVolumes: Bool { settings.visitGap == .zero }

  init(ports: [OutputPort], settings: Settings, playable: [Int]) {
    self.ports = ports
    self.playable = Set(playable)
    self.settings = settings
    saveDeadline = max(settings.saveInterval, .seconds(2)) + .seconds(1)
    for setup in ports {
      volumes[setup.port] = [min(settings.startVolume, setup.ceiling)]
      kept[setup.port] = volumes[setup.port]
    }
    saved = volumes
    places[1] = 0...0
  }

  mutating func setStorage(_ state: StorageState) {
    self.state = state
    unsavedSince = nil
    movedSince = nil
  }

  mutating func note(route port: Port?) { forced.append(port) }
  mutating func note(category: SessionCategory) { categories.append(category) }

  // MARK: - Saving

  mutating func check(_ event: Event, at now: Instant) -> Mismatch? {
    if event.name == .volumeChanged { return checkVolumeChange(event, at: now) }
    if event.name == .stateSaved { return checkSave(event) }
    notePlace(event)
    if event.name == .playbackStopped && ["idle", "prompt-expired", "hung-up", "closed"].contains(event["cause"]) {
      reset()
    }
    return nil
  }

  /// The log names the place where sound begins, or somebody has sought it.
  private mutating func notePlace(_ event: Event) {
    guard [.playbackStarted, .playbackResumed, .playbackMoved, .trackStarted].contains(event.name),
      let track = number(event["track"].flatMap({ Int($0) })), let frame = event["frame"].flatMap({ Int($0) })
    else { return }
    loggedPlace = Place(track: track, frame: frame)
  }

  private mutating func checkVolumeChange(_ event: Event, at now: Instant) -> Mismatch? {
    guard let port = event["port"].flatMap(Port.init), let from = event["from"].flatMap({ Int($0) }),
      let to = event["volume"].flatMap({ Int($0) })
    else { return Mismatch("K5", "volume.changed without port, volume and from") }
    if volumes[port]?.contains(from) != true {
      return Mismatch("R13", "the volume of \(port.rawValue) was not \(from)")
    }
    if ["idle", "prompt-expired", "hung-up", "closed"].contains(event["cause"]) { reset() }
    resetDue.remove(port)
    volumes[port] = [to]
    kept[port, default: []].insert(to)
    return nil
  }

  /// A knob is turned (G1). There is no line for each detent.
  mutating func turn(_ port: Port, by points: Int) {
    let ceiling = ports.first { $0.port == port }?.ceiling ?? 100
    volumes[port] = Set((volumes[port] ?? []).map { max(0, min($0 + points, ceiling)) })
    kept[port, default: []].formUnion(volumes[port] ?? [])
    resetDue.remove(port)
  }

  func mayBe(_ port: Port) -> Set<Int> { volumes[port] ?? [] }

  /// Back to the start values (Q4, K8).
  mutating func reset() {
    for setup in ports {
      let start = min(settings.startVolume, setup.ceiling)
      volumes[setup.port, default: []].insert(start)
      kept[setup.port, default: []].insert(start)
    }
  }

  /// V2: every port is at its start now, and where it was known to be at another volume, a line says so.
  mutating func endVisit() {
    resetDue = Set(volumes.filter { !$0.value.contains(start(of: $0.key)) }.keys)
    reset()
  }

  private func start(of port: Port) -> Int {
    min(settings.startVolume, ports.first { $0.port == port }?.ceiling ?? 100)
  }

  private mutating func checkSave(_ event: Event) -> Mismatch? {
    if event["error"] != nil {
      if state == .good { return Mismatch("W3", "a save has failed on a good storage") }
      if isFaultLogged { return Mismatch("W3", "the storage's fault is logged again") }
      isFaultLogged = true
      return nil
    }
    if state != .good { return Mismatch("W3", "saved on a storage that is \(state.rawValue)") }
    isFaultLogged = false
    kept = volumes
    saved = volumes
    unsavedSince = nil
    savedPlace = nil
    passedPlace = loggedPlace ?? lastPlace
    movedSince = nil
    // The saved place is from between the last status and the next.
    places = places.filter { absent.contains($0.key) }
    for place in [lastPlace, loggedPlace].compactMap({ $0 }) { extendPlaces(to: place) }
    forced = forced.suffix(1)
    categories = categories.suffix(1)
    hasPlayed = isPlaying
    return nil
  }

  // MARK: - Power

  mutating func cutPower() {
    if !keepsVolumes { for setup in ports { kept[setup.port] = [start(of: setup.port)] } }
    volumes = kept
    saved = kept
    resetDue = []
    mayPlayAtBoot = hasPlayed || isPlaying
    isPlaying = false
    unsavedSince = nil
    movedSince = nil
    savedPlace = nil
    passedPlace = nil
    loggedPlace = nil
  }

  mutating func prepareForBoot() { isFaultLogged = false }

  /// Whether the place that was saved may be one whose file is not there.
  var mayBeAbsent: Bool { places.keys.contains(where: absent.contains) }

  /// Returns whether this route and category may have been saved; from now on they are the current ones.
  mutating func restore(route: Port?, category: SessionCategory?) -> Bool {
    defer {
      forced = [route]
      categories = [category]
    }
    return (route == settings.route || forced.contains(route)) && (category == nil || categories.contains(category))
  }

  /// W1, W2.
  /// - Parameter mayOpen: the opening hours may have it play (H2.3).
  mutating func checkBoot(_ status: Status, mayOpen: Bool = false, at now: Instant) -> Mismatch? {
    if status.state == .playing && !mayOpen && !(settings.playOnBoot && mayPlayAtBoot) {
      return Mismatch("W2", "it plays by itself after power on")
    }
    return checkVolume(status) ?? checkPlace(status, atBoot: true)
  }

  mutating func check(_ status: Status, at now: Instant, isPlaying: Bool) -> Mismatch? {
    self.isPlaying = isPlaying
    if isPlaying { hasPlayed = true }
    if let port = resetDue.min(by: { $0.rawValue < $1.rawValue }) {
      return Mismatch("V2", "a visit has ended, and no line says that the volume of \(port.rawValue) goes back")
    }
    let isSaved = volumes.allSatisfy { port, possible in saved[port]?.isDisjoint(with: possible) == false }
    unsavedSince = isSaved || !keepsVolumes ? nil : unsavedSince ?? now
    let here = number(of: status).map { Place(track: $0, frame: status.frame) }
    let origin = savedPlace ?? here
    if !isPlaceKept { savedPlace = origin }
    loggedPlace = nil
    movedSince = here == origin || here == passedPlace || isPlaceKept ? nil : movedSince ?? now
    if state == .good {
      if let unsavedSince, now > unsavedSince + saveDeadline {
        return Mismatch("W1", "a volume changed at \(unsavedSince.logStamp), and not saved")
      }
      if let movedSince, now > movedSince + saveDeadline {
        return Mismatch("W1", "the place moved at \(movedSince.logStamp), and was not saved")
      }
    }
    return checkVolume(status) ?? checkPlace(status, atBoot: false)
  }

  /// The volume of the route is the one that was set there last (R13).
  private mutating func checkVolume(_ status: Status) -> Mismatch? {
    guard let port = status.route.port, let volume = status.volume else { return nil }
    guard let possible = volumes[port], possible.contains(volume) else {
      let known = (volumes[port] ?? []).sorted().map(String.init).joined(separator: " or ")
      return Mismatch("W1", "the volume of \(port.rawValue) is \(volume), expected \(known)")
    }
    if possible.count > 1 {
      if volumes == saved { saved[port] = [volume] }
      volumes[port] = [volume]
    }
    return nil
  }

  private mutating func checkPlace(_ status: Status, atBoot: Bool) -> Mismatch? {
    guard let track = number(of: status) else { return nil }
    if atBoot && !settings.shuffle && !isSelected {
      // A stopped kiosk is at the start of the track.
      let isKnown = places[track].map { status.frame == 0 || $0.contains(status.frame) } ?? (places.isEmpty)
      let isBehindBroken = status.frame == 0 && !playable.isSuperset(of: places.keys)
      let isBehindGone = status.frame == 0 && mayBeAbsent
      // A track that cannot be played is left in the instant in which it is saved.
      let isBroken = status.frame == 0 && !playable.contains(track)
      if !isKnown && !isBehindBroken && !isBehindGone && !isBroken {
        return Mismatch("W1", "it is at frame \(status.frame) of track \(track), where it has not been lately")
      }
    }
    let here = Place(track: track, frame: status.frame)
    lastPlace = here
    extendPlaces(to: here)
    return nil
  }

  /// The number of the current track in all the music; a track that is gone from the playlist still has one.
  private func number(of status: Status) -> Int? {
    status.track == nil ? status.file.flatMap(files.firstIndex).map { $0 + 1 } : number(status.track)
  }

  /// The number in all the music of a track of the playlist.
  private func number(_ track: Int?) -> Int? {
    guard let track, numbers.indices.contains(track - 1) else { return track }
    return numbers[track - 1]
  }

  private mutating func extendPlaces(to place: Place) {
    let range = places[place.track] ?? place.frame...place.frame
    places[place.track] = min(range.lowerBound, place.frame)...max(range.upperBound, place.frame)
  }
}

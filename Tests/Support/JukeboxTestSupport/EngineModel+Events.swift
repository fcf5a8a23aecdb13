import AudioSession

@testable import Jukebox

/// What happens to the engine by itself.
extension EngineModel {
  /// Lets the decoder open the requested track.
  mutating func decoded(_ tags: TrackTags = TrackTags(), at now: Instant) {
    guard case .opening(let track) = decoder else { return }
    if let library, library[track] == nil { return failed("it is gone from the music") }
    decoder = .asking
    // Beyond the end of a track there is nothing: it begins at its start.
    if tracks.isEmpty, let end = tags.frames, frame > end { frame = 0 }
    tracks.append(track)
    reports.append(.opened(stream: stream, track: track, tags))
    startIfReady(at: now)
  }

  mutating func failed(_ reason: String, isMissing: Bool = false) {
    guard case .opening(let track) = decoder else { return }
    decoder = .asking
    if tracks.isEmpty { frame = 0 }
    reports.append(.failed(stream: stream, track: track, reason: reason, isMissing: isMissing))
  }

  /// Lets the storage fail at this frame of the last track that is decoded; nil: at the track that is to be opened.
  mutating func storageFails(frame: Int? = nil, at now: Instant) {
    var position = Position(track: tracks.last ?? 0, frame: frame ?? 0)
    if case .opening(let track) = decoder, frame == nil {
      position = Position(track: track, frame: tracks.isEmpty ? self.frame : 0)
    }
    decoder = .idle
    isClosed = true
    isEndDecoded = true
    reports.append(.storageFailed(stream: stream, position, reason: "the storage is gone"))
    startIfReady(at: now)
  }

  /// Lets the current track be heard to its end.
  mutating func heardOut(at now: Instant) {
    guard phase == .running else { return }
    if tracks.count > 1 {
      tracks.removeFirst()
      frame = 0
      since = now
      reports.append(.playback(.began(stream: stream, Position(track: tracks[0], frame: 0), at: now)))
    } else if isClosed {
      isOver = true
      since = nil
      phase = .silent
      reports.append(.playback(.ended(stream: stream)))
      arriveIfSilent(at: now)
    }
  }

  /// Breaks off the current track; `heardOut` then continues with the next.
  mutating func breaksOff(at now: Instant) {
    guard phase == .running, let position = position(at: now) else { return }
    reports.append(.brokeOff(stream: stream, position, reason: "damaged"))
  }

  /// Lets the device run empty, and go on where it was.
  mutating func runsEmpty(at now: Instant) {
    stand(at: now)
    reports.append(.playback(.underrun(position(at: now))))
    guard phase == .running else { return }
    phase = .priming
    if ahead == nil { startIfReady(at: now) } else { arrive(at: now) }
  }

  /// Lets the device come back at another rate: everything decoded has the wrong one (R12).
  mutating func reshape(at now: Instant) {
    stand(at: now)
    phase = .silent
    reports.append(.playback(.outputChanged(rate: 44_100, bufferFrames: 1, position(at: now))))
    tracks = []
    // Nothing that was decoded for the old shape is heard from now on.
    isEndDecoded = isClosed
    isClosed = false
    isReshaped = true
    cue = nil
  }

  /// Loses the device that has just broken, if it is in use.
  mutating func breaks(at now: Instant) {
    deviceWorks = false
    guard isOpen, !works, isHeard else { return }
    // The loss of a device that was being left anyway is not reported.
    if ahead == nil { lose(at: now) } else { arrive(at: now) }
  }

  /// Loses the device.
  mutating func lose(at now: Instant) {
    stand(at: now)
    isOpen = false
    phase = .silent
    reports.append(.outputLost(reason: "gone", position(at: now)))
    failCue("gone")
  }
}

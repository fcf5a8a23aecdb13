import AudioSession

/// What of the music is heard, by the reports of the engine: from the first frame heard to the last one, not from command
/// to command (E1).
struct Hearing: Hashable, Sendable {
  /// A track that is listened to, and the playlist that it is one of.
  struct Listen: Hashable, Sendable {
    var track: TrackID?
    var playlist: String?
  }

  /// The music goes over from one listen to another, of which nothing is heard yet (E4.1).
  struct Change: Hashable, Sendable {
    var from: Listen
    var to: Listen
  }

  /// Frames of this stream are heard.
  private(set) var stream: UInt8?
  /// Music is heard, or goes on in a moment: after a skip, a seek, contact bounce, or a switch of the route.
  private(set) var isPlaying = false
  /// The track that was heard last, until that listen is over, and the playlist of it, as long as that is not left. A hold
  /// and a pause do not end it (E4).
  private(set) var listen = Listen()
  /// nil: the music that is heard is the current one, or none goes on.
  private(set) var change: Change?

  /// When the music and the cue began, which the engine knows before they are heard.
  private var (musicBegan, cueBegan) = (Instant.powerOn, Instant.powerOn)

  /// What was true before the stream was said to be heard from `musicBegan` on.
  private struct Former: Hashable, Sendable {
    var isPlaying = false
    var listen = Listen()
    var change: Change?
    var musicBegan = Instant.powerOn
  }

  private var former = Former()

  /// A frame of the track is heard from this instant on.
  mutating func hear(_ track: TrackID, of playlist: String?, in stream: UInt8, at instant: Instant) {
    if self.stream != stream {
      former = Former(isPlaying: isPlaying, listen: listen, change: change, musicBegan: musicBegan)
      musicBegan = instant
    }
    (self.stream, listen, change) = (stream, Listen(track: track, playlist: playlist), nil)
  }

  mutating func hearCue(at instant: Instant) { cueBegan = instant }

  /// When what a signal follows is heard at the earliest.
  func beginning(of signal: OutputSignal) -> Instant {
    signal.conditions.reduce(.powerOn) { latest, condition in
      switch condition {
      case .playing, .track, .playlist: max(latest, musicBegan)
      case .cue: max(latest, cueBegan)
      case .port, .visit, .prompt, .recording, .page, .noMusic, .fault, .closed, .credits, .request, .requestsFull,
        .noCoins:
        latest
      }
    }
  }

  /// The last frame of this stream was heard; nil: of any. If its first one was still on its way through the card,
  /// nothing of it was.
  mutating func fallSilent(_ stream: UInt8?, at now: Instant) {
    guard let heard = self.stream, stream ?? heard == heard else { return }
    self.stream = nil
    if now < musicBegan {
      (isPlaying, listen, change, musicBegan) = (former.isPlaying, former.listen, former.change, former.musicBegan)
    }
  }

  /// - Parameters:
  ///   - goesOn: music is wanted, and nothing but contact bounce may hold it.
  ///   - current: what is the current one; nothing: it is stopped.
  mutating func settle(goesOn: Bool, _ current: Listen) {
    if stream != nil { isPlaying = true } else if !goesOn { isPlaying = false }
    if stream != nil { return }
    let isOther = change != nil || current != listen
    change = goesOn && isOther ? Change(from: change?.from ?? listen, to: current) : nil
    if current.track != listen.track { listen.track = nil }
    if current.playlist != listen.playlist { listen.playlist = nil }
  }
}

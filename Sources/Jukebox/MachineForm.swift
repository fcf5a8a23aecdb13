import AudioSession
import JSON

/// What programs read: the status and the log as JSON. Members are only added, and keep their meaning.
extension Status {
  /// The console's answer to `status --json`, and what a watcher of the control socket gets (F1).
  public var json: JSONValue {
    [
      "state": .string(state.rawValue), "hold": .strings(holds.map(\.rawValue)),
      "route": .optional(route.port?.rawValue), "connected": .strings(connected.map(\.rawValue).sorted()),
      "volume": .optional(volume), "track": .optional(track), "tracks": .integer(trackCount), "file": .optional(file),
      "title": .optional(tags.title), "artist": .optional(tags.artist), "frame": .integer(frame),
      "prompt": .bool(isPromptShown), "lamp": .string(lamp.rawValue), "sessions": .strings(sessions),
      "interrupted": .strings(interrupted), "duck": .bool(isDucked), "cue": .optional(cue),
      "recording": .bool(recordingSince != nil), "playlist": .optional(playlist),
      "playlists": .strings(Self.fitting(playlists)), "pairing": .bool(isPairing), "visit": .bool(isVisited),
      "sleep": .optional(sleepText),
      "signals": .object(signals.map { JSONValue.Member($0.name, .string($0.pattern.rawValue)) }),
      "hours": hours?.json ?? .null, "quiet": quiet?.json ?? .null, "waiting": .optional(waiting),
      "credits": .optional(credits), "health": health.json,
    ]
  }

  /// The most bytes of names of playlists: a reply has its bounds, and a choice of more than some dozen is none.
  private static let mostPlaylistBytes = 2_048

  private static func fitting(_ names: [String]) -> [String] {
    var left = mostPlaylistBytes
    return Array(
      names.prefix { name in
        left -= name.utf8.count + 3
        return left >= 0
      })
  }

  /// The same without what moves by itself: two that are equal here tell a watcher nothing new.
  public var withoutClocks: Status {
    var status = self
    status.frame = 0
    status.health.uptime = .zero
    status.health.played = .zero
    status.health.temperature = nil
    return status
  }
}

extension Health {
  var json: JSONValue {
    .object(
      [JSONValue.Member("saves", .integer(saves))] + fields.map { JSONValue.Member($0.key, .number($0.value)) })
  }
}

extension Event {
  /// The line as JSON; the time in seconds since power on, the fields as in the log and all of them strings.
  public func json(at instant: Instant) -> JSONValue {
    [
      "time": .number(instant.logStamp), "level": .string(level.rawValue), "event": .string(name.rawValue),
      "fields": .object(fields.map { JSONValue.Member($0.key, .string($0.value)) }),
    ]
  }
}

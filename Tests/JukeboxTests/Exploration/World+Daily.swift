import AudioSession

@testable import Jukebox

/// N6: cues at a time of day, over reboots.
extension World {
  mutating func checkDaily(_ input: Input, _ before: World) {
    if case .scheduled(let cue, let date) = input {
      if dailyDone[cue] == date {
        demand(requests == before.requests, "N6 cue \(cue) is done for \(date.text), and asked for again", &violations)
      } else {
        dailyAsked.insert(Speech.Request(cue: cue, client: brain.configuration.cues[cue].client, date: date))
      }
    }
    // What the shutdown ends is asked for again after the boot.
    if case .shutdown = input { dailyAsked = [] }
    for request in dailyAsked where !requests.contains(request) {
      dailyDone[request.cue] = request.date
      dailyAsked.remove(request)
    }
  }

  /// The cues that are spoken or wait.
  private var requests: [Speech.Request] { brain.cues.speech.waiting + [brain.cues.speech.current].compactMap { $0 } }
}

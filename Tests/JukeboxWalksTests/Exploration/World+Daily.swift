@testable import Jukebox
@testable import JukeboxTestSupport

/// N6: cues at a time of day, over reboots.
extension World {
  mutating func checkDaily(_ input: Input, _ before: World) {
    if case .scheduled(let moment) = input, brain.cues.names.indices.contains(moment.entry) {
      let (cue, date) = (moment.entry, moment.day)
      if dailyDone[cue] == date {
        demand(requests == before.requests, "N6 cue \(cue) is done for \(date.text), and asked for again", &violations)
      } else {
        dailyAsked.insert(Speech.Request(cue: cue, client: brain.configuration.cues[cue].client, moment: moment))
      }
    }
    // A cue that the shutdown ends is asked for again after the boot.
    if case .shutdown = input { dailyAsked = [] }
    for request in dailyAsked where !requests.contains(request) {
      dailyDone[request.cue] = request.moment?.day
      dailyAsked.remove(request)
    }
  }

  /// The cues that are spoken or wait.
  private var requests: [Speech.Request] { brain.cues.speech.waiting + [brain.cues.speech.current].compactMap { $0 } }
}

import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// The rules on cards that lie on a reader (L rows).
extension World {
  /// The card that lies there, or is gone for a moment only.
  var token: String? { brain.laidCards.readers.first?.token }

  private var file: String? { brain.player.queue.track.map(brain.player.name(of:)) }

  /// Whether laying this one chooses its track: it did not lie there before, was not there at power on, and does not go on
  /// with what it was lifted from.
  func begins(_ token: String, _ before: World) -> Bool {
    token != before.token && !isFirst(before) && !goesOn(token, before) && !isElsewhere(before)
  }

  private func isFirst(_ before: World) -> Bool {
    before.brain.laidCards.hasSpoken.isEmpty && now < before.brain.laidCards.bootEnd
  }

  /// L8: what was lifted, or paused otherwise, was heard at another port; also where that is only found by the card that
  /// takes its place.
  private func isElsewhere(_ before: World) -> Bool {
    let (transport, route) = (before.brain.player.transport, before.brain.routes.route.port)
    func isPrivate(_ port: Port?) -> Bool { before.brain.routes.setup(of: port)?.isPrivate ?? false }
    let heardAt = before.brain.heardAt
    let lifted: (port: Port?, isLost: Bool)? =
      switch transport.intent {
      case .stopped: nil
      case .playing where before.token != nil:
        (transport.routeLoss?.from ?? heardAt ?? route, transport.routeLoss != nil)
      case .paused where before.token != nil: (heardAt, false)
      case .playing: before.brain.liftedCard.map { ($0.port, $0.isLost) }
      case .paused: before.brain.liftedCard.map { ($0.port ?? heardAt, $0.isLost) } ?? (heardAt, false)
      }
    guard let lifted, lifted.port != route else { return false }
    return lifted.isLost || isPrivate(lifted.port) && !isPrivate(route)
  }

  /// L3: the card that was lifted last, soon enough, and nobody has touched the music since.
  private func goesOn(_ token: String, _ before: World) -> Bool {
    guard before.token == nil, let lifted = before.brain.liftedCard, lifted.token == token,
      lifted.file == before.file, lifted.playlist == before.brain.player.playlists.current
    else { return false }
    let window = before.brain.configuration.settings.resumeWindow
    return before.brain.player.transport.intent == .paused && (window == .zero || now - lifted.since < window)
  }

  func checkCard(_ input: Input, _ before: World, _ logged: [Event], _ found: inout [String], _ setup: Setup) {
    switch input {
    case .card(_, let token?, _): checkLaid(token, before, logged, &found)
    case .card(_, nil, _):
      demand(logged.isEmpty, "L7 a card that flickers is logged", &found)
      demand(brain.player.transport == before.brain.player.transport, "L7 a card that flickers is heard", &found)
    case .timer(.lift): checkLifted(before, logged, &found, setup)
    case _: break
    }
  }

  private func checkLaid(_ token: String, _ before: World, _ logged: [Event], _ found: inout [String]) {
    demand(self.token == token && timers[.lift(0)] == nil, "L1 a card that lies there is not there", &found)
    if token == before.token {
      demand(logged.isEmpty, "L1 a card that lay there is logged", &found)
      demand(brain.player.transport == before.brain.player.transport, "L1 a card that lay there is heard", &found)
      return
    }
    if isFirst(before) {
      demand(observed.isCommanded == before.observed.isCommanded, "L6 a card starts something at power on", &found)
      return
    }
    demand(!isElsewhere(before) || !observed.isCommanded, "L8 it is heard at another port", &found)
    guard goesOn(token, before) else { return }
    demand(brain.player.queue == before.brain.player.queue, "L3 the queue moves", &found)
    demand(
      brain.player.playhead.frame == before.brain.player.playhead.frame, "L3 it does not go on at the frame", &found)
    demand(
      brain.player.transport.intent == (isElsewhere(before) ? .paused : .playing),
      "L3, L8 it is \(brain.player.transport.intent)", &found)
  }

  private func checkLifted(_ before: World, _ logged: [Event], _ found: inout [String], _ setup: Setup) {
    guard let token = before.token else { return }
    demand(self.token == nil, "L2 a lifted card lies there", &found)
    demand(logged.filter { $0.name == .tokenLifted }.map { $0["token"] } == [token], "L2 it is not logged", &found)
    let isMusic = brain.configuration.settings.choice(of: token) != nil
    guard before.brain.player.transport.intent == .playing, isMusic else { return }
    demand(brain.player.transport.intent == .paused, "L2 it is \(brain.player.transport.intent)", &found)
    demand(!observed.isCommanded, "L2 the music goes on", &found)
    demand(brain.player.transport.routeLoss == nil, "L2 a hold is left to resume", &found)
  }
}

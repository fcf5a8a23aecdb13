import AudioSession
import JSON

/// Messages of the broker: commands, and Home Assistant's birth.
extension FleetAgent {
  mutating func take(_ message: FleetMessage) {
    if message.topic == FleetTopics.homeAssistant {
      // Not at once: all boards hear it in the same moment.
      if message.payload == "online", !message.isRetained, announceDue == nil {
        announceDue = moment.now + .seconds(1 + Int64(options.seed % Self.announceSpread))
      }
      return
    }
    if message.topic == topics["link"] { return note(link: message.payload != "0") }
    if message.topic == topics["content"] { return note(formerContent: message.payload) }
    guard let verb = topics.verb(of: message.topic), !options.tellsOnly else { return }
    let shown = FleetCommand.plain("\(verb) \(message.payload.prefix(64))")
    // A command is for now; what the broker has kept may be years old.
    if message.isRetained {
      if message.payload.isEmpty {
        if let count = takenBack[message.topic] {
          takenBack[message.topic] = count > 1 ? count - 1 : nil
          return
        }
      } else if !options.isDirect {
        // The board's own broker would send it again at every start; of the fleet's, the bridge takes nothing back.
        takenBack[message.topic, default: 0] += 1
        effects.append(.publish(FleetMessage(message.topic, "", isRetained: true)))
      }
      return refuse(shown, "it was retained, and commands are not")
    }
    do throws(FleetCommand.Refusal) {
      switch try FleetCommand(verb: verb, payload: message.payload) {
      case .line(let line): give(line, shown)
      case .look: look(shown, isAlone: message.topic.hasPrefix("\(topics.base)/"))
      }
    } catch {
      refuse(shown, error.message)
    }
  }

  private mutating func give(_ line: String, _ shown: String) {
    guard isControlUp else { return refuse(shown, "no firmware runs") }
    guard requests.count < Self.mostCommands else { return refuse(shown, "too many commands wait") }
    request(.command(line))
  }

  /// - Parameter isAlone: Whether only this board is asked.
  private mutating func look(_ shown: String, isAlone: Bool) {
    guard options.canLook else { return refuse(shown, "nothing on this board fetches content or updates") }
    if let last = lastLook, moment.now < last + Self.lookInterval {
      return refuse(shown, "it was asked to look less than a minute ago")
    }
    if !isAlone, lookDue != nil { return refuse(shown, "it was asked to look, and waits for its time") }
    looking = shown
    if isAlone { return lookNow() }
    // Not at once: all boards hear it in the same moment, and would ask one server.
    let seconds = 1 + Int64(options.seed % Self.lookSpread)
    lookDue = moment.now + .seconds(seconds)
    reply(to: shown, ["the board looks for newer content and software in \(seconds) s"])
  }

  mutating func lookNow() {
    lookDue = nil
    effects.append(.look)
  }

  mutating func noteLook(refusal: String?) {
    guard let shown = looking.take() else { return }
    if let refusal { return refuse(shown, refusal) }
    lastLook = moment.now
    reply(to: shown, ["the board looks for newer content and software now"])
  }

  private mutating func refuse(_ shown: String, _ reason: String) {
    effects.append(.log("refused: \(shown): \(reason)"))
    reply(to: shown, error: reason)
  }
}

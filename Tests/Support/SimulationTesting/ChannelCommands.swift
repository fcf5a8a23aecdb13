import AudioSession
import Jukebox

/// What each port plays of the channels, by what the console was given, and when it goes back (M4).
struct ChannelCommands {
  /// By the log. Those that are not named play in stereo, as all the boards say.
  private(set) var current: [Port: PortChannels] = [:]
  /// What was typed in this instant, for which a line is due.
  private var typed: [Port: PortChannels] = [:]
  /// A visit has ended in this instant.
  private var isVisitOver = false

  mutating func powerOn() { self = ChannelCommands() }

  mutating func endVisit() { isVisitOver = true }

  mutating func type(_ words: [Substring], route: Port?) {
    guard let verb = words.first, ["channels", "balance"].contains(verb), let value = words.last else { return }
    guard let port = words.count == 3 ? Port(rawValue: String(words[1])) : route else { return }
    var wanted = typed[port] ?? current[port] ?? .stereo
    if verb == "balance" { wanted.balance = Int(value) ?? 0 }
    if verb == "channels" { wanted.mode = PortChannels.Mode(rawValue: String(value)) ?? .stereo }
    typed[port] = wanted
  }

  mutating func check(_ event: Event) -> Mismatch? {
    guard event.name == .channelsChanged else { return nil }
    guard let port = event["port"].flatMap(Port.init), let mode = event["channels"].flatMap(PortChannels.Mode.init)
    else { return Mismatch("K5", "channels.changed without its port and channels") }
    let new = PortChannels(mode, balance: event["balance"].flatMap { Int($0) } ?? 0)
    let isExpected = event["cause"] == nil ? typed[port] == new : new == .stereo
    current[port] = new
    return isExpected
      ? nil : Mismatch("M4", "\(port.rawValue) plays \(mode.rawValue), balance \(new.balance), which nobody typed")
  }

  /// Everything of this instant is over.
  mutating func settle() -> Mismatch? {
    defer { (typed, isVisitOver) = ([:], false) }
    if let port = typed.keys.first(where: { current[$0] ?? .stereo != typed[$0] }) {
      return Mismatch("M4", "the channels of \(port.rawValue) were typed, and no line says that they change")
    }
    guard isVisitOver, typed.isEmpty, let port = current.keys.first(where: { current[$0] != .stereo }) else {
      return nil
    }
    return Mismatch("M4", "the next visitor finds the channels of \(port.rawValue) as the last one left them")
  }
}

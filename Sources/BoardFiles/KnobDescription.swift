import AudioSession
import Board
import Jukebox

/// A knob of a board: `[knobs.NAME]`.
public struct KnobDescription: Hashable, Sendable {
  /// One of its contacts, as a line of a GPIO chip.
  public struct Contact: Hashable, Sendable {
    /// The label that is looked for first.
    public var name: String
    public var fallback: ChipOffset?
  }
  public enum Source: Hashable, Sendable {
    case contacts(a: Contact, b: Contact, activeLow: Bool, bias: LineRequest.Bias)
    /// A relative axis of an input device, which is found by its name or path.
    case axis(device: String, code: InputCode)
  }

  /// The knob as the brain sees it.
  public var knob: Knob
  public var source: Source

  /// The names of its contacts in a set of lines; of one that has none, those that a simulated board has in their place.
  public func name(of contact: KnobContact) -> String {
    switch source {
    case .contacts(let a, let b, _, _): contact == .a ? a.name : b.name
    case .axis: "\(knob.name).\(contact.rawValue)"
    }
  }
}

extension BoardDescription {
  /// The lines of its knobs that the GPIO backend has to open.
  var knobRequests: [LineRequest] {
    knobs.flatMap { knob -> [LineRequest] in
      guard case .contacts(let a, let b, let activeLow, let bias) = knob.source else { return [] }
      return [a, b].map {
        LineRequest(name: $0.name, fallback: $0.fallback, activeLow: activeLow, direction: .input(bias: bias))
      }
    }
  }

  /// The names of the contacts of all knobs, as a simulated board has them.
  public var knobContacts: [String] { knobs.flatMap { knob in KnobContact.allCases.map(knob.name(of:)) } }

  /// The axes of input devices that are knobs.
  public func axisRequests() -> [InputLineRequest] {
    knobs.compactMap { knob in
      guard case .axis(let device, let code) = knob.source else { return nil }
      return InputLineRequest(name: knob.knob.name, device: device, code: code)
    }
  }

  // MARK: - Simulated lines

  /// The number of a contact of a knob behind those of the lines, on a simulated board.
  public func line(of contact: KnobContact, of knob: KnobID) -> LineID {
    LineID(lines.count + 2 * knob.index + (contact == .a ? 0 : 1))
  }

  /// The knob and the contact behind a number; nil for a line.
  public func knobContact(behind line: LineID) -> (knob: KnobID, contact: KnobContact)? {
    let index = line.index - lines.count
    guard index >= 0, index / 2 < knobs.count else { return nil }
    return (KnobID(index / 2), index % 2 == 0 ? .a : .b)
  }
}

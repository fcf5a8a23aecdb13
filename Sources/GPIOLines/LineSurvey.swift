import Board
import Files
import Glibc

/// Which of a board's lines a machine has, found without requesting any of them; for `jackdaw check`.
public struct LineSurvey: Hashable, Sendable {
  public struct Chip: Hashable, Sendable {
    /// The path that opens it.
    public var path: String
    /// The kernel's name, such as `gpiochip0`.
    public var name: String
    /// The driver's label.
    public var label: String
    public var lineCount: Int
  }

  public struct Place: Hashable, Sendable {
    /// The chip's name.
    public var chip: String
    public var offset: Int
    /// The user of the line, empty where the kernel does not say; nil: nobody.
    public var user: String?
  }

  public struct Found: Hashable, Sendable {
    public var request: LineRequest
    /// Nil where it was not found; `problem` says why.
    public var place: Place?
    public var problem: LineError?
    /// It was found, and its table says that it is elsewhere.
    public var contradiction: String?
  }

  public var chips: [Chip]
  /// Paths of chips that could not be opened or read, and why.
  public var unreadable: [String: String]
  /// In the order of the requests.
  public var lines: [Found]
  /// Every label that a line has, each once.
  public var labels: [String]

  init(_ inventory: ChipInventory, _ requests: [LineRequest]) {
    chips = inventory.chips.map {
      Chip(path: $0.paths.first ?? "", name: $0.name, label: $0.label, lineCount: $0.lineLabels.count)
    }
    unreadable = inventory.failures.filter { $0.value.code != ENOENT }.mapValues(\.message)
    lines = requests.map { inventory.found($0) }
    labels = Set(inventory.chips.flatMap(\.lineLabels)).subtracting([""]).sorted()
  }

  /// The labels that are most similar to `name`, best first; at most three.
  public func nearest(to name: String) -> [String] {
    let scored = labels.map { (label: $0, distance: Wording.editDistance(name.lowercased(), $0.lowercased())) }
    let near = scored.filter { $0.distance <= max(2, name.count / 2) }.sorted { $0.distance < $1.distance }
    return near.prefix(3).map(\.label)
  }
}

extension GPIOLineBackend {
  /// Reads all chips. Lines that are in use are found, too.
  public func survey(_ requests: [LineRequest]) -> LineSurvey {
    LineSurvey(ChipInventory.taken(in: directory, for: requests), requests)
  }
}

extension ChipInventory {
  fileprivate func found(_ request: LineRequest) -> LineSurvey.Found {
    do throws(LineError) {
      let place = try place(of: request)
      let chip = chips.first { $0.name == place.chip }
      let user = chip?.users[place.offset]
      return LineSurvey.Found(
        request: request, place: LineSurvey.Place(chip: place.chip, offset: place.offset, user: user),
        contradiction: contradiction(of: request))
    } catch {
      return LineSurvey.Found(request: request, problem: error)
    }
  }
}

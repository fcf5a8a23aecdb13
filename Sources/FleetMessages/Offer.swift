import JSON

/// What there is of the board's software or of its exhibition, as whatever installs it writes it down: which version is
/// installed, and which is the newest that it knows of.
public struct Offer: Hashable, Sendable {
  public var installed: String
  /// The same where nothing newer is known.
  public var latest: String
}

extension Offer {
  /// The longest version that is taken, in bytes.
  private static let longest = 100

  /// Two words; nil for another text.
  public init?(_ text: String) {
    let words = text.split { $0.isWhitespace }.map(String.init)
    guard words.count == 2, words.allSatisfy({ $0.utf8.count <= Self.longest && FleetCommand.plain($0) == $0 }) else {
      return nil
    }
    self.init(installed: words[0], latest: words[1])
  }
}

/// What is known of both; nil where nobody has written anything.
public struct Offers: Hashable, Sendable {
  public var software: Offer?
  public var exhibition: Offer?

  public init(software: Offer? = nil, exhibition: Offer? = nil) {
    self.software = software
    self.exhibition = exhibition
  }
}

extension FleetAgent {
  mutating func note(offers new: Offers) {
    guard new != offers else { return }
    offers = new
    tellInfo()
    tellContent()
  }

  /// The newest software, for the version that runs; one that was written down for another no longer counts.
  var latestSoftware: [JSONValue.Member] {
    guard let offer = offers.software, offer.installed == board?["version"]?.string else { return [] }
    return [.init("latest", .string(offer.latest))]
  }
}

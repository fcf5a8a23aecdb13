extension ConsoleCommand {
  static func popular(_ rest: [String]) throws(Invalid) -> Self {
    guard rest.count == 1, let place = Int(rest[0]), Ranking.places.contains(place) else {
      throw Invalid(message: "popular: expected a number from 1 to \(Ranking.places.upperBound)")
    }
    return .music(.popular(place))
  }
}

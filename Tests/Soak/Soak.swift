import AudioSession
import Board
import Glibc
import KioskLives

/// Lives kiosk lives until something is wrong or time is up. `deploy/soak` tells how to call it.
@main
enum Soak {
  static func main() {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      var lives = Lives(options)
      exit(try lives.run() ? 0 : 1)
    } catch let error as Options.Invalid {
      complain(error.message)
    } catch {
      complain("\(error)")
    }
    exit(2)
  }

  private static func complain(_ message: String) {
    let line = "soak: \(message)\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
  }
}

/// A line that is seen at once, wherever it goes.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

struct Options {
  struct Invalid: Error { var message: String }

  /// Simulated hours, at least; the last life is lived to its end.
  var hours = 24
  /// Of the first life; the next ones follow.
  var seed: UInt64
  /// Of real time, after which no further life begins.
  var seconds = Int.max
  /// A scenario to judge instead, and whose.
  var scenario: String?
  var kiosk = "lobby"

  init(_ words: [String]) throws(Invalid) {
    seed = UInt64.random(in: 1...999_999_999)
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--hours": hours = try Self.number(word, &words)
      case "--seed": seed = UInt64(try Self.number(word, &words))
      case "--seconds": seconds = try Self.number(word, &words)
      case "--kiosk":
        guard let name = words.popFirst(), Kiosk.names.contains(name) else {
          throw Invalid(message: "--kiosk: expected one of \(Kiosk.names.joined(separator: ", "))")
        }
        kiosk = name
      case _ where !word.hasPrefix("-") && scenario == nil: scenario = word
      default:
        throw Invalid(message: "\(word): expected --hours N, --seed S, --seconds N, or a scenario and --kiosk NAME")
      }
    }
  }

  private static func number(_ option: String, _ words: inout ArraySlice<String>) throws(Invalid) -> Int {
    guard let word = words.popFirst(), let number = Int(word), number >= 0 else {
      throw Invalid(message: "\(option): expected a whole number")
    }
    return number
  }
}

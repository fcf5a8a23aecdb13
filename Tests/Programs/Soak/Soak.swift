import Glibc

/// Runs generated workloads until something is wrong or time is up; `Tests/run soak` says how to call it.
@main
enum Soak {
  static func main() {
    do {
      let options = try SoakOptions(Array(CommandLine.arguments.dropFirst()))
      var test = SoakTest(options)
      exit(try test.run() ? 0 : 1)
    } catch let error as SoakOptions.Invalid {
      printError(error.message)
    } catch {
      printError("\(error)")
    }
    exit(2)
  }

  private static func printError(_ message: String) {
    let line = "soak: \(message)\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
  }
}

/// Prints a line at once, even into a pipe.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

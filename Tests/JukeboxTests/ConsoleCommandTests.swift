import Testing

@testable import Jukebox

@Suite struct ConsoleCommandTests {
  @Test("K7: every command is understood, whatever space is around it")
  func valid() throws {
    let commands: [(String, ConsoleCommand)] = [
      ("status", .status), ("play", .play), ("stop", .stop), ("next", .next), ("previous", .previous), ("help", .help),
      ("volume 0", .volume(0)), ("volume 100", .volume(100)), ("  volume \t 40 ", .volume(40)),
      ("route headphones", .route(.headphones)), ("route line-out", .route(.lineOut)), ("route auto", .route(nil)),
    ]
    for (line, command) in commands { #expect(try ConsoleCommand(parsing: line) == command) }
  }

  @Test("K7: bad input is answered with what was wrong and what is right")
  func invalid() {
    let lines = [
      ("", "empty command, try help"),
      ("volume", "volume: expected one number from 0 to 100"),
      ("volume 1 2", "volume: expected one number from 0 to 100"),
      ("volume 101", "volume 101: expected a whole number from 0 to 100"),
      ("volume -1", "volume -1: expected a whole number from 0 to 100"),
      ("volume +5", "volume +5: expected a whole number from 0 to 100"),
      ("volume 5.5", "volume 5.5: expected a whole number from 0 to 100"),
      ("volume 99999999999999999999", "volume 99999999999999999999: expected a whole number from 0 to 100"),
      ("route", "route: expected one port, or auto"),
      ("route dock", "route dock: expected auto or one of headphones, line-out, speaker, bluetooth, usb"),
      ("play loud", "play: expected nothing after it"),
      ("Play", "Play: unknown command, expected status, play, stop, next, previous, volume, route or help"),
    ]
    for (line, message) in lines {
      #expect(throws: ConsoleCommand.Invalid(message: message)) { try ConsoleCommand(parsing: line) }
    }
  }
}

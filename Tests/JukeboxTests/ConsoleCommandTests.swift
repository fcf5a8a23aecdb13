import Testing

@testable import Jukebox

@Suite struct ConsoleCommandTests {
  @Test("K7: every command is understood, whatever space is around it")
  func valid() throws {
    let commands: [(String, ConsoleCommand)] = [
      ("status", .question(.status)), (" status  --json", .question(.statusAsJSON)), ("play", .music(.play)),
      ("start", .music(.start)), ("stop", .transport(.stop)), ("next", .transport(.next)),
      ("previous", .transport(.previous)), ("help", .question(.help)), ("volume 0", .setting(.volume(.to(0), of: nil))),
      ("volume 100", .setting(.volume(.to(100), of: nil))), ("  volume \t 40 ", .setting(.volume(.to(40), of: nil))),
      ("volume +5", .setting(.volume(.by(5), of: nil))), ("volume -100", .setting(.volume(.by(-100), of: nil))),
      ("volume speaker 7", .setting(.volume(.to(7), of: .speaker))),
      ("volume line-out -7", .setting(.volume(.by(-7), of: .lineOut))), ("token 12", .sound(.token("12", reader: nil))),
      ("token a7 CARDS", .sound(.token("A7", reader: "CARDS"))), ("route headphones", .setting(.route(.headphones))),
      ("route line-out", .setting(.route(.lineOut))), ("route auto", .setting(.route(nil))),
      ("pause", .transport(.pause)), ("record", .sound(.record)), ("cue welcome", .sound(.cue("welcome"))),
      ("cue closing time", .sound(.cue("closing time"))), ("track 7", .music(.track(.number(7)))),
      ("track 07", .music(.track(.number(7)))), ("track  a waltz.mp3", .music(.track(.file("a waltz.mp3")))),
      ("track -1", .music(.track(.file("-1")))), ("seek 1:30", .transport(.seek(.to(.seconds(90))))),
      ("seek +2.5s", .transport(.seek(.by(.milliseconds(2_500))))), ("category ambient", .setting(.category(.ambient))),
      ("reload", .setting(.reload)), ("pair", .setting(.pair)), ("paired", .question(.paired)),
      ("unpair all", .setting(.unpair(nil))), ("unpair My Headset", .setting(.unpair("My Headset"))),
      ("content reading", .setting(.content(.reading))), ("content idle", .setting(.content(nil))),
      ("content installed  spring 2", .setting(.content(.installed("spring 2")))),
      ("content refused bad signature", .setting(.content(.refused("bad signature")))),
      ("interrupt begin page", .sound(.beginInterruption("page"))),
      ("interrupt end page", .setting(.endInterruption("page", shouldResume: false))),
      ("interrupt end page resume", .setting(.endInterruption("page", shouldResume: true))),
    ]
    for (line, command) in commands { #expect(try ConsoleCommand(parsing: line) == command) }
  }

  @Test("K7: bad input is refused with what was wrong and what is right")
  func invalid() {
    let categories = "ambient, solo-ambient, playback, record, play-and-record, multi-route"
    let but = "but none of music, cue, recorder"
    let ports = "headphones, line-out, speaker, bluetooth, usb"
    let volumes = "a whole number from 0 to 100, alone or behind + or -"
    let verbs =
      "status, stats, play, start, pause, stop, next, previous, track, playlist, popular, seek, volume, channels, balance, route, cue, token, record, sleep, interrupt, "
      + "category, content, pair, paired, unpair, hours, requests, credits, reload or help"
    let lines: [(String, String)] = [
      ("", "empty command, try help"),
      ("volume", "volume: expected \(volumes), behind a port or none"),
      ("volume speaker 1 2", "volume: expected \(volumes), behind a port or none"),
      ("volume 1 2", "volume 1: expected one of \(ports)"),
      ("volume 40 speaker", "volume 40: expected one of \(ports)"),
      ("volume 101", "volume 101: expected \(volumes)"), ("volume +101", "volume +101: expected \(volumes)"),
      ("volume --1", "volume --1: expected \(volumes)"), ("volume +", "volume +: expected \(volumes)"),
      ("volume speaker 5.5", "volume speaker 5.5: expected \(volumes)"),
      ("volume 99999999999999999999", "volume 99999999999999999999: expected \(volumes)"),
      ("start now", "start: expected nothing after it"),
      ("token", "token: expected a token, and a reader's name or none"),
      ("token 1 2 3", "token: expected a token, and a reader's name or none"),
      ("token é", "token é: expected letters, digits and what else a reader types"),
      ("token \(String(repeating: "1", count: 65))", "token: expected 64 characters at most"),
      ("route", "route: expected one port, or auto"),
      ("route dock", "route dock: expected auto or one of headphones, line-out, speaker, bluetooth, usb"),
      ("status --xml", "status: expected nothing after it"), ("play loud", "play: expected nothing after it"),
      ("reload all", "reload: expected nothing after it"), ("pair me", "pair: expected nothing after it"),
      ("unpair", "unpair: expected a headset's name or address, or all"),
      ("cue", "cue: expected a name"), ("track", "track: expected a number or a file's name"),
      ("seek", "seek: expected one time, \(Seek.expected)"), ("seek 1 s", "seek: expected one time, \(Seek.expected)"),
      ("seek soon", "seek soon: expected \(Seek.expected)"),
      ("record now", "record: expected nothing after it"),
      ("category loud", "category: expected one of \(categories)"),
      ("content", "content: expected reading, installed NAME, refused REASON or idle"),
      ("content reading it", "content: expected reading, installed NAME, refused REASON or idle"),
      ("content refused", "content: expected reading, installed NAME, refused REASON or idle"),
      ("interrupt page", "interrupt: expected begin NAME, or end NAME with or without resume"),
      ("interrupt begin Page", "interrupt begin Page: expected 1 to 31 small letters, digits and hyphens, \(but)"),
      ("interrupt begin music", "interrupt begin music: expected 1 to 31 small letters, digits and hyphens, \(but)"),
      ("interrupt begin page now", "interrupt begin page: expected nothing after it"),
      ("interrupt end page now", "interrupt end page: expected resume or nothing after it"),
      ("Play", "Play: unknown command, expected \(verbs)"),
    ]
    for (line, message) in lines {
      #expect(throws: ConsoleCommand.Invalid(message: message)) { try ConsoleCommand(parsing: line) }
    }
  }
}

import BoardFiles
import Files
import Testing

@Suite struct DurationTests {
  private func read(_ value: String) throws -> Duration? {
    try TOMLTable(parsing: Array("d = \(value)".utf8), file: "t.toml")
      .optional("d", .duration(in: .zero ... .seconds(1_000_000)))
  }

  @Test(
    "a duration is a number with a unit, or a number of seconds",
    arguments: [
      ("'30ms'", .milliseconds(30)), ("'1.5s'", .milliseconds(1_500)), ("'10min'", .seconds(600)),
      ("'24h'", .seconds(86_400)), ("'1.5d'", .seconds(129_600)), ("'0.000001ms'", .nanoseconds(1)),
      ("'0.0000019ms'", .nanoseconds(1)),
      ("'1.999999999s'", .nanoseconds(1_999_999_999)), ("'007s'", .seconds(7)), ("'0h'", .zero),
      ("300", .seconds(300)), ("0", .zero), ("0.1", .milliseconds(100)), ("2.5", .milliseconds(2_500)),
    ] as [(String, Duration)])
  func durations(text: String, duration: Duration) throws {
    #expect(try read(text) == duration)
  }

  @Test(
    "anything else is refused",
    arguments: [
      "''", "'s'", "'.s'", "'1.s'", "'.5s'", "'1..5s'", "'1.5.5s'", "'-1s'", "'+1s'", "'1 s'", "' 1s'", "'1S'",
      "'1e3s'", "'1_0s'", "'300'", "'1us'", "'1w'", "'1sms'", "'99999999999999999999s'", "'9999999999h'",
      "'9223372036.9s'", "1e300", "-1", "9223372036854775807", "inf", "nan", "'١s'",
    ])
  func refused(text: String) {
    #expect(throws: FileError.self) { try read(text) }
  }
}

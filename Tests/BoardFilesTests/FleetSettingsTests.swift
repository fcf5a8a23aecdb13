import AudioSession
import Files
import TestSupport
import Testing

@testable import BoardFiles

@Suite struct FleetSettingsTests {
  @Test("F5: the table [fleet] says who a board is and whether it obeys, and the firmware's settings have it, too")
  func everySetting() throws {
    let text = """
      [fleet]
      broker = "mqtts://centre.example"
      user = "posts"
      password = "correct horse"
      id = "lobby-3"
      name = "Lobby, third post"
      groups = ["hall", "north_2"]
      tell_only = true
      """
    let expected = FleetSettings(
      broker: BrokerAddress("mqtts://centre.example:8883"),
      login: FleetSettings.Login(user: "posts", password: "correct horse"), id: "lobby-3", name: "Lobby, third post",
      groups: ["hall", "north_2"], tellsOnly: true)
    #expect(try SettingsFile.parse(Array(text.utf8), file: "s.toml").fleet == expected)
    #expect(try SettingsFile.parse([], file: "s.toml").fleet == FleetSettings())
  }

  @Test("what is wrong in other tables keeps no board out of its fleet; what is wrong in its own does")
  func reading() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("s.toml", "volume = 3\n[cues.x]\nat = 7\n[fleet]\nid = \"b7\"\n")
    #expect(try FleetSettings.read(path) == FleetSettings(id: "b7"))
    let wrong = folder.write("w.toml", "[fleet]\nid = \"all\"\n")
    #expect(throws: FileError.self) { try FleetSettings.read(wrong) }
  }

  @Test("every fault of [fleet] is named with its line", arguments: faults)
  func fault(_ fault: Fault) throws {
    // It is the board's program in its fleet that refuses them.
    let kiosk = try SettingsFile.parse(Array(fault.text.utf8), file: "s.toml")
    #expect(kiosk.fleetFaults.map(\.description) == [fault.error] && kiosk.remarks == kiosk.fleetFaults)
    let table = try TOMLTable(parsing: Array(fault.text.utf8), file: "s.toml")
    #expect(errorTexts { () throws(FileError) in try SettingsFile.fleet(table) } == [fault.error])
  }

  @Test("a word without quotes in [fleet] is a fault of that table, too")
  func word() throws {
    let kiosk = try SettingsFile.parse(Array("[fleet]\nname = Lobby\nid = \"b7\"\n".utf8), file: "s.toml")
    #expect(kiosk.fleetFaults.map(\.line) == [2] && kiosk.fleet.id == "b7")
  }

  private static let rule = "1 to 64 letters, digits, - and _"

  private static func password(_ value: String) -> Fault {
    Fault(
      "s.toml:3: fleet.password: found no text, an empty one or a control character, expected a text in quotes",
      text: "[fleet]\nuser = 'posts'\npassword = \(value)")
  }

  private static let faults = [
    Fault("fleet", "7", "found 7, expected a table"),
    Fault("fleet.broker", "'centre.example'", "found \"centre.example\", expected \(BrokerAddress.rule)"),
    Fault("fleet.broker", "8883", "found 8883, expected a text, \(BrokerAddress.rule)"),
    // No error has a password in it.
    password("12345678"), password("''"), password("\"p\\nlistener 1884 0.0.0.0\""),
    Fault(
      "fleet.broker", "'mqtts://posts:secret99@centre.example'",
      "found a user or a password, which have lines of their own, expected \(BrokerAddress.rule)"),
    Fault("fleet.user", "'posts'", "expected user and password together"),
    Fault("fleet.ids", "'a'", "unknown key, did you mean id?"),
    Fault("fleet.id", "'all'", "found \"all\", expected \(rule), neither all nor group"),
    Fault("fleet.id", "'a/b'", "found \"a/b\", expected \(rule), neither all nor group"),
    Fault("fleet.id", "7", "found 7, expected a name of \(rule), neither all nor group"),
    Fault("fleet.name", "''", "found an empty text, expected a text in quotes"),
    Fault("fleet.groups", "['hall', 'a b']", "found \"a b\" in it, expected an array of names of \(rule)"),
    Fault("fleet.tell_only", "'yes'", "found \"yes\", expected true or false"),
  ]
}

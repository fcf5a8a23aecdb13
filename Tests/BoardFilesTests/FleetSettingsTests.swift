import AudioSession
import BoardFiles
import Files
import TestSupport
import Testing

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
  func fault(_ fault: Fault) { fault.check() }

  private static let rule = "1 to 64 letters, digits, - and _"

  private static func password(_ value: String) -> Fault {
    Fault(
      "s.toml:3: fleet.password: found no text, or one with a control character, expected a text in quotes",
      text: "[fleet]\nuser = 'posts'\npassword = \(value)")
  }

  private static let faults = [
    Fault("s.toml:1: fleet: found 7, expected a table", text: "fleet = 7"),
    Fault(
      "s.toml:2: fleet.broker: found \"centre.example\", expected \(BrokerAddress.rule)",
      text: "[fleet]\nbroker = 'centre.example'"),
    Fault(
      "s.toml:2: fleet.broker: found 8883, expected a text, \(BrokerAddress.rule)", text: "[fleet]\nbroker = 8883"),
    // No error has a password in it.
    password("12345678"), password("''"), password("\"p\\nlistener 1884 0.0.0.0\""),
    Fault(
      "s.toml:2: fleet.broker: found a user or a password, which have lines of their own, expected \(BrokerAddress.rule)",
      text: "[fleet]\nbroker = 'mqtts://posts:secret99@centre.example'"),
    Fault("s.toml:2: fleet.user: expected user and password together", text: "[fleet]\nuser = 'posts'"),
    Fault("s.toml:2: fleet.ids: unknown key, did you mean id?", text: "[fleet]\nids = 'a'"),
    Fault("s.toml:2: fleet.id: found \"all\", expected \(rule), neither all nor group", text: "[fleet]\nid = 'all'"),
    Fault("s.toml:2: fleet.id: found \"a/b\", expected \(rule), neither all nor group", text: "[fleet]\nid = 'a/b'"),
    Fault(
      "s.toml:2: fleet.id: found 7, expected a name of \(rule), neither all nor group", text: "[fleet]\nid = 7"),
    Fault("s.toml:2: fleet.name: found an empty text, expected a text in quotes", text: "[fleet]\nname = ''"),
    Fault(
      "s.toml:2: fleet.groups: found \"a b\" in it, expected an array of names of \(rule)",
      text: "[fleet]\ngroups = ['hall', 'a b']"),
    Fault("s.toml:2: fleet.tell_only: found \"yes\", expected true or false", text: "[fleet]\ntell_only = 'yes'"),
  ]
}

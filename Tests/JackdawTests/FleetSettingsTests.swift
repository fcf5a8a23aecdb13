import TestSupport
import Testing

@Suite struct FleetSettingsTests {
  @Test("F5: jackdaw-fleet is told [fleet] of the settings as JSON, or what is wrong there")
  func telling() throws {
    let folder = try TemporaryFolder()
    let good = folder.write("s.toml", "[fleet]\nid = \"b7\"\ngroups = [\"hall\"]\ntell_only = true\n")
    let outcome = try Program.run(["fleet-settings", good])
    #expect(outcome.output == "{\"id\":\"b7\",\"name\":null,\"groups\":[\"hall\"],\"tell_only\":true}\n")
    let bad = folder.write("w.toml", "[fleet]\nid = \"a b\"\n")
    try expectRefused(
      ["fleet-settings", bad],
      "\(bad):2: fleet.id: found \"a b\", expected 1 to 64 letters, digits, - and _, neither all nor group")
  }
}

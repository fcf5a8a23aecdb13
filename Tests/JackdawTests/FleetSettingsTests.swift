import AudioSession
import Glibc
import TestSupport
import Testing

@Suite struct FleetSettingsTests {
  @Test("F5: jackdaw-fleet is told [fleet] of the settings as JSON, or what is wrong there")
  func telling() throws {
    let folder = try TemporaryFolder()
    let good = folder.write(
      "s.toml",
      "[fleet]\nbroker = \"mqtt://centre\"\nuser = \"u\"\npassword = \"p w\"\nid = \"b7\"\ngroups = [\"hall\"]\ntell_only = true\n"
    )
    let outcome = try Program.run(["fleet-settings", good])
    #expect(
      outcome.output
        == "{\"broker\":\"mqtt://centre:1883\",\"user\":\"u\",\"password\":\"p w\",\"id\":\"b7\",\"name\":null,\"groups\":[\"hall\"],"
        + "\"tell_only\":true}\n")
    let bridge = try Program.run(["setup", "--settings", good], named: "jackdaw-fleet").output
    #expect(bridge.contains("\naddress centre:1883\n") && !bridge.contains("bridge_cafile"))
    #expect(bridge.contains("\nremote_username u\nremote_password p w\n"))
    let bad = folder.write("w.toml", "[fleet]\nid = \"a b\"\n")
    try expectRefused(
      ["fleet-settings", bad],
      "\(bad):2: fleet.id: found \"a b\", expected 1 to 64 letters, digits, - and _, neither all nor group")
  }

  @Test(
    "F3: a board without a serial number is called as its host, and told that a copy of its card would be, too",
    .enabled(if: access("/sys/firmware/devicetree/base/serial-number", F_OK) != 0))
  func hostName() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(["setup", "--broker", "mqtt://centre"], in: folder, named: "jackdaw-fleet")
    #expect(outcome.status == 0 && outcome.output.contains("\nremote_clientid jackdaw-"))
    #expect(outcome.errors.hasPrefix("jackdaw-fleet: this board has no serial number and is called as its host, "))
    let named = ["setup", "--broker", "mqtt://centre", "--id", "b7"]
    #expect(try Program.run(named, in: folder, named: "jackdaw-fleet").errors == "")
  }

  @Test(
    "F5: setup refuses a broker whose encryption does not fit, or none at all",
    arguments: [
      (["--broker", "mqtts://centre"], "broker \"mqtts://centre\": is encrypted, expected --ca"),
      (
        ["--broker", "mqtt://centre", "--ca", "ca.pem"], "broker \"mqtt://centre\": is not encrypted, and takes no --ca"
      ),
      (
        ["--broker", "mqtt://centre", "--cert", "b.pem", "--key", "b.key"],
        "broker \"mqtt://centre\": is not encrypted, and takes no --cert"
      ),
      (["--broker", "centre"], "broker \"centre\": expected \(BrokerAddress.rule)"),
      ([], "there is no broker, expected broker in [fleet] of the settings, or --broker"),
    ])
  func refusing(_ words: [String], _ error: String) throws {
    let folder = try TemporaryFolder()
    let settings = folder.write("s.toml", "[fleet]\nid = \"b7\"\n")
    let outcome = try Program.run(["setup", "--settings", settings] + words, named: "jackdaw-fleet")
    #expect(outcome.errors == "jackdaw-fleet: \(error)\n" && outcome.output.isEmpty)
  }
}

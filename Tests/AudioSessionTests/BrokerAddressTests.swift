import AudioSession
import Testing

@Suite struct BrokerAddressTests {
  @Test("F5: a broker is named with its encryption, its host and its port, or the usual one")
  func reading() {
    let texts = [
      "mqtts://centre.example": "mqtts://centre.example:8883", "mqtt://10.0.0.7": "mqtt://10.0.0.7:1883",
      "mqtts://centre:8884": "mqtts://centre:8884",
    ]
    for (text, whole) in texts { #expect(BrokerAddress(text)?.text == whole) }
    #expect(BrokerAddress("mqtts://centre")?.isEncrypted == true)
    #expect(BrokerAddress("mqtt://centre")?.isEncrypted == false)
  }

  @Test(
    "F5: what is no broker is refused",
    arguments: [
      "", "centre", "centre:1883", "http://centre", "mqtts:centre", "mqtts://", "mqtts://:8883", "mqtts://a b",
      "mqtts://centre/", "mqtts://me@centre", "mqtts://centre:+1", "mqtts://c\u{E9}ntre", "mqtts://centre:0",
      "mqtts://centre:65536", "mqtts://centre:", "mqtts://centre:1:2",
    ])
  func refusing(_ text: String) {
    #expect(BrokerAddress(text) == nil)
  }
}

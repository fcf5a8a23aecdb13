import Glibc
import TestSupport
import Testing

@testable import Firmware
@testable import Storage

@Suite struct ThermometerTests {
  @Test("the temperature is what the kernel's file says; anything else is nil")
  func reading() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/temp"
    #expect(Thermometer(path: path).read() == nil)
    let readings: [(String, Int?)] = [
      ("48372\n", 48_372), ("-1250", -1_250), ("", nil), ("warm\n", nil), ("999999\n", nil), ("1 2\n", nil),
    ]
    for (text, expected) in readings {
      unlink(path)
      let storage = DiskStorage()
      let file = try storage.create(path)
      try storage.writeAll(Array(text.utf8), to: file, at: 0)
      storage.close(file)
      #expect(Thermometer(path: path).read() == expected, "\(text)")
    }
  }
}

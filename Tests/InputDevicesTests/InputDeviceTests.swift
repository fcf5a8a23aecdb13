import AudioSession
import Board
import CLinux
import Glibc
import TestSupport
import Testing

@testable import InputDevices

@Suite struct InputDeviceTests {
  private let input = PipedInput([.named("headphone-insert"), .named("dock"), .named("playpause")])

  private func opened(_ codes: String...) throws -> InputDevice {
    let device = Socket(input).device(codes.map(request))
    try device.open()
    return device
  }

  private func edges(_ device: InputDevice) throws -> [LineEdge] {
    var edges: [LineEdge] = []
    try device.readEdges(into: &edges)
    return edges
  }

  private func edge(_ line: String, _ asserted: Bool, _ microseconds: Int64) -> LineEdge {
    LineEdge(line: line, asserted: asserted, at: Instant(nanoseconds: microseconds * 1_000))
  }

  @Test("R1: the state is read at the start")
  func levels() throws {
    input.asserted = [.named("dock")]
    #expect(try opened("headphone-insert", "dock").levels() == [false, true])
  }

  @Test("events become edges with the kernel's time, and those of other codes do not")
  func events() throws {
    let device = try opened("headphone-insert", "playpause")
    input.move(.named("headphone-insert"), 1, at: 5_000_001)
    input.move(.named("dock"), 1, at: 5_000_002)
    input.move(.named("playpause"), 1, at: 5_000_003)
    input.move(.named("playpause"), 0, at: 5_000_005)
    #expect(
      try edges(device) == [
        edge("HEADPHONE-INSERT", true, 5_000_001), edge("PLAYPAUSE", true, 5_000_003),
        edge("PLAYPAUSE", false, 5_000_005),
      ])
    #expect(try edges(device) == [])
  }

  @Test("O6: the keys of one report come in the order of the board file, each with its own edges in order")
  func oneReport() throws {
    let device = try opened("playpause", "headphone-insert", "dock")
    input.move(.named("dock"), 1, at: 5)
    input.move(.named("playpause"), 1, at: 5)
    input.move(.named("playpause"), 0, at: 5)
    input.move(.named("headphone-insert"), 1, at: 4)
    input.move(.named("dock"), 0, at: 6)
    let expected = [
      edge("HEADPHONE-INSERT", true, 4), edge("PLAYPAUSE", true, 5), edge("PLAYPAUSE", false, 5), edge("DOCK", true, 5),
      edge("DOCK", false, 6),
    ]
    // What was read before stays where it is.
    var found = [edge("PLAYPAUSE", false, 9)]
    try device.readEdges(into: &found)
    #expect(found == [edge("PLAYPAUSE", false, 9)] + expected)
  }

  @Test("K1: a key that repeats itself is pressed once")
  func repeats() throws {
    let device = try opened("playpause")
    input.move(.named("playpause"), 1, at: 1)
    for time in 2..<5 { input.move(.named("playpause"), 2, at: time) }
    #expect(try edges(device) == [edge("PLAYPAUSE", true, 1)])
  }

  @Test("a switch is told from the key of the same number")
  func kinds() throws {
    let device = try opened("dock")
    input.send(type: UInt16(EV_KEY), code: 5, value: 1, at: 1)
    #expect(try edges(device) == [])
  }

  @Test("after dropped events the state is read again, at the report that ends them")
  func dropped() throws {
    let device = try opened("headphone-insert", "dock")
    input.drop(at: 7)
    // The events in between are incomplete and must be ignored.
    input.move(.named("headphone-insert"), 1, at: 8)
    input.asserted = [.named("dock")]
    let read = [edge("HEADPHONE-INSERT", false, 8), edge("DOCK", true, 8)]
    let found = try edges(device)
    #expect(!found.contains { !$0.followsLoss })
    #expect(found.map { LineEdge(line: $0.line, asserted: $0.asserted, at: $0.at) } == read)
    input.move(.named("dock"), 0, at: 9)
    #expect(try edges(device) == [edge("DOCK", false, 9)])
  }

  @Test("events that were read with those that end a loss are older than the state, and are left out")
  func olderThanState() throws {
    let device = try opened("dock", "headphone-insert")
    input.drop(at: 1)
    input.report(at: 2)
    input.move(.named("dock"), 1, at: 3)
    input.drop(at: 4)
    input.move(.named("dock"), 1, at: 5)
    input.move(.named("dock"), 0, at: 6)
    #expect(try edges(device).filter { $0.line == "DOCK" }.allSatisfy { !$0.asserted && $0.followsLoss })
    // What comes later is newer.
    input.move(.named("dock"), 1, at: 7)
    #expect(try edges(device) == [edge("DOCK", true, 7)])
    // A loss whose end was not read with it is one all the same.
    input.drop(at: 8)
    input.report(at: 9)
    input.drop(at: 10)
    _ = try edges(device)
    input.asserted = []
    input.send(type: UInt16(EV_SW), code: UInt16(SW_DOCK), value: 1, at: 11)
    input.report(at: 11)
    #expect(try edges(device).map(\.asserted) == [false, false])
  }

  @Test("the state of all lines is read at once: each reading drops the events that wait")
  func stateAtOnce() throws {
    let device = try opened("dock", "headphone-insert", "playpause")
    _ = try device.levels()
    #expect(input.readings == 1)
  }

  @Test("dropped events are remembered from one read to the next, and forgotten with the device")
  func droppedAcrossReads() throws {
    let device = try opened("dock")
    input.drop(at: 1)
    #expect(try edges(device) == [])
    input.send(type: UInt16(EV_SW), code: 5, value: 1, at: 2)
    #expect(try edges(device) == [])
    device.close()
    try device.open()
    input.move(.named("dock"), 1, at: 3)
    #expect(try edges(device) == [edge("DOCK", true, 3)])
  }

  @Test("more events than fit one read are read at once, without end they are not")
  func flood() throws {
    let device = try opened("dock")
    for time in 0..<200 { input.move(.named("dock"), Int32(time % 2), at: time) }
    let first = try edges(device)
    #expect(first.count == 4 * 64 / 2)
    #expect(try first + edges(device) == (0..<200).map { edge("DOCK", $0 % 2 == 1, Int64($0)) })
  }

  @Test("a device without the switch says which ones it has")
  func wrongDevice() throws {
    let device = Socket(input).device([request("lineout-insert")])
    do throws(LineError) {
      try device.open()
      Issue.record("opened")
    } catch {
      #expect(
        error.description
          == "find line LINEOUT-INSERT: input device keys has no lineout-insert; of those that can be lines it has: "
          + "headphone-insert, dock, playpause")
    }
    #expect(device.pollDescriptors.isEmpty)
  }

  @Test("requests of one device share it")
  func grouping() {
    var other = request("dock")
    other.device = "/dev/input/event7"
    let devices = InputDevice.devices(
      for: [request("playpause"), other, request("headphone-insert")], keysOf: { _ in nil })
    #expect(devices.map(\.lines) == [["PLAYPAUSE", "HEADPHONE-INSERT"], ["DOCK"]])
  }

  @Test("a device that is not there is an error that lists those that are")
  func missing() {
    var search = InputSearch()
    search.directory = "/nonexistent"
    do throws(LineError) {
      _ = try search.open(.device("keys"))
      Issue.record("opened")
    } catch {
      #expect(
        error.description
          == "open device keys: No such file or directory: no input device has this name; there are: none")
    }
    do throws(LineError) {
      _ = try search.open(.device("/dev/null"))
      Issue.record("opened")
    } catch {
      #expect(error.description.hasPrefix("open device /dev/null: "))
    }
  }

  @Test("a device is found by the name that the kernel lists, and no other one is opened for it")
  func listed() throws {
    let folder = try TemporaryFolder()
    let search = InputSearch(directory: folder.path(of: "dev"), names: folder.path(of: "class"))
    folder.write("class/event0/device/name", "other keys\n")
    folder.write("class/event1/device/name", "keys\n")
    folder.write("dev/event1", "")
    // Nobody could open this one.
    symlink("event0", folder.path(of: "dev/event0"))
    let errors = ["keys", "* keys", "no keys"].map { name in
      do throws(LineError) {
        _ = try search.open(.device(name))
        return ""
      } catch {
        return error.description
      }
    }
    #expect(errors[0] == "open device keys: \(String(cString: strerror(ENOTTY)))")
    #expect(errors[1] == "open device * keys: \(String(cString: strerror(ELOOP)))")
    #expect(errors[2].hasSuffix(": no input device has this name; there are: other keys, keys"))
  }

  @Test("devices in several places that have one name are ambiguous; interfaces of one device are not, nor is a path")
  func ambiguous() throws {
    let folder = try TemporaryFolder()
    let search = InputSearch(directory: folder.path(of: "dev"), names: folder.path(of: "class"))
    func add(_ event: Int, _ place: String?) {
      folder.write("dev/event\(event)", "")
      folder.write("class/event\(event)/device/name", "pad\n")
      if let place { folder.write("class/event\(event)/device/phys", "\(place)\n") }
    }
    add(3, "usb-1.3/input0")
    add(4, "usb-1.3/input1")
    #expect(search.ambiguity(.device("pad")) == nil)
    add(7, "usb-1.4/input0")
    let files = [3, 4, 7].map { folder.path(of: "dev/event\($0)") }
    let expected =
      "3 devices have this name: \(files.joined(separator: ", ")); expected a path, as /dev/input/by-path has them"
    #expect(search.ambiguity(.device("pad")) == expected)
    #expect(search.ambiguity(.named("pad")) == nil && search.ambiguity(.device("* pad")) == nil)
    #expect(search.ambiguity(.device(files[0])) == nil && search.ambiguity(.device("other")) == nil)
  }

  @Test("whether an input device has come is known without opening any")
  func arrivals() throws {
    let folder = try TemporaryFolder()
    folder.write("dev/event0", "")
    let search = InputSearch(directory: folder.path(of: "dev"), names: folder.path(of: "class"))
    let before = try #require(search.arrival)
    var old = [timespec(tv_sec: 1, tv_nsec: 5), timespec(tv_sec: 1, tv_nsec: 5)]
    utimensat(AT_FDCWD, folder.path(of: "dev"), &old, 0)
    #expect(search.arrival == 1_000_000_005 && before > 1_000_000_005)
    folder.write("dev/event1", "")
    #expect(search.arrival != 1_000_000_005)
    #expect(InputSearch(directory: folder.path(of: "none")).arrival == nil)
  }

  @Test("the words for codes are the kernel's")
  func codes() {
    #expect(InputCode.named("headphone-insert").number == UInt16(SW_HEADPHONE_INSERT))
    #expect(InputCode.named("lineout-insert").number == UInt16(SW_LINEOUT_INSERT))
    #expect(InputCode.named("linein-insert").number == UInt16(SW_LINEIN_INSERT))
    #expect(InputCode.named("mute-device").number == UInt16(SW_MUTE_DEVICE))
    #expect(InputCode.named("playpause").number == UInt16(KEY_PLAYPAUSE))
    #expect(InputCode.named("previoussong").number == UInt16(KEY_PREVIOUSSONG))
    #expect(InputCode.named("record").number == UInt16(KEY_RECORD))
    #expect(InputCode.named("power").number == UInt16(KEY_POWER))
    #expect(InputCode.named("play").number == UInt16(KEY_PLAY))
    #expect(InputCode.named("btn-trigger-happy40").number == UInt16(BTN_TRIGGER_HAPPY40))
    #expect(InputCode.named("numeric-pound").number == UInt16(KEY_NUMERIC_POUND))
    #expect(InputCode.keyNumbers == 1...Int(KEY_MAX))
  }

  @Test("K1.1: every key and button of the kernel has its name here, and its number")
  func kernelNames() throws {
    // One of a later kernel is named by its number, which is still right.
    var known = 0
    for line in try kernelHeader() {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard words.count > 2, words[0] == "#define", ["KEY_", "BTN_"].contains(words[1].prefix(4)) else { continue }
      let isHexadecimal = words[2].hasPrefix("0x")
      let digits = words[2].dropFirst(isHexadecimal ? 2 : 0)
      guard let number = UInt16(digits, radix: isHexadecimal ? 16 : 10), let code = InputCode.key(named: words[1])
      else { continue }
      known += 1
      #expect(code.number == number, "\(words[1])")
      #expect(InputCode.key(named: code.name) == code)
    }
    #expect(known >= 600)
  }

  private func kernelHeader() throws -> [Substring] {
    let file = try #require(fopen("/usr/include/linux/input-event-codes.h", "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
  }

  @Test("a keyboard without the key says only some of those that it has")
  func keyboard() {
    let keys = (2...60).map { InputCode.key($0) }
    let device = Socket(PipedInput(keys)).device([request("playpause")])
    do throws(LineError) {
      try device.open()
      Issue.record("opened")
    } catch {
      #expect(error.description.contains("it has: 1, 2, 3, "))
      #expect(error.description.hasSuffix(" and 35 more"))
    }
  }
}

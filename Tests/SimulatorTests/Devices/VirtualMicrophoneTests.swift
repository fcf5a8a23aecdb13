import AudioSession
import Board
import Files
import Glibc
import Jukebox
import Testing

@testable import Simulator

/// A microphone at 1000 Hz, so that a frame is a millisecond.
@Suite struct VirtualMicrophoneTests {
  private let clock = VirtualClock()
  private let microphone: VirtualMicrophone
  private let file: TemporaryFile

  init() throws {
    file = try TemporaryFile()
    microphone = VirtualMicrophone(clock: clock)
  }

  private func wait(until milliseconds: Int) { clock.advance(to: .powerOn + .milliseconds(milliseconds)) }

  private func open() throws -> any CapturePCM {
    try microphone.open(input: .microphone, name: "mic", rate: 1_000, buffer: .seconds(2))
  }

  /// Reads at most `count` frames and returns the left samples.
  private func read(_ pcm: any CapturePCM, _ count: Int = 10_000) throws -> [Int16] {
    var samples = [Int16](repeating: -1, count: 2 * count)
    let taken = try pcm.read(into: &samples, frames: count)
    return (0..<taken).map { samples[2 * $0] }
  }

  /// A sound of 1, 2, 3… on the left.
  private func sound(_ frames: Int, rate: Int = 1_000) -> WAVSound {
    WAVSound(rate: rate, samples: (1...frames).flatMap { [Int16($0), 0] })
  }

  @Test("C1: it hears the file from the moment it is fed, again and again, and silence before")
  func feeding() throws {
    let pcm = try open()
    wait(until: 5)
    #expect(try read(pcm) == [])
    try pcm.start()
    wait(until: 10)
    microphone.feed(sound(20))
    wait(until: 35)
    #expect(try read(pcm) == [0, 0, 0, 0, 0] + Array(1...20) + [1, 2, 3, 4, 5])
    #expect(try read(pcm) == [])
    microphone.feed(sound(100))
    wait(until: 45)
    microphone.feed(sound(3))
    wait(until: 50)
    #expect(try read(pcm, 8) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try read(pcm) == [9, 10, 1, 2, 3, 1, 2])
  }

  @Test("C1: a recording that begins later gets the sound of that moment")
  func later() throws {
    microphone.feed(sound(50))
    wait(until: 20)
    let pcm = try open()
    try pcm.start()
    wait(until: 23)
    #expect(try read(pcm) == [21, 22, 23])
  }

  @Test("C1: a file of another rate is heard at its own pace")
  func otherRate() throws {
    let pcm = try open()
    try pcm.start()
    microphone.feed(sound(10, rate: 500))
    wait(until: 30)
    let heard = try read(pcm)
    #expect(heard.prefix(19) == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10])
    #expect(heard.dropFirst(19).prefix(3) == [1, 1, 2])
  }

  @Test("C6: what nobody reads in time is lost and counted")
  func overrun() throws {
    let pcm = try open()
    try pcm.start()
    microphone.feed(sound(5_000))
    wait(until: 2_500)
    #expect(try read(pcm, 1) == [501])
    #expect(pcm.lostFrames == 500)
  }

  @Test("C6: once unplugged, it stays lost for open captures, even when it is back")
  func loss() throws {
    let pcm = try open()
    try pcm.start()
    microphone.unplug()
    #expect(throws: PCMError.self) { try open() }
    microphone.plugIn()
    #expect(throws: PCMError.self) { try read(pcm) }
    let again = try open()
    try again.start()
    wait(until: 3)
    #expect(try read(again) == [0, 0, 0])
  }

  // MARK: - Files

  private func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func wav(
    code: Int = 1, channels: Int = 2, bits: Int = 16, rate: Int = 8_000, isExtensible: Bool = false,
    data: [UInt8] = [1, 0, 2, 0, 3, 0, 4, 0], length: Int? = nil
  ) -> [UInt8] {
    var format = number(isExtensible ? 0xFFFE : code, 2) + number(channels, 2) + number(rate, 4)
    format += number(rate * channels * bits / 8, 4) + number(channels * bits / 8, 2) + number(bits, 2)
    if isExtensible { format += number(22, 2) + number(bits, 2) + number(3, 4) + number(code, 2) + number(0, 14) }
    let head = Array("WAVELIST".utf8) + number(3, 4) + [1, 2, 3, 0] + Array("fmt ".utf8)
    let body = head + number(format.count, 4) + format + Array("data".utf8) + number(length ?? data.count, 4) + data
    return Array("RIFF".utf8) + number(body.count, 4) + body
  }

  private func read(_ bytes: [UInt8]) throws -> WAVSound {
    let stream = try #require(fopen(file.path, "wb"))
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
    return try WAVSound.read(file.path)
  }

  @Test("C1: mono and stereo, plain and extensible, with other chunks and lengths that were never filled in")
  func goodFiles() throws {
    #expect(try read(wav()) == WAVSound(rate: 8_000, samples: [1, 2, 3, 4]))
    #expect(try read(wav(isExtensible: true)).samples == [1, 2, 3, 4])
    #expect(try read(wav(channels: 1)).samples == [1, 1, 2, 2, 3, 3, 4, 4])
    #expect(try read(wav(length: 0)).samples == [1, 2, 3, 4])
    #expect(try read(wav(length: 0xFFFF_FFFF)).samples == [1, 2, 3, 4])
    #expect(try read(wav(data: [1, 0, 2, 0, 3])).samples == [1, 2])
  }

  @Test("C1: a file of another kind is refused with what it is and what was expected")
  func badFiles() {
    let cases: [([UInt8], String)] = [
      ([], "is not a WAV file"), (Array("RIFF".utf8), "is not a WAV file"),
      (wav(bits: 24), "has 24 bit PCM on 2 channels"),
      (wav(code: 3, bits: 32), "has 32 bit floating point on 2 channels"),
      (wav(code: 6, bits: 8, isExtensible: true), "has 8 bit format 6 on 2 channels"),
      (wav(channels: 6), "has 16 bit PCM on 6 channels"), (wav(rate: 0), "runs at 0 Hz"),
      (Array(wav().prefix(40)), "breaks off in its format"), (Array(wav().prefix(30)), "has no format"),
      (Array(wav().prefix(49)), "has no samples"),
    ]
    for (bytes, words) in cases {
      #expect(errorText(bytes) == "\(file.path): \(words), expected a WAV of 16 bit PCM, mono or stereo")
    }
    #expect(throws: FileError(file: "/none.wav", message: "no such file")) { try WAVSound.read("/none.wav") }
  }

  private func errorText(_ bytes: [UInt8]) -> String? {
    do {
      _ = try read(bytes)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("the calendar starts at noon of New Year, goes on with the clock, and can be set")
  func calendar() {
    let wall = VirtualWallClock(clock: clock)
    #expect(wall.now.fileStamp == "2026-01-01 12-00-00")
    clock.advance(to: .powerOn + .seconds(36 * 3_600 + 61))
    #expect(wall.now.fileStamp == "2026-01-03 00-01-01")
    wall.set(TimeOfDay(hour: 21, minute: 59), second: 58)
    clock.advance(to: clock.now + .seconds(3))
    #expect(wall.now.fileStamp == "2026-01-03 22-00-01")
    wall.set(TimeOfDay(hour: 0, minute: 0))
    #expect(wall.now.fileStamp == "2026-01-03 00-00-00")
    #expect(wall.now.seconds == 1_767_398_400)
  }

  @Test("N5: a calendar that is forgotten begins in 1970 at that moment, whatever it was set to before")
  func forgotten() {
    let wall = VirtualWallClock(clock: clock)
    clock.advance(to: .powerOn + .seconds(500))
    wall.set(TimeOfDay(hour: 10, minute: 0), day: CalendarDay(year: 2031, month: 1, day: 1))
    wall.forget()
    #expect(wall.now.fileStamp == "1970-01-01 00-00-00" && wall.trust == .unknown)
    clock.advance(to: clock.now + .seconds(61))
    #expect(wall.now.fileStamp == "1970-01-01 00-01-01")
    wall.forget()
    #expect(wall.now.fileStamp == "1970-01-01 00-00-00")
    wall.set(TimeOfDay(hour: 9, minute: 30), day: CalendarDay(year: 2032, month: 2, day: 3))
    #expect(wall.now.fileStamp == "2032-02-03 09-30-00" && wall.trust == .synchronised)
  }
}

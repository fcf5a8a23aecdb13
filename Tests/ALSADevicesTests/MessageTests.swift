import CALSA
import Glibc
import PacedPCM
import Testing

@testable import ALSADevices

@Suite("What libasound says") struct MessageTests {
  private func open(_ name: String) -> CInt {
    var pcm: OpaquePointer?
    return snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, CInt(SND_PCM_NONBLOCK))
  }

  @Test("is cut to what there is room for, and read as far as it is text")
  func long() {
    calsa_keep_messages()
    calsa_clear_message()
    // Two bytes a letter: one of the two beginnings is cut within a letter.
    for start in ["", "x"] {
      calsa_clear_message()
      #expect(open(start + String(repeating: "é", count: 4_000)) < 0)
      #expect(strlen(calsa_message()) == 255)
      #expect(ALSAFailure.libraryMessage.contains("éé"))
    }
  }

  @Test("is the first of several things, until it is forgotten")
  func first() {
    calsa_keep_messages()
    calsa_clear_message()
    #expect(strlen(calsa_message()) == 0)
    _ = open("no-such-one")
    let words = String(cString: calsa_message())
    #expect(words.contains("no-such-one"))
    _ = open("no-such-other")
    #expect(String(cString: calsa_message()) == words)
    calsa_clear_message()
    #expect(strlen(calsa_message()) == 0)
  }
}

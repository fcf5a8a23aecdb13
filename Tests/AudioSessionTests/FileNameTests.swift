import AudioSession
import Testing

@Suite struct FileNameTests {
  /// "é" as everybody types it, and as a Mac writes it.
  private static let together = "\u{e9}"
  private static let apart = "e\u{301}"

  @Test("T1: names that look the same and have other bytes are two, as keys, in sets and as properties")
  func bytes() {
    #expect(Self.together == Self.apart)
    #expect(FileName(Self.together) != FileName(Self.apart))
    #expect(FileName(Self.apart) == FileName("e" + "\u{301}"))
    #expect(Set([FileName(Self.together), FileName(Self.apart), FileName(Self.together)]).count == 2)
    struct File: Hashable {
      @NameOfFile var path: String
      @NameOfFile var folder: String?
    }
    let files = [(Self.together, nil), (Self.apart, nil), (Self.apart, Self.together), (Self.apart, Self.apart)]
    #expect(Set(files.map { File(path: $0.0, folder: $0.1) }).count == 4)
  }

  @Test("T1: what is typed means the name of the same bytes, and else the one that looks the same")
  func meant() {
    let both = [Self.apart, Self.together, "e"]
    #expect(FileName.index(meantBy: Self.together, of: both) == 1)
    #expect(FileName.index(meantBy: Self.apart, of: both) == 0)
    #expect(FileName.index(meantBy: Self.together, of: ["e", Self.apart]) == 1)
    #expect(FileName.meant(by: Self.apart, of: ["e", Self.together]).map { Array($0.utf8) } == Array("\u{e9}".utf8))
    #expect(FileName.meant(by: "E", of: both) == nil)
  }
}

import CLinux
import Glibc
import JSON
import Storage
import TestSupport
import Testing

@testable import jackdaw

@Suite struct ReportTests {
  private static let row = "3 61000 1 1 0 0 1 0 0 0 1 0 0 1 0 0 0 0 1"

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let past = """
      version = 1
      [[periods]]
      id = 1
      earlier = true
      [periods.tracks]
      "old.mp3" = "\(Self.row)"
      [[periods]]
      id = 2
      month = "2025-09-01"
      [periods.tracks]
      "a.mp3" = "\(Self.row)"
      [[periods]]
      id = 3
      recent = true
      day = "2026-11-22"
      hours = [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      [periods.tracks]
      "a.mp3" = "\(Self.row)"

      """
    let current = """
      version = 1
      [[periods]]
      id = 4
      day = "2026-11-23"
      board = { power-ons = 2, underruns = 5 }
      [periods.tracks]
      "" = "\(Self.row)"
      "<script>alert('x')&amp;\\"\\u001b" = "\(Self.row)"

      """
    folder.write("s/counters-past.toml", StateText.sealed(Array(past.utf8)))
    folder.write("s/counters.toml", StateText.sealed(Array(current.utf8)))
    return folder
  }

  private func report(_ arguments: String..., in folder: TemporaryFolder) throws -> Program.Outcome {
    try Program.run(["report", "--state", "s"] + arguments, in: folder)
  }

  @Test("N4: the table has all tracks, days and hours, and the board")
  func table() throws {
    let outcome = try Program.run(["report", "--state", "s"], under: ["env", "LC_ALL=C"], in: folder())
    #expect(outcome.status == 0 && outcome.errors == "")
    for text in [
      "Listened to from 2025-09-01 to 2026-11-23: 15 times, 5:05, 33 % of them to the end", "a.mp3 ", "(others)",
      "2025-09 ", "2026-11-22 ", "no date ", "09:00 ", "underruns ",
    ] { #expect(outcome.output.contains(text), "\(text)") }
    #expect(outcome.output.utf8.allSatisfy { $0 == 10 || (32..<127).contains($0) })
  }

  @Test("N4: what a firmware has taken over and counted on is reported like what was there before, while it runs")
  func database() throws {
    let folder = try folder()
    let former = try report("--json", in: folder)
    let database = KeptDatabase(folder: folder.path(of: "s"))
    let saved = try CountsStore(database).read()
    #expect(saved?.current.id == 4 && folder.read("s/counters.toml") == nil)
    #expect(try report("--json", in: folder).output == former.output)
    folder.write("s/jackdaw.sqlite", String(repeating: "no database", count: 100))
    let damaged = try report(in: folder)
    #expect(damaged.status == 1 && damaged.errors == "jackdaw: s/jackdaw.sqlite: file is not a database\n")
  }

  @Test("N4: a range leaves out what is not in it, and says what has no place in it")
  func range() throws {
    let outcome = try report("--from", "2026-11-22", "--to=2026-11-22", in: folder())
    #expect(outcome.output.hasPrefix("Listened to from 2026-11-22 to 2026-11-22: 3 times, 1:01"))
    #expect(outcome.output.contains("Left out: 1 periods") && !outcome.output.contains("2026-11-23"))
    let part = try report("--from", "2025-09-02", "--json", in: folder())
    let json = try JSONValue(parsing: part.output.utf8)
    #expect(json["periods-left-out"]?.integer == 2)
    let dates = json["days"]?.elements.compactMap { $0["date"]?.string } ?? []
    #expect(dates.contains("2026-11-22") && !dates.contains("2025-09"))
  }

  @Test("N4: the JSON has the same numbers, and escapes what strings must not hold")
  func json() throws {
    let outcome = try report("--json", in: folder())
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("\u{1B}"))
    let json = try JSONValue(parsing: outcome.output.utf8)
    #expect(json["version"]?.integer == 1 && json["sum"]?["starts"]?.integer == 15)
    #expect(json["from"]?.string == "2025-09-01" && json["to"]?.string == "2026-11-23")
    let tracks = json["tracks"]?.elements ?? []
    #expect(tracks.contains { $0["name"]?.string == "<script>alert('x')&amp;\"\u{1B}" })
    #expect(tracks.contains { $0["others"]?.bool == true })
    #expect(json["sum"]?["milliseconds"]?.integer == 305_000)
    #expect(tracks.contains { $0["tenths"]?.elements.prefix(5).map(\.integer) == [0, 1, 0, 0, 1] })
  }

  @Test("N4: the page runs no script, fetches nothing, and shows names as text")
  func page() throws {
    let folder = try folder()
    let outcome = try report("--html", "page.html", in: folder)
    #expect(outcome.status == 0 && outcome.output == "page.html: 15 listens, 4 tracks\n")
    let page = String(decoding: try #require(folder.read("page.html")), as: UTF8.self)
    #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&amp;amp;&quot;\\u{1b}"))
    for bad in ["<script", "http:", "https:", "src=", "@import", "url(", "\u{1B}"] {
      #expect(!page.contains(bad), "\(bad)")
    }
    #expect(page.contains("default-src 'none'") && page.hasSuffix("</html>\n"))
  }

  @Test("N4: a page replaces the one before it only once it is whole, and may go where there is no file")
  func fullDisk() throws {
    let folder = try folder()
    for before in [nil, Array("before".utf8)] {
      if let before { folder.write("page.html", before) }
      let outcome = try Program.run(
        ["report", "--state", "s", "--html", "page.html"],
        under: ["sh", "-c", #"trap '' XFSZ; ulimit -f 4; exec "$0" "$@""#], in: folder)
      #expect(outcome.status == 1 && outcome.errors == "jackdaw: page.html: File too large\n")
      #expect(folder.read("page.html") == before && !folder.contains("page.html.new"))
    }
    #expect(try report("--html", "page.html", in: folder).status == 0)
    #expect(folder.read("page.html")?.suffix(8) == Array("</html>\n".utf8)[...])
    #expect(!folder.contains("page.html.new"))
    let printed = try report("--html", "/dev/stdout", in: folder)
    #expect(printed.output.hasSuffix("</html>\n/dev/stdout: 15 listens, 4 tracks\n"))
  }

  @Test("N4: a page that replaces another one keeps its rights, its names, and for root its owner; no link is followed")
  func rights() throws {
    let folder = try folder()
    let page = folder.write("page.html", "before")
    folder.write("other", "kept")
    try #require(chmod(page, 0o664) == 0 && symlink("other", folder.path(of: "page.html.new")) == 0)
    let outcome = try Program.run(
      ["report", "--state", "s", "--html", "page.html"],
      under: ["sh", "-c", #"umask 077; exec "$0" "$@""#], in: folder)
    #expect(outcome.status == 0 && folder.read("other") == Array("kept".utf8))
    var status = stat()
    #expect(stat(page, &status) == 0 && status.st_mode & 0o777 == 0o664)
    let before = folder.read("page.html")
    try #require(link(page, folder.path(of: "also.html")) == 0)
    #expect(try report("--from", "2026-11-01", "--html", "page.html", in: folder).status == 0)
    #expect(folder.read("also.html") == folder.read("page.html") && folder.read("page.html") != before)
    // Root may write what is read-only, and gives no file of another user to itself.
    let isRoot = geteuid() == 0
    if isRoot { try #require(chown(page, 1, 1) == 0) }
    try #require(chmod(page, 0o444) == 0)
    #expect(try report("--html", "page.html", in: folder).status == (isRoot ? 0 : 1))
    #expect(stat(page, &status) == 0 && status.st_uid == (isRoot ? 1 : geteuid()) && status.st_mode & 0o777 == 0o444)
  }

  @Test("N4: a page that replaces another one leaves others the rights that it gives them by name")
  func namedRights() throws {
    let folder = try folder()
    let page = folder.write("page.html", "before")
    let list = "system.posix_acl_access"
    // Version 2, and the owner, a user by his number, the group, the most that those two may, and all others.
    let entries: [(tag: UInt16, rights: UInt16, id: UInt32)] = [
      (1, 6, .max), (2, 4, geteuid()), (4, 0, .max), (16, 4, .max), (32, 0, .max),
    ]
    var rights: [UInt8] = [2, 0, 0, 0]
    for entry in entries {
      withUnsafeBytes(of: entry.tag.littleEndian) { rights += $0 }
      withUnsafeBytes(of: entry.rights.littleEndian) { rights += $0 }
      withUnsafeBytes(of: entry.id.littleEndian) { rights += $0 }
    }
    // Not every file system has such lists.
    if setxattr(page, list, rights, rights.count, 0) != 0 && errno == ENOTSUP { return }
    #expect(try report("--html", "page.html", in: folder).status == 0)
    #expect(folder.read("page.html")?.suffix(8) == Array("</html>\n".utf8)[...])
    #expect(getxattr(page, list, nil, 0) == rights.count)
  }

  @Test("N4: a page that is mounted in its place, as in a container, is written there")
  func mounted() throws {
    let folder = try folder()
    for name in ["page.html", "mounted.html"] { folder.write(name, "before") }
    let outcome = try Program.run(
      ["report", "--state", "s", "--html", "page.html"],
      under: ["unshare", "-rm", "sh", "-c", #"mount --bind mounted.html page.html || exit 77; exec "$0" "$@""#],
      in: folder)
    // Not everybody may mount.
    if outcome.status == 77 || outcome.errors.hasPrefix("unshare:") { return }
    #expect(outcome.status == 0 && outcome.errors == "" && !folder.contains("page.html.new"))
    #expect(folder.read("mounted.html")?.suffix(8) == Array("</html>\n".utf8)[...])
  }

  @Test(
    "N4: bad dates and options that exclude each other are bad usage",
    arguments: [
      (["--from", "2026-02-30"], "--from \"2026-02-30\", expected a date, as 2026-11-01"),
      (["--to", "yesterday"], "--to \"yesterday\", expected a date, as 2026-11-01"),
      (["--from", "2026-02-02", "--to", "2026-02-01"], "--to 2026-02-01 is before --from 2026-02-02"),
      (["--json", "--html", "x"], "--json and --html, expected one of them"),
      (["--csv", "y", "--html", "x"], "--html and --csv, expected one of them"),
      (["--boards", "b"], "--state and --boards, expected one of them"),
      (["--board", "sim"], "--board without --settings, expected both"),
    ])
  func usage(arguments: [String], message: String) throws {
    let outcome = try Program.run(["report", "--state", "s"] + arguments, in: folder())
    #expect(outcome.status == 2 && outcome.errors == "jackdaw: \(message)\n" && outcome.output == "")
  }

  @Test("N4: counters that are not there, damaged, or a page that cannot be written end with 1 and one line")
  func problems() throws {
    let folder = try folder()
    let unwritable = try report("--html", "none/page.html", in: folder)
    #expect(unwritable.status == 1 && unwritable.errors == "jackdaw: none/page.html: No such file or directory\n")
    folder.write("s/counters.toml", "version = 1\nid = \n# crc-32 00000000\n")
    let damaged = try report(in: folder)
    #expect(damaged.status == 1 && damaged.errors.hasPrefix("jackdaw: s/counters.toml:3: crc-32: found \"00000000\""))
    let none = try Program.run(["report", "--state", "nowhere"], in: folder)
    #expect(none.status == 1)
    #expect(none.errors == "jackdaw: nowhere: No such file or directory, expected the state folder\n")
    for wrong in [".", "s/counters-past.toml"] {
      let outcome = try Program.run(["report", "--state", wrong], in: folder)
      #expect(outcome.status == 1 && outcome.output == "")
      #expect(outcome.errors == "jackdaw: \(wrong): no state of a board, expected the state folder\n")
    }
  }

  @Test("N4: a kiosk that has counted nothing yet, and days on which nobody was there, are reports like any other")
  func nothing() throws {
    let folder = try folder()
    folder.write("new/state.lock", [])
    let new = try Program.run(["report", "--state", "new"], in: folder)
    #expect(new.status == 0 && new.output.hasPrefix("Listened to so far: 0 times, 0:00\n"))
    let later = try report("--from", "2027-01-01", in: folder)
    #expect(later.status == 0 && later.output.hasPrefix("Listened to since 2027-01-01: 0 times, 0:00\n"))
    #expect(!later.output.contains("TRACK"))
    let pages = try report("--to", "2020-01-01", "--html", "page.html", in: folder)
    #expect(pages.output == "page.html: 0 listens, 0 tracks\n")
    let page = String(decoding: try #require(folder.read("page.html")), as: UTF8.self)
    #expect(page.contains("until 2020-01-01") && page.contains("No track was listened to"))
  }

  @Test("Whoever looks from outside the service finds its state, where he may, and else his own")
  func place() throws {
    let folder = try TemporaryFolder()
    let installed = folder.path
    #expect(StatePlace.path(nil, for: R_OK, installed: installed) == installed)
    #expect(StatePlace.path("/mine", for: R_OK, installed: installed) == "/mine")
    #expect(StatePlace.path(nil, for: R_OK, installed: folder.path(of: "none")) == StatePlace.path(nil))
  }
}

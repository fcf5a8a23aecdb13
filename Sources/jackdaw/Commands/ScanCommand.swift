import Board
import DecoderProcess
import Files
import Jukebox

struct ScanCommand: Command {
  static let help = CommandHelp(
    name: "scan",
    summary: "Read tags: which tracks would be played, which not and why.",
    text: """
      One line for each file, in the order of playing:
      play  NUMBER  LENGTH  FILE  ARTIST - TITLE  RATE CHANNELS
      skip  FILE: REASON

      NUMBER is that of buttons, tokens and the console. A folder in FOLDER is a
      playlist; while it is played, its tracks have numbers of their own: `7 (2 in
      jazz)` is the second track of jazz, and number 7 of all the music. The numbers
      of a second folder of music go on behind those of the first.

      Music of a format that is not played is named, with what to do. Pictures, texts
      and whatever else is no music are skipped, too, and no problem.

      Links are followed where they stay within the folder. A byte of a name that
      is not UTF-8 shows as \\xe9. Files are read by a process of their own: one that
      it does not survive, or takes too long for, is skipped, too. So is one that the
      firmware leaves out because it did harm twice; its state folder is looked for
      where `run` keeps it without settings, and in /var/lib/jackdaw.

      The length of an MP3 is what its headers say (Xing, Info, VBRI, a constant bit
      rate) where that agrees with the size of the file; every other one is read from
      its beginning to its end, and so are all with --thorough.

      Exit status: 0 all music can be played, 1 some cannot or there is none, 2 bad
      input.
      """,
    arguments: [
      CommandHelp.Parameter(name: "folder", expected: "a folder of music", help: "A folder of music, or one file.")
    ],
    options: [
      CommandHelp.Parameter(
        name: "thorough", expected: "", help: "Read every MP3 to its end, whatever its\nheaders say.")
    ])

  private let folder: String
  private let isThorough: Bool

  init(_ arguments: Arguments) {
    folder = arguments.positional(0)
    isThorough = arguments.flag("thorough")
  }

  func run() throws(CommandError) -> ExitStatus {
    let listing = try Music([folder])
    // A file that ends its decoder, or holds it up, costs the scan that one file.
    let opener = ProcessTrackOpener()
    let quarantines = LeftOut.known()
    let objections = quarantines.isEmpty ? [] : listing.tracks.map { LeftOut.objection(to: $0.path, in: quarantines) }
    let read = listing.tracks.indices.filter { objections.isEmpty || objections[$0] == nil }
    let numbers = Self.numbers(listing.tracks)
    var total = Duration.zero
    var played = 0
    var broken = 0
    func skip(_ track: Track, _ reason: String) {
      broken += 1
      Terminal.printLine("skip  \(Wording.oneLine(track.name)): \(reason)")
    }
    /// Prints the files between two that are read: they are left out.
    func skipLeftOut(from first: Int, to end: Int) {
      for index in first..<end { skip(listing.tracks[index], objections[index] ?? "") }
    }
    opener.inspect(paths: read.map { listing.tracks[$0].path }, trustsHeaders: !isThorough) { place, found in
      let index = read[place]
      skipLeftOut(from: place == 0 ? 0 : read[place - 1] + 1, to: index)
      switch found {
      case .success(let info):
        played += 1
        let length = info.frames.map { Duration.covering(frames: $0, rate: info.rate) }
        total += length ?? .zero
        Terminal.printLine(line(numbers[index], listing.tracks[index].name, info, length))
      case .failure(let error): skip(listing.tracks[index], error.reason)
      }
    }
    skipLeftOut(from: read.last.map { $0 + 1 } ?? 0, to: listing.tracks.count)
    for skipped in listing.skipped { Terminal.printLine("skip  \(Wording.oneLine(skipped.path)): \(skipped.reason)") }
    let left = listing.skipped.count + broken
    Terminal.printLine("\(played) tracks to play, \(total.clock) in all; \(left) skipped")
    return broken > 0 || played == 0 || listing.skipped.contains { $0.isMusic } ? .problem : .good
  }

  /// The number of each track in all the music and, where it lies in one, in its playlist.
  private static func numbers(_ tracks: TrackList) -> [String] {
    Library(tracks).playlistNumbers.enumerated().map { index, place in
      "\(index + 1)" + (place.map { " (\($0.number) in \(Wording.oneLine($0.playlist)))" } ?? "")
    }
  }

  private func line(_ number: String, _ name: String, _ info: TrackInfo, _ length: Duration?) -> String {
    let names = [info.artist, info.title].compactMap { $0 }.map(Wording.oneLine).joined(separator: " - ")
    let channels =
      switch info.channels {
      case 1: "mono"
      case 2: "stereo"
      case let more: "\(more) channels"
      }
    let tags = names.isEmpty ? "no tags" : names
    return "play  \(number)  \(length?.clock ?? "?:??")  \(Wording.oneLine(name))  \(tags)  \(info.rate) Hz \(channels)"
  }
}

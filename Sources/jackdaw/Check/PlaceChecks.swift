import AudioSession
import Board
import BoardFiles
import Files
import Glibc
import Jukebox
import SerialConsole
import Storage
import TrackDecoding

/// Whether the serial console opens at its speed.
enum ConsoleCheck {
  /// How the names of serial devices in `/dev` begin.
  private static let kinds = ["serial", "ttyAMA", "ttyS", "ttyUSB", "ttyACM"]

  static func findings(_ console: BoardDescription.Console?) -> [Finding] {
    guard let console else { return [] }
    do throws(SerialError) {
      _ = try SerialConsole.open(device: console.device, speed: console.speed)
      return [.good("console", "\(console.device), \(console.speed) baud")]
    } catch {
      let advice: String
      switch error.code {
      case EACCES: advice = ProcessUser.join(groupOf: console.device, usually: "dialout")
      case ENOENT:
        let found = FileAccess.names(in: "/dev").filter { name in kinds.contains { name.hasPrefix($0) } }
        let devices = found.isEmpty ? "none" : found.map { "/dev/\($0)" }.joined(separator: ", ")
        advice = "serial lines here: \(devices); enable_uart=1 in /boot/firmware/config.txt for the header's"
      default: advice = "another device or speed in [console] of the board file"
      }
      return [.bad("console", error.description, advice)]
    }
  }
}

/// What the board file and the settings say that does not count.
enum FileChecks {
  static func findings(_ kiosk: ChosenSettings) -> [Finding] {
    kiosk.remarks.map { remark in
      kiosk.settings.fleetFaults.contains(remark)
        ? .bad("fleet", remark.description, "[fleet] of the settings: jackdaw-fleet does not start with it")
        : .warning("file", remark.description)
    }
  }
}

/// Whether the folders for the state and the recordings can be written.
enum FolderChecks {
  static func findings(_ kiosk: ChosenSettings) -> [Finding] {
    guard let state = StatePlace.path(kiosk.settings.state, for: W_OK) else {
      return [
        .bad("state folder", "there is none: nothing is kept over a power cut", "`state` in the settings names one")
      ]
    }
    let stateFolder = finding("state folder", state, setting: "state")
    guard kiosk.chosenBoard.board.input != nil else { return [stateFolder] }
    let recordings = kiosk.settings.recording.folder ?? FileAccess.join(state, "recordings")
    return [stateFolder, finding("recordings folder", recordings, setting: "recordings")]
      + retention(kiosk.settings.recording, trust: kiosk.settings.wallClock.trust)
  }

  /// Recordings of people's voices that are to go, and do not.
  static func retention(_ settings: RecordingSettings, trust: ClockTrust) -> [Finding] {
    guard settings.retention != nil, trust < .synchronised else { return [] }
    return [
      .warning(
        "retention", "removes nothing while the clock is not synchronised with a time server",
        "a network, or `clock = \"trusted\"` in the settings, where a clock chip keeps the time")
    ]
  }

  /// A missing folder is made by the firmware, so its nearest existing parent must be writable.
  private static func finding(_ subject: String, _ path: String, setting: String) -> Finding {
    if !SilentFolders().find([path]).isEmpty {
      return .bad(subject, "\(path): \(SilentFolders.reason)", "`\(setting)` in the settings, or its disk or share")
    }
    var folder = path
    while access(folder, F_OK) != 0, errno == ENOENT, !folder.isEmpty, folder != "/" {
      folder = FileAccess.folder(of: folder)
    }
    if folder.isEmpty { folder = "." }
    guard access(folder, W_OK | X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      return .bad(
        subject, "\(path): \(folder == path ? "" : "\(folder): ")\(reason)",
        "sudo install -d -o \(ProcessUser.name) \(path), or `\(setting)` in the settings")
    }
    let free = ((try? DiskStorage().freeBytes(in: folder)) ?? 0) / 1_000_000
    return .good(subject, "\(path)\(folder == path ? "" : ", to be made"), \(free) MB free")
  }
}

/// Whether there is something to play.
enum MusicChecks {
  static func findings(_ kiosk: ChosenSettings) -> [Finding] {
    let folders = kiosk.music
    let music =
      folders.isEmpty
      ? [Finding.bad("music", "no folder", "`music` in the settings, or `jackdaw run --music FOLDER`")]
      : kiosk.folders.flatMap(findings) + silent(kiosk)
    return music + choices(kiosk) + cues(kiosk)
  }

  private static func silent(_ kiosk: ChosenSettings) -> [Finding] {
    kiosk.music.filter { kiosk.silent.contains(FileName($0)) }.map { folder in
      .bad("music", "\(folder): \(SilentFolders.reason)", "`music` in the settings, or its disk or share")
    }
  }

  private static func findings(_ named: MusicFolder) -> [Finding] {
    let folder = named.path
    do throws(CommandError) {
      let music = try Music([folder])
      let count = music.tracks.count
      let unplayed = LibraryListing.unplayed(music.skipped).map { Finding.bad("music", "\(folder), \($0)") }
      guard count > 0 else {
        return [.bad("music", "\(folder): no track in it", "jackdaw scan \(folder) says why")] + unplayed
      }
      let skipped = music.skipped.isEmpty ? "" : ", \(music.skipped.count) skipped; `jackdaw scan` says why"
      return [.good("music", "\(folder), \(count) \(count == 1 ? "track" : "tracks")\(skipped)")] + unplayed
    } catch {
      let place = named.setting.map { "\($0): " } ?? ""
      return [
        .bad("music", place + error.lines[0], "`music` in the settings, or rights for \(ProcessUser.name) to read it")
      ]
    }
  }

  /// Whether the music has what the buttons and the tokens choose.
  private static func choices(_ kiosk: ChosenSettings) -> [Finding] {
    let library = Library(Music(found: kiosk.folders).tracks)
    let selected = selected(kiosk, library)
    let named = playlists(kiosk)
    func choice(_ subject: String, _ name: TrackName, _ place: String) -> Finding {
      Self.choice(subject, name, in: places(of: name, selected, named.map(\.name), library), library, place)
    }
    let buttons = kiosk.chosenBoard.board.lines.compactMap { line -> Finding? in
      guard case .button(.choose(.track(let name))) = line.role else { return nil }
      return choice("button \(line.name)", name, "`track` of this line in the board file")
    }
    let tokens = kiosk.settings.tokenLines.sorted { $0.value < $1.value }.compactMap { token, line -> Finding? in
      guard case .track(let name) = kiosk.settings.settings.tokens[token] else { return nil }
      return choice("token \(token)", name, "line \(line) of the settings")
    }
    return buttons + tokens + named.map { playlist($0.subject, $0.name, library) }
  }

  private static func playlist(_ subject: String, _ name: String, _ library: Library) -> Finding {
    let count = library.ids(in: name).count
    let known = Wording.list(library.playlists.map(Wording.quoted))
    return count > 0
      ? .good(subject, "playlist \(name), \(count) \(count == 1 ? "track" : "tracks")")
      : .bad(subject, "the music has no folder \(name)", "folders of the music: \(known.isEmpty ? "none" : known)")
  }

  /// The playlists that something plays, and what.
  private static func playlists(_ kiosk: ChosenSettings) -> [(subject: String, name: String)] {
    let lines = kiosk.chosenBoard.board.lines.flatMap { line -> [(String, String)] in
      switch line.role {
      case .button(.choose(.playlist(let name))): [("button \(line.name)", name)]
      case .selector(let name, let released): [name, released].compactMap { $0 }.map { ("selector \(line.name)", $0) }
      case .sense, .button, .interrupter, .mute, .silence, .coin, .freePlay, .lamp, .signal, .ampMute, .coinInhibit: []
      }
    }
    let tokens = kiosk.settings.settings.tokens.sorted { $0.key < $1.key }.compactMap { token, choice in
      if case .playlist(let name) = choice { ("token \(token)", name) } else { nil }
    }
    let timetable = zip(kiosk.settings.settings.timetable, kiosk.settings.timetableLines).compactMap { entry, line in
      if case .playlist(let name) = entry.action {
        ("\(kiosk.file):\(line): timetable.playlist", name)
      } else {
        nil
      }
    }
    let requests = kiosk.settings.settings.requests
    let played = [("background", requests?.background), ("attract_playlist", requests?.attract?.playlist)]
      .compactMap { key, name in name.map { ("\(kiosk.file): \(key)", $0) } }
    return lines + tokens + timetable + played
  }

  /// The playlists in which the board's selectors have tracks numbered; nil among them: all the music.
  private static func selected(_ kiosk: ChosenSettings, _ library: Library) -> [String?] {
    var (named, released): ([String?], Bool) = ([], false)
    for line in kiosk.chosenBoard.board.lines {
      guard case .selector(let name, let otherwise) = line.role else { continue }
      named.append(name)
      guard let otherwise else { continue }
      named.append(otherwise)
      released = true
    }
    // A playlist that the music does not have is a finding of its own.
    let known = named.filter { !library.ids(in: $0).isEmpty }
    return released && !known.isEmpty ? known : known + [nil]
  }

  /// Where the track is looked for: a number is another one in each playlist; a name is one of all the music, unless several
  /// files have it, as in the folders of an audio guide's languages: then the playlist that plays counts.
  /// - Parameters:
  ///   - selected: by the board's selectors; nil among them: all the music.
  ///   - named: by whatever else plays a playlist.
  private static func places(
    of name: TrackName, _ selected: [String?], _ named: [String], _ library: Library
  ) -> [String?] {
    if case .number = name { return selected }
    do throws(TrackName.NotFound) {
      _ = try track(name, in: nil, library)
    } catch {
      guard case .several = error else { return [nil] }
      let playlists = selected.filter { $0 != nil }
      if !playlists.isEmpty { return playlists }
      let others = named.filter { (try? track(name, in: $0, library)) != nil }
      if !others.isEmpty { return others }
    }
    return [nil]
  }

  private static func track(
    _ name: TrackName, in playlist: String?, _ library: Library
  ) throws(TrackName.NotFound) -> Track {
    let tracks = library.ids(in: playlist).compactMap { library[$0] }
    return tracks[try name.find(in: tracks)]
  }

  private static func choice(
    _ subject: String, _ name: TrackName, in places: [String?], _ library: Library, _ place: String
  ) -> Finding {
    var found: [String] = []
    for list in places {
      do throws(TrackName.NotFound) {
        found.append(try track(name, in: list, library).name)
      } catch {
        let playlist = list.map { "playlist \($0): " } ?? ""
        return .bad(subject, playlist + error.message, "\(place); `jackdaw scan` lists the tracks")
      }
    }
    return .good(subject, "track \(name.text): \(found.joined(separator: ", "))")
  }

  private static func cues(_ kiosk: ChosenSettings) -> [Finding] {
    do throws(CommandError) {
      let cues = try kiosk.cues().map(\.name)
      let found = (cues.isEmpty ? [] : [Finding.good("cues", cues.joined(separator: ", "))]) + button(kiosk, cues)
      return found + lines(kiosk, cues)
    } catch {
      return error.lines.map { .bad("cues", $0, "`cue_folder` in the settings, or the files there") }
    }
  }

  /// Whether there is the cue that a Cue button has spoken. One that the settings name is looked for with the others.
  private static func button(_ kiosk: ChosenSettings, _ cues: [String]) -> [Finding] {
    let name = kiosk.settings.settings.cueButton
    if FileName.index(meantBy: name, of: cues) != nil { return [] }
    return kiosk.chosenBoard.board.lines.filter { $0.role == .button(.cue) }.map { line in
      .warning(
        "button \(line.name)", "speaks nothing: no cue is called \(name)",
        "a file \(name).mp3 beside the other cues, or `cue_button` in the settings")
    }
  }

  /// Whether there are the cues that lines of the board name.
  private static func lines(_ kiosk: ChosenSettings, _ cues: [String]) -> [Finding] {
    kiosk.chosenBoard.board.lines.compactMap { line -> Finding? in
      guard case .button(.choose(.cue(let name))) = line.role else { return nil }
      let subject = "button \(line.name)"
      if let cue = FileName.meant(by: name, of: cues) { return .good(subject, "cue \(cue)") }
      return .bad(
        subject, "no cue is called \(name)",
        "`cue` of this line in the board file; cues: \(cues.isEmpty ? "none" : cues.joined(separator: ", "))")
    }
  }
}

import Glibc
import TestSupport
import Testing

@Suite struct CheckTests {
  private func row(_ subject: String, in output: String) -> String? {
    output.split(separator: "\n").map(String.init).first { $0.dropFirst(6).hasPrefix(subject) }
  }

  @Test("the simulated board passes everywhere, silent where there is no device")
  func simulated() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(["check", "--board", "sim"], in: folder)
    #expect(outcome.errors == "")
    for subject in ["board ", "lines ", "music ", "cues "] {
      #expect(row(subject, in: outcome.output)?.hasPrefix("ok    ") == true, "\(subject)")
    }
    // Only a device that opens is good.
    for port in ["headphones", "line-out", "speaker"] {
      let found = row("output \(port) ", in: outcome.output) ?? ""
      #expect(found.hasPrefix(found.contains("simulated, silent: ") ? "none  " : "ok    "), "\(found)")
    }
    #expect(row("music", in: outcome.output)?.contains("board/sim/music, 3 tracks") == true)
    // The check changes nothing.
    #expect(!folder.contains("state"))
    let isGood = !outcome.output.contains("FAIL")
    #expect(outcome.status == (isGood ? 0 : 1))
  }

  @Test("a refused real-time priority comes with what the service needs")
  func limits() throws {
    let poor =
      (geteuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [])
      + ["prlimit", "--memlock=65536:65536", "--rtprio=0:0"]
    let outcome = try Program.run(["check", "--board", "sim"], under: poor)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\nFAIL  real-time priority  priority 60: Operation not permitted\n"))
    #expect(outcome.output.contains("-> in the service's unit: LimitRTPRIO=60\n"))
    // Under a sanitizer, mlockall succeeds without locking anything.
    if dlsym(nil, "__sanitizer_print_stack_trace") == nil {
      #expect(outcome.output.contains("-> in the service's unit: LimitMEMLOCK=infinity\n"))
    }
  }

  @Test("a real board on another machine fails line by line, with advice, within 80 columns")
  func wrongMachine() throws {
    let folder = try TemporaryFolder()
    let board = Sources.text("board/sim.toml").replacing("simulated = true", with: "").replacing(
      "\n[lines.JACK_SENSE]", with: "\n[console]\ndevice = \"/dev/no-tty\"\nspeed = 9600\n[lines.JACK_SENSE]"
    ).replacing("pcm = \"default\"", with: "pcm = \"hw:CARD=Nobody\"")
    folder.write("real.toml", board)
    folder.write("kiosk.toml", "music = [\"nowhere\"]\nstate = \"/dev/null/jackdaw\"\n")
    let outcome = try Program.run(["check", "--board", "real.toml", "--settings", "kiosk.toml"], in: folder)
    #expect(outcome.status == 1 && outcome.errors == "")
    for subject in ["line", "output headphones", "console", "state folder", "music"] {
      #expect(row(subject, in: outcome.output)?.hasPrefix("FAIL  ") == true, "\(subject)")
    }
    #expect(outcome.output.contains("-> serial lines here: "))
    #expect(outcome.output.contains("/dev/null/jackdaw: Not a directory"))
    #expect(outcome.output.contains("nowhere: no such f"))
    for line in outcome.output.split(separator: "\n") where !line.contains(folder.path) { #expect(line.count <= 80) }
  }

  @Test("T1: the tracks of buttons are looked for in the music")
  func trackButtons() throws {
    let folder = try TemporaryFolder()
    let buttons = "[lines.BTN_3]\nrole = \"track\"\ntrack = 3\n[lines.BTN_9]\nrole = \"track\"\ntrack = 9\n"
    let board = Sources.text("board/sim.toml").replacing("[lines.JACK_SENSE]", with: "\(buttons)[lines.JACK_SENSE]")
    folder.write("post.toml", board)
    folder.write("kiosk.toml", "music = [\"\(repositoryPath("board/sim/music"))\"]\n")
    let outcome = try Program.run(["check", "--board", "post.toml", "--settings", "kiosk.toml"], in: folder)
    #expect(row("button BTN_3", in: outcome.output)?.contains("3 Lullaby for a Nest.mp3") == true)
    #expect(row("button BTN_9", in: outcome.output)?.hasPrefix("FAIL  ") == true)
    #expect(outcome.status == 1)
  }

  @Test("T4, T5: what tokens, playlist buttons and selectors choose is looked for in the music")
  func choices() throws {
    let folder = try TemporaryFolder()
    let tracks = ["de/1 Anfang.mp3", "de/2 Ende.mp3", "en/1 Beginning.mp3", "en/2 End.mp3", "en/3 Coda.mp3"]
    for track in tracks { folder.write("music/\(track)", "-") }
    let lines = """
      [lines.BTN_DE]
      role = "playlist"
      playlist = "de"
      [lines.BTN_FR]
      role = "playlist"
      playlist = "fr"
      [lines.SW_LANGUAGE]
      role = "selector"
      playlist = "en"
      released = "it"
      [lines.SW_OTHER]
      role = "selector"
      playlist = "de"

      """
    let board = Sources.text("board/sim.toml").replacing("[lines.JACK_SENSE]", with: "\(lines)[lines.JACK_SENSE]")
    folder.write("post.toml", board)
    let settings = """
      music = ["music"]
      [tokens]
      BLUE = { track = 2 }
      GRAY = { track = 3 }
      ROSE = { track = "en/3 Coda" }
      PINK = { playlist = "en" }
      TEAL = { playlist = "fr" }

      """
    folder.write("kiosk.toml", settings)
    let outcome = try Program.run(["check", "--board", "post.toml", "--settings", "kiosk.toml"], in: folder)
    let found = outcome.output.split(separator: "\n").map(String.init).filter { line in
      ["button BTN_DE", "button BTN_FR", "selector ", "token "].contains(where: line.dropFirst(6).hasPrefix)
    }
    #expect(
      found == [
        "ok    token BLUE            track 2: en/2 End.mp3, de/2 Ende.mp3",
        "FAIL  token GRAY            playlist de: there is no track 3, expected 1 to 2",
        "ok    token ROSE            track en/3 Coda: en/3 Coda.mp3",
        "ok    button BTN_DE         playlist de, 2 tracks",
        "FAIL  button BTN_FR         the music has no folder fr",
        "ok    selector SW_LANGUAGE  playlist en, 3 tracks",
        "FAIL  selector SW_LANGUAGE  the music has no folder it",
        "ok    selector SW_OTHER     playlist de, 2 tracks",
        "ok    token PINK            playlist en, 3 tracks",
        "FAIL  token TEAL            the music has no folder fr",
      ])
    #expect(outcome.output.contains("-> line 4 of the settings; `jackdaw scan` lists the"))
    #expect(outcome.output.contains("-> folders of the music: \"de\" or \"en\"\n"))
    #expect(outcome.status == 1)
  }

  @Test("T1.1: a name that several files have is looked for in each playlist of the selectors")
  func languages() throws {
    let folder = try TemporaryFolder()
    for track in ["de/101.mp3", "en/101.mp3", "de/102.mp3", "fr/102.mp3"] { folder.write("music/\(track)", "-") }
    let lines = "[lines.SW_LANGUAGE]\nrole = \"selector\"\nplaylist = \"en\"\nreleased = \"de\"\n"
    folder.write(
      "post.toml", Sources.text("board/sim.toml").replacing("[lines.JACK_SENSE]", with: "\(lines)[lines.JACK_SENSE]"))
    folder.write("kiosk.toml", "music = [\"music\"]\n[tokens]\n1 = { track = \"101\" }\n2 = { track = \"102\" }\n")
    let outcome = try Program.run(["check", "--board", "post.toml", "--settings", "kiosk.toml"], in: folder)
    #expect(row("token 1", in: outcome.output)?.hasSuffix("track 101: en/101.mp3, de/101.mp3") == true)
    #expect(row("token 2", in: outcome.output)?.hasPrefix("FAIL  ") == true)
    #expect(outcome.output.contains("playlist en: no track is called 102"))
  }

  @Test("T1.1: a name that several files have is looked for in each playlist of tokens and timetable that has it")
  func languagesWithoutSelector() throws {
    let folder = try TemporaryFolder()
    for track in ["de/101.mp3", "en/101.mp3", "fr/102.mp3", "it/102.mp3"] { folder.write("music/\(track)", "-") }
    let settings = """
      music = ["music"]
      [tokens]
      1 = { track = "101" }
      2 = { track = "102" }
      D = { playlist = "de" }
      [[timetable]]
      at = "00:00"
      playlist = "en"

      """
    folder.write("kiosk.toml", settings)
    let outcome = try Program.run(["check", "--board", "sim", "--settings", "kiosk.toml"], in: folder)
    #expect(row("token 1", in: outcome.output)?.hasSuffix("track 101: de/101.mp3, en/101.mp3") == true)
    #expect(row("token 2", in: outcome.output)?.hasPrefix("FAIL  ") == true)
  }

  @Test("O1.1: a cue that a line names is looked for")
  func namedCues() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("cues")
    for name in ["bell", "welcome"] { folder.write("cues/\(name).mp3", "") }
    let lines = "[lines.SEAT]\nrole = \"cue\"\ncue = \"bell\"\n[lines.LID]\nrole = \"cue\"\ncue = \"gong\"\n"
    folder.write(
      "post.toml", Sources.text("board/sim.toml").replacing("[ports.headphones]", with: "\(lines)[ports.headphones]"))
    folder.write("kiosk.toml", "cue_folder = \"cues\"\n")
    let outcome = try Program.run(["check", "--board", "post.toml", "--settings", "kiosk.toml"], in: folder)
    let found = outcome.output.split(separator: "\n").filter { $0.contains(" button ") }
    #expect(found.count == 2)
    #expect(found.contains { $0.hasPrefix("ok    button SEAT ") && $0.hasSuffix("cue bell") })
    #expect(found.contains { $0.hasPrefix("FAIL  button LID ") && $0.hasSuffix("no cue is called gong") })
    #expect(outcome.output.contains("cues: bell,") && outcome.status == 1)
  }

  @Test("bad input is an error, not a finding")
  func badInput() throws {
    let folder = try TemporaryFolder()
    folder.write("kiosk.toml", "volume = 3\n")
    let outcome = try Program.run(["check", "--board", "sim", "--settings", "kiosk.toml"], in: folder)
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("jackdaw: kiosk.toml:1: volume: unknown key"))
  }

  @Test("a measurement without a cable fails with advice, and one of no port is an error")
  func measurement() throws {
    let folder = try TemporaryFolder()
    folder.write("board.toml", Sources.text("board/sim.toml").replacing("pcm = \"default\"", with: "pcm = \"null\""))
    let silent = try Program.run(["check", "--board", "board.toml", "--measure", "headphones=null"], in: folder)
    #expect(silent.status == 1 && silent.errors == "")
    #expect(silent.output.contains("FAIL  output headphones  nothing of the tone on null came in on null\n"))
    #expect(silent.output.contains("-> the cable, "))
    for words in ["headphones", "headphones=", "gramophone=null"] {
      let outcome = try Program.run(["check", "--board", "board.toml", "--measure", words], in: folder)
      #expect(outcome.status == 2 && outcome.output == "")
      #expect(outcome.errors.hasPrefix("jackdaw: --measure \(words): expected PORT=PCM, a port (headphones, "))
    }
  }
}

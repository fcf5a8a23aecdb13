import AudioSession
import Files
import Glibc
import KioskLives

/// Life after life, and what they came to.
struct Lives {
  private static let folder = "Tests/Soak/Kiosks"
  private static let out = ".build/soak"
  /// Of this process: others may live beside it.
  private static let recordings = "\(out)/recordings.\(getpid())"
  /// A finding is minimised with so many lives at most.
  private static let mostTries = 1_500

  private let options: Options
  private var kiosks: [String: Kiosk] = [:]
  private var coverage = Coverage()
  private var simulated = Duration.zero
  private var count = 0
  private let begin = ContinuousClock.now

  init(_ options: Options) { self.options = options }

  /// True where nothing was wrong.
  mutating func run() throws -> Bool {
    mkdir(".build", 0o755)
    mkdir(Self.out, 0o755)
    defer {
      Trial.clear(Self.recordings)
      rmdir(Self.recordings)
    }
    for name in Kiosk.names { kiosks[name] = try Kiosk(name, in: Self.folder) }
    if let path = options.scenario { return try judge(path) }
    say("\(options.hours) h from seed \(options.seed) on")
    var seed = options.seed
    var told = ContinuousClock.now
    repeat {
      let life = try acting(Life.ofSeed(seed))
      if let (violation, end) = try live(life) {
        try report(violation, end, life)
        return false
      }
      if ContinuousClock.now - told > .seconds(10) {
        told = .now
        say("seed \(seed), \(life.kiosk): \(summary)")
      }
      seed += 1
    } while simulated < .seconds(options.hours * 3_600) && elapsed < .seconds(options.seconds)
    return conclude()
  }

  private var elapsed: Duration { ContinuousClock.now - begin }

  private var summary: String {
    let hours = Double(simulated.components.seconds) / 3_600
    let perSecond = hours / max(0.001, Double(elapsed / .milliseconds(1)) / 1_000)
    return "\(count) lives, \(Int(hours)) h, \(Int(perSecond * 10) / 10).\(Int(perSecond * 10) % 10) h a second"
  }

  /// What is wrong with it, and when that was seen.
  private mutating func live(_ life: Life) throws -> (Violation, Instant)? {
    guard let kiosk = kiosks[life.kiosk] else { return nil }
    let trial = try Trial(life, on: kiosk, recordings: Self.recordings)
    coverage.add(trial.coverage)
    simulated += trial.end - .powerOn
    count += 1
    return trial.violation.map { ($0, trial.end) }
  }

  private func acting(_ life: Life) throws -> Life {
    guard let kiosk = kiosks[life.kiosk] else { return life }
    return try life.acting(on: kiosk.board)
  }

  // MARK: - Telling

  private func conclude() -> Bool {
    say("\nnothing wrong in \(summary); music for \(coverage.played.components.seconds / 3_600) h of it")
    for kind in Coverage.kinds { say("  \(coverage.faults[kind] ?? 0)\t\(kind)") }
    for (name, times) in coverage.events.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      say("  \(times)\t\(name.rawValue)")
    }
    let missing = coverage.missing
    guard !missing.isEmpty else { return true }
    say("never happened: \(missing.joined(separator: ", "))")
    // Short runs cannot have everything.
    return simulated < .seconds(200 * 3_600)
  }

  private func judge(_ path: String) throws -> Bool {
    guard let kiosk = kiosks[options.kiosk] else { return false }
    let bytes = try FileAccess.read(path)
    let text = String(decoding: bytes, as: UTF8.self)
    let life = try Life(scenario: text, kiosk: kiosk.name, board: kiosk.board, file: path)
    let trial = try Trial(life, on: kiosk, recordings: Self.recordings)
    say("\(path): \(trial.violation?.description ?? "nothing wrong")")
    return trial.violation == nil
  }

  private func report(_ violation: Violation, _ end: Instant, _ life: Life) throws {
    say("\nseed \(life.seed), \(life.kiosk): \(violation)")
    say("again: deploy/soak --seed \(life.seed) --hours 0")
    guard let kiosk = kiosks[life.kiosk] else { return }
    let shorter = minimise(life, violation.row, until: end, on: kiosk)
    let again = try Trial(shorter, on: kiosk, recordings: Self.recordings).violation ?? violation
    let path = "\(Self.out)/life-\(life.seed).scenario"
    let text =
      "# \(again)\n# Found in the life of seed \(life.seed), \(life.steps.count) steps. Played by\n"
      + "#   jackdaw simulate \(path) --board \(kiosk.boardFile) --settings \(kiosk.settingsFile)\n# judged by\n"
      + "#   deploy/soak \(path) --kiosk \(kiosk.name)\n" + shorter.text
    guard let file = fopen(path, "w") else { throw FileAccess.writeFailure(path, errno) }
    fputs(text, file)
    fclose(file)
    say("minimised to \(shorter.steps.count) of \(life.steps.count) steps in \(path):\n\n\(text)")
  }

  /// The same row is violated, whenever.
  private func minimise(_ life: Life, _ row: String, until end: Instant, on kiosk: Kiosk) -> Life {
    let end = Int(end.nanoseconds / 1_000) + 1
    func short(_ steps: [Life.Step]) -> Life {
      let short = Life(seed: life.seed, kiosk: life.kiosk, steps: steps + [Life.Step(at: end, words: "end")])
      // Without one step another may have nothing to do.
      return (try? short.acting(on: kiosk.board)) ?? short
    }
    func isViolated(_ steps: [Life.Step]) -> Bool {
      guard let trial = try? Trial(short(steps), on: kiosk, recordings: Self.recordings) else { return false }
      return trial.violation?.row == row
    }
    // What comes later has no part in it.
    let steps = life.steps.filter { $0.at < end && $0.words != "end" }
    guard isViolated(steps) else { return life }
    return short(Minimiser.minimise(steps, most: Self.mostTries, isViolated))
  }
}

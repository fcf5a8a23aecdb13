import AudioSession
import Files
import Glibc
import SimulationTesting

/// Runs workload after workload, and reports what they found and covered.
struct SoakTest {
  private static let kioskFolder = "Tests/Programs/Soak/Kiosks"
  private static let outputFolder = ".build/soak"
  /// Named after this process, because others may run at the same time.
  private static let recordings = "\(outputFolder)/recordings.\(getpid())"
  /// Runs that the shrinking of one finding may take.
  private static let mostTries = 1_500

  private let options: SoakOptions
  private var kiosks: [String: KioskSetup] = [:]
  private var coverage = Coverage()
  private var simulated = Duration.zero
  private var count = 0
  private let begin = ContinuousClock.now

  init(_ options: SoakOptions) { self.options = options }

  /// Returns true if nothing was wrong.
  mutating func run() throws -> Bool {
    mkdir(".build", 0o755)
    mkdir(Self.outputFolder, 0o755)
    defer {
      WorkloadRun.clear(Self.recordings)
      rmdir(Self.recordings)
    }
    for name in KioskSetup.names { kiosks[name] = try KioskSetup(name, in: Self.kioskFolder) }
    if let path = options.scenario { return try check(path) }
    say("\(options.hours) h from seed \(options.seed) on")
    var seed = options.seed
    var reported = ContinuousClock.now
    repeat {
      let workload = try withoutIdleSteps(Workload.generated(from: seed))
      if let (violation, end) = try run(workload) {
        try report(violation, end, workload)
        return false
      }
      if ContinuousClock.now - reported > .seconds(10) {
        reported = .now
        say("seed \(seed), \(workload.kiosk): \(summary)")
      }
      seed += 1
    } while simulated < .seconds(options.hours * 3_600) && elapsed < .seconds(options.seconds)
    return conclude()
  }

  private var elapsed: Duration { ContinuousClock.now - begin }

  private var summary: String {
    let hours = Double(simulated.components.seconds) / 3_600
    let perSecond = hours / max(0.001, Double(elapsed / .milliseconds(1)) / 1_000)
    let rate = "\(Int(perSecond * 10) / 10).\(Int(perSecond * 10) % 10) h a second"
    return "\(count) \(count == 1 ? "workload" : "workloads"), \(Int(hours)) h, \(rate)"
  }

  /// Returns the violation, if there is one, and when it was noticed.
  private mutating func run(_ workload: Workload) throws -> (Violation, Instant)? {
    guard let kiosk = kiosks[workload.kiosk] else { return nil }
    let run = try WorkloadRun(workload, on: kiosk, recordings: Self.recordings)
    coverage.add(run.coverage)
    simulated += run.end - .powerOn
    count += 1
    return run.violation.map { ($0, run.end) }
  }

  private func withoutIdleSteps(_ workload: Workload) throws -> Workload {
    guard let kiosk = kiosks[workload.kiosk] else { return workload }
    return try workload.withoutIdleSteps(on: kiosk.board)
  }

  // MARK: - Reports

  private func conclude() -> Bool {
    say("\nnothing wrong in \(summary); music for \(coverage.played.components.seconds / 3_600) h of it")
    for kind in Coverage.kinds { say("  \(coverage.faults[kind] ?? 0)\t\(kind)") }
    for (name, times) in coverage.events.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      say("  \(times)\t\(name.rawValue)")
    }
    let missing = coverage.missing
    guard !missing.isEmpty else { return true }
    say("never happened: \(missing.joined(separator: ", "))")
    // A short run cannot cover everything.
    return simulated < .seconds(200 * 3_600)
  }

  private func check(_ path: String) throws -> Bool {
    guard let kiosk = kiosks[options.kiosk] else { return false }
    let bytes = try FileAccess.read(path)
    let text = String(decoding: bytes, as: UTF8.self)
    let workload = try Workload(scenario: text, kiosk: kiosk.name, board: kiosk.board, file: path)
    let run = try WorkloadRun(workload, on: kiosk, recordings: Self.recordings)
    say("\(path): \(run.violation?.description ?? "nothing wrong")")
    return run.violation == nil
  }

  private func report(_ violation: Violation, _ end: Instant, _ workload: Workload) throws {
    say("\nseed \(workload.seed), \(workload.kiosk): \(violation)")
    say("again: Tests/run soak --seed \(workload.seed) --hours 0")
    guard let kiosk = kiosks[workload.kiosk] else { return }
    let shorter = shrink(workload, violation.row, until: end, on: kiosk)
    let again = try WorkloadRun(shorter, on: kiosk, recordings: Self.recordings).violation ?? violation
    let path = "\(Self.outputFolder)/workload-\(workload.seed).scenario"
    let text =
      "# \(again)\n# Found in the workload of seed \(workload.seed), \(workload.steps.count) steps. Played by\n"
      + "#   jackdaw simulate \(path) --board \(kiosk.boardFile) --settings \(kiosk.settingsFile)\n# checked by\n"
      + "#   Tests/run soak \(path) --kiosk \(kiosk.name)\n" + shorter.text
    guard let file = fopen(path, "w") else { throw FileAccess.writeFailure(path, errno) }
    fputs(text, file)
    fclose(file)
    say("shrunk to \(shorter.steps.count) of \(workload.steps.count) steps in \(path):\n\n\(text)")
  }

  /// Leaves the steps that violate the same row, at whatever instant.
  private func shrink(_ workload: Workload, _ row: String, until end: Instant, on kiosk: KioskSetup) -> Workload {
    let end = Int(end.nanoseconds / 1_000) + 1
    func short(_ steps: [Workload.Step]) -> Workload {
      let short = Workload(
        seed: workload.seed, kiosk: workload.kiosk, steps: steps + [Workload.Step(at: end, words: "end")])
      // Without one step, another may have no effect.
      return (try? short.withoutIdleSteps(on: kiosk.board)) ?? short
    }
    func isViolated(_ steps: [Workload.Step]) -> Bool {
      guard let run = try? WorkloadRun(short(steps), on: kiosk, recordings: Self.recordings) else { return false }
      return run.violation?.row == row
    }
    // Later steps have no part in it.
    let steps = workload.steps.filter { $0.at < end && $0.words != "end" }
    guard isViolated(steps) else { return workload }
    return short(Shrinker.shrink(steps, mostTries: Self.mostTries, isViolated))
  }
}

import BoardFiles
import TestSupport
import Testing

@testable import SimulationTesting

/// Serialized, because the tests share the music and the recordings.
@Suite(.serialized) struct WorkloadTests {
  static let kiosks = repositoryPath("Tests/Programs/Soak/Kiosks")
  private static let recordings = repositoryPath(".build/soak/test-recordings")

  @Test("The same seed gives the same workload, another seed another")
  func sameSeed() {
    #expect(Workload.generated(from: 7).text == Workload.generated(from: 7).text)
    #expect(Workload.generated(from: 7).text != Workload.generated(from: 8).text)
  }

  @Test("A workload is the same when it is read back from its scenario")
  func scenario() throws {
    let board = try BoardFile.read(Self.kiosks + "/headset.board.toml")
    for seed: UInt64 in 1...40 {
      let workload = try Workload.generated(from: seed).withoutIdleSteps(on: board)
      let read = try Workload(scenario: workload.text, kiosk: workload.kiosk, board: board, file: "workload.scenario")
      #expect(read.steps == workload.steps)
    }
  }

  @Test("Workloads run without a violation, and twice the same")
  func runs() throws {
    for seed: UInt64 in [3, 5] {
      var workload = Workload.generated(from: seed)
      // The first minutes: unoptimised code is slow.
      workload.steps = workload.steps.filter { $0.at < 300_000_000 } + [Workload.Step(at: 300_000_000, words: "end")]
      let kiosk = try KioskSetup(workload.kiosk, in: Self.kiosks)
      workload = try workload.withoutIdleSteps(on: kiosk.board)
      let first = try WorkloadRun(workload, on: kiosk, recordings: Self.recordings)
      let second = try WorkloadRun(workload, on: kiosk, recordings: Self.recordings)
      #expect(first.violation == nil)
      #expect(first.coverage.events == second.coverage.events)
      #expect(first.coverage.played == second.coverage.played)
    }
  }

  private func violation(on name: String, in scenario: String) throws -> Violation? {
    let kiosk = try KioskSetup(name, in: Self.kiosks)
    let workload = try Workload(scenario: scenario, kiosk: name, board: kiosk.board, file: "workload.scenario")
    return try WorkloadRun(workload, on: kiosk, recordings: Self.recordings).violation
  }

  @Test("R3, P14, P15: an unplug is silent within 5 ms, wherever within its step the position of the card is")
  func unplugWithinStep() throws {
    var scenario = "at 0s output card headphones steps\nat 1s plug headphones\nat 2s press play\n"
    for step in 0..<10 {
      scenario += "at \(4 + 2 * step).\(500 + step)s unplug headphones\nat \(5 + 2 * step)s plug headphones\n"
    }
    #expect(try violation(on: "lobby", in: scenario + "at 25s end\n") == nil)
  }

  struct Harmless: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kiosk: String
    let scenario: String

    init(_ title: String, on kiosk: String, _ scenario: String) {
      (testDescription, self.kiosk, self.scenario) = (title, kiosk, scenario)
    }
  }

  @Test(
    "I15, W1, P12, X4, T3, K8, X1, Q1, T6, D2, R3, P14, G5, D7, B2, B6, I9, T2, N1, N6, X6, M1, M4: what is easily taken for a violation is none",
    arguments: harmless)
  func findsNothing(_ row: Harmless) throws {
    #expect(try violation(on: row.kiosk, in: row.scenario) == nil)
  }

  private static let harmless = [
    Harmless(
      "I15: a headset whose device hangs while all devices fail is not open in the end, and is tried anew",
      on: "headset",
      """
      at 1s  output opening bluetooth 4692ms
      at 2s  output fail
      at 18s plug bluetooth
      at 33s end
      """),
    Harmless(
      "W1: a return to the place of a save in passing, a track that cannot be played, need not be saved", on: "booth",
      """
      at 1s   press next
      at 5s   plug headphones
      at 5.2s press play
      at 9.6s press previous
      at 20s  press play         # saved, and on to the next track in the same instant
      at 20.1s press record
      at 20.8s press previous
      at 30s  end
      """),
    Harmless(
      "P12, X4: what is decoded when the storage fails is heard without a click at its end", on: "exhibit",
      """
      at 1s   press play
      at 10s  music fails
      at 30s  end
      """),
    Harmless(
      "T3, K8: a kiosk that stopped behind a chosen track forgets the choice while nobody uses it, without an event",
      on: "exhibit",
      """
      at 1s   choose track 1
      at 200s console "play"     # two minutes after its end; the next track follows
      at 262s end
      """),
    Harmless(
      "T3, K8: a kiosk that is made ready for the next visitor forgets the choice, whatever of that the log names",
      on: "exhibit",
      """
      at 0s   line LANGUAGE 1
      at 1s   press volume-down for 2471ms
      at 4s   choose track 2
      at 132s console "play"
      at 137s end
      """),
    Harmless(
      "X1, Q1, W1: whoever a prompt keeps at a track whose file is gone is not elsewhere", on: "lobby",
      """
      at 0s   plug headphones
      at 1s   press play
      at 3s   unplug headphones
      at 4s   music remove "1 long.wav"
      at 200s end
      """),
    Harmless(
      "X1, T6: what a person seeks in a file that is gone, and that a prompt has held, is kept with it", on: "lobby",
      """
      at 0s   plug headphones
      at 1s   press play
      at 3s   unplug headphones
      at 4s   music remove "1 long.wav"
      at 10s  seek +10s
      at 12s  music add "1 long.wav"
      at 20s  end
      """),
    Harmless(
      "T6: a place beyond the end of a track that nobody has opened becomes its start, after a lost output, too",
      on: "exhibit",
      """
      at 1s   seek +900s
      at 2s   output fail
      at 4s   console "play"
      at 5s   output restore
      at 40s  end
      """),
    Harmless(
      "P12: a card that is looked at shortly before the end of a cue is not left without the silence behind it",
      on: "lobby",
      """
      at 0s        output card headphones queued
      at 0s        plug headphones
      at 38.743437s plug dock
      at 93.028435s press cue
      at 93.221710s press play
      at 95.137815s press play
      at 95.199267s unplug dock bounce 32ms
      at 96.6s     end
      """),
    Harmless(
      "D2: a fade that a sleep interrupts continues after it", on: "exhibit",
      """
      at 0s   press play
      at 0.2s press cue
      at 2.9s power sleep        # the fade of a second began at 2.73 s
      at 10s  power wake
      at 14s  end
      """),
    Harmless(
      "R3, P14: an unplug within the fade of a pause, a Stop or a cue's end stops a card that takes nothing back",
      on: "lobby",
      """
      at 0s     output card headphones shallow
      at 1s     plug headphones
      at 2s     press play
      at 5s     press play
      at 5.034s unplug headphones    # 4 ms after the pause
      at 7s     plug headphones
      at 8s     press play
      at 10s    press stop
      at 10.034s unplug headphones
      at 12s    plug headphones
      at 13s    press cue
      at 14s    press stop
      at 14.034s unplug headphones
      at 16s    end
      """),
    Harmless(
      "T3: a track that was chosen in a queue of one is still chosen behind Next", on: "exhibit",
      """
      at 1s   music remove "Deutsch/lang.wav"
      at 9s   press playlist Deutsch
      at 18s  type 03
      at 25s  line BTN_NEXT 1
      at 26s  press play
      at 32s  end
      """),
    Harmless(
      "T2, N1: a choice that pauses a track which waits for its storage, and goes on with it, is no new start",
      on: "lobby",
      """
      at 1s   press track 2
      at 36s  music remove "7 longer.wav"
      at 36s  music fails
      at 39s  music add "7 longer.wav"
      at 84s  music works
      at 85s  type A7
      at 89s  type A7
      at 100s end
      """),
    Harmless(
      "X6: a list that a command has made is known at power on", on: "headset",
      """
      at 1s   console "reload"
      at 2s   power cut
      at 9s   music remove "Deutsch/lang.wav"
      at 9.1s power on
      at 20s  end
      """),
    Harmless(
      "M1, M4: the rest of a change of the sides that a pause has cut short is heard when the music goes on",
      on: "headset",
      """
      at 1s     console "play"
      at 9.5s   press play
      at 9.516s console "channels left"
      at 9.668s press play
      at 10s    end
      """),
    Harmless(
      "G5: the line of a turn that is due in the very instant of the next detent", on: "lobby",
      """
      at 1.5s   turn VOLUME 3 in 303ms
      at 1.806s turn VOLUME -10 in 3000ms
      at 6s     end
      """),
    Harmless(
      "K8: an output that returns does not count as use", on: "exhibit",
      """
      at 1s   plug headphones
      at 2s   output fail
      at 3s   press cue
      at 4s   press volume-up
      at 5s   unplug headphones
      at 6s   output restore     # found out by trying again, long before the idle reset at 125 s
      at 130s plug headphones
      at 131s end
      """),
    Harmless(
      "D7: in a multi-route a port that comes back does not go on with a cue that was cut off", on: "exhibit",
      """
      at 0.5s console "category multi-route"
      at 1s   plug headphones
      at 2s   press play
      at 3s   press cue
      at 3.2s unplug headphones
      at 3.3s plug headphones
      at 3.34s line JACK_SENSE 0
      at 3.36s line JACK_SENSE 1
      at 3.4s press record
      at 6s   end
      """),
    Harmless(
      "B2: the device of a headset may fail while the line of its PCM is not yet steady", on: "headset",
      """
      at 0.9s output opening bluetooth 9ms
      at 1s   plug bluetooth
      at 2s   press play
      at 2.361s output stall bluetooth
      at 2.362s cue welcome
      at 2.3635s unplug bluetooth
      at 2.367s output recover bluetooth
      at 4s   end
      """),
    Harmless(
      "B2: a headset that fails while nothing is wanted holds nothing, also where its line moves", on: "headset",
      """
      at 1s   plug bluetooth
      at 2s   unplug bluetooth
      at 2.4s output opening bluetooth 90ms
      at 2.5s plug bluetooth
      at 2.6s unplug bluetooth
      at 4s   end
      """),
    Harmless(
      "B2, I15: a headset that opens late is used by the next try, and its prompt is answered when it has sounded",
      on: "headset",
      """
      at 1s   output opening bluetooth 4s
      at 2s   press play
      at 3s   plug bluetooth
      at 15s  output stall bluetooth
      at 40s  output recover bluetooth
      at 80s  end
      """),
    Harmless(
      "B6: a headset that is turned to about what it was asked for within a second may be taken to answer that",
      on: "headset",
      """
      at 1s   plug bluetooth
      at 5s   output volume bluetooth 121
      at 9s   output volume bluetooth 125
      at 9.26s output volume bluetooth 111
      at 9.57s output volume bluetooth 119
      at 10s  end
      """),
    Harmless(
      "B2: a pause while the PCM of a headset is opened anew goes on where it had failed", on: "headset",
      """
      at 1s   plug bluetooth
      at 2s   press play
      at 8s   output card bluetooth headset
      at 8.0873s line "bluetooth playcd" 1
      at 8.0874s line "bluetooth playcd" 0
      at 8.6169s line "bluetooth playcd" 1
      at 8.617s line "bluetooth playcd" 0
      at 10s  end
      """),
    Harmless(
      "I9: an output that is lost in the instant in which an interruption ends has a limit of its own", on: "exhibit",
      """
      at 1s   press play
      at 2s   press record       # for 20 s at most; the limit of an interruption is 60 s
      at 10s  output fail
      at 70s  end
      """),
    Harmless(
      "T2, N1: a chosen track that was paused before a power cut goes on at its next press, and that is no new start",
      on: "exhibit",
      """
      at 1s   press track 2
      at 11s  press play         # a pause
      at 60s  power cut
      at 62s  power on
      at 80s  press track 2      # again = "pause"
      at 120s end
      """),
    Harmless(
      "N6: power cuts around the cue of the day are no violation", on: "lobby",
      """
      at 1s   clock 12:59:58
      at 6s   power cut          # in the middle of it
      at 8s   power on
      at 15s  power cut          # behind its end
      at 16s  power on
      at 40s  end
      """),
  ]
}

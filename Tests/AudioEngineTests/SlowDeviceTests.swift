import AudioSession
import Board
import Testing

@testable import AudioEngine
@testable import KioskTestSupport
@testable import Threads

/// Devices that take their time to be opened, recovered and closed, or never return from it.
@Suite struct SlowDeviceTests {
  static let long = [600 * EngineBench.rate]

  @Test("I15: a device that takes its time is waited for, and holds up no command")
  func commands() {
    let bench = EngineBench(hasThreads: true)
    bench.play(then: .milliseconds(1_900))
    #expect(bench.reportNames == [] && bench.services < 20)
    bench.silence(then: .milliseconds(1))
    #expect(bench.reportNames == ["silenced"])
    bench.route(.speaker)
    bench.send(.play, then: .milliseconds(1))
    bench.speaker.work()
    bench.pass(.seconds(1))
    #expect(bench.reportNames == ["silenced", "started 0", "began 0"])
    #expect(bench.opened.map(\.port) == [.speaker])
    // It is no longer asked for.
    bench.headphones.work()
    #expect(bench.opened.map(\.port) == [.speaker])
  }

  @Test("I15: a device that never answers is lost once for every try, with its reason and one notice")
  func hangs() throws {
    let bench = EngineBench(hasThreads: true)
    bench.play(then: .milliseconds(1_999))
    #expect(bench.reportNames == [])
    bench.pass(.milliseconds(1))
    #expect(bench.reportNames == ["lost"])
    #expect(bench.engine.failure.withLock { $0?.description } == "headphones: open: device does not answer")
    #expect(bench.headphones.takeNotice() == "headphones does not answer; a thread waits for its driver")
    bench.send(.reopen, then: .seconds(3))
    #expect(bench.reportNames == ["lost", "lost"] && bench.services < 30)
    #expect(bench.headphones.takeNotice() == nil)
  }

  @Test("I15: what a device opens after it was lost is used by the next try, from the first frame")
  func opensLate() throws {
    let bench = EngineBench(hasThreads: true)
    bench.play(then: .seconds(16))
    _ = bench.headphones.takeNotice()
    bench.headphones.work()
    #expect(bench.headphones.takeNotice() == "headphones answers again")
    #expect(bench.headphones.takeNotice() == nil)
    bench.pass(.seconds(1))
    #expect(bench.reportNames == ["lost"])
    bench.send(.reopen)
    bench.send(.play, then: .seconds(1))
    #expect(bench.reportNames == ["lost", "restored", "started 0", "began 0"])
    #expect(bench.opened.count == 1)
    #expect(bench.hearing(Self.long).first == 0)
  }

  /// The headphones have hung and are lost, and the route is the speaker.
  private func leave(_ bench: EngineBench) {
    bench.play(then: .seconds(2))
    bench.route(.speaker, then: .zero)
    bench.speaker.work()
    bench.pass(.seconds(1))
    #expect(bench.reportNames == ["lost"])
  }

  @Test("I15: what a device opens late is used by the next try, also where the route was elsewhere in between")
  func opensLateElsewhere() throws {
    for opensBefore in [true, false] {
      let bench = EngineBench(hasThreads: true)
      leave(bench)
      if opensBefore { bench.headphones.work() }
      bench.pass(.seconds(1))
      bench.route(.headphones)
      bench.send(.play, then: .milliseconds(500))
      if !opensBefore { bench.headphones.work() }
      bench.pass(.seconds(1))
      #expect(bench.reportNames == ["lost", "started 0", "began 0"])
      #expect(bench.opened.filter { $0.port == .headphones }.count == 1)
      #expect(bench.hearing(Self.long).first == 0)
    }
  }

  @Test("I15: what has opened late is also what is waited for while another port sounds, and one that failed is not")
  func opensLateAhead() {
    for fails in [false, true] {
      let bench = EngineBench(hasThreads: true)
      leave(bench)
      if fails { bench.devices.failures = 1 }
      bench.headphones.work()
      bench.send(.play, then: .seconds(1))
      bench.route(.headphones, then: .milliseconds(500))
      #expect((bench.engine.machine.output == 1) == fails)
      bench.headphones.work()
      bench.pass(.seconds(1))
      #expect(bench.engine.machine.output == 0 && bench.reportNames == ["lost", "started 0", "began 0", "started 0"])
      #expect(bench.opened.filter { $0.port == .headphones }.count == 1)
    }
  }

  @Test("I15: what opens late and is not tried again within a minute is closed, as at the end")
  func closesLate() {
    for ends in [false, true] {
      let bench = EngineBench(hasThreads: true)
      leave(bench)
      bench.headphones.work()
      bench.pass(.seconds(58))
      bench.headphones.work()
      #expect(bench.opened.filter { $0.port == .headphones }.map(\.isClosed) == [false])
      if ends { bench.engine.shutDown() } else { bench.pass(.seconds(2)) }
      bench.headphones.work()
      #expect(bench.opened.filter { $0.port == .headphones }.map(\.isClosed) == [true])
    }
  }

  @Test("I15: what opens late is closed when another engine wants the device, and asked for anew then")
  func opensLateForAnother() {
    let bench = EngineBench()
    let signals = EngineSignals()
    let thread = DeviceThread(device: "headphones", signals: signals)
    defer { thread.stop() }
    let slots = [0, 1].map { _ in
      DeviceSlot(
        AudioEngine.Output(port: .headphones, device: "headphones"), opener: bench.devices, rate: EngineBench.rate,
        buffer: .milliseconds(200), thread: thread, signals: signals)
    }
    #expect(slots[0].ask(for: .open).isPending)
    slots[0].reportHang()
    thread.work()
    #expect(slots[1].ask(for: .open).isPending)
    thread.work()
    #expect(bench.opened.map(\.isClosed) == [true, false])
    #expect(!slots[1].takeAnswer().isPending && slots[0].ask(for: .open).isPending)
  }

  @Test("I15: a device that fails late is asked anew by the next try")
  func failsLate() throws {
    let bench = EngineBench(hasThreads: true)
    bench.devices.failures = 1
    bench.play(then: .seconds(3))
    bench.headphones.work()
    bench.send(.reopen, then: .milliseconds(1))
    bench.headphones.work()
    bench.pass(.milliseconds(1))
    #expect(bench.reportNames == ["lost", "restored"])
  }

  @Test("I15: a device that opens when it is the route no more is closed again")
  func opensForNobody() {
    let bench = EngineBench(hasThreads: true)
    bench.play(then: .milliseconds(1))
    bench.devices.whileOpening = {
      bench.devices.whileOpening = {}
      bench.route(.speaker, then: .milliseconds(1))
    }
    bench.headphones.work()
    #expect(bench.opened.map(\.isClosed) == [true])
    // Asked for again in the middle of its closing, it is opened once more.
    bench.route(.headphones, then: .milliseconds(1))
    bench.headphones.work()
    bench.pass(.seconds(1))
    #expect(bench.opened.map(\.isClosed) == [true, false])
    #expect(bench.reportNames == ["started 0", "began 0"])
  }

  @Test("I15: a device that ran dry is made ready by its thread, and commands do not wait for that")
  func recovers() {
    let bench = EngineBench.playing()
    bench.device?.stop(as: .underrun)
    bench.engine.signals.audio.raise()
    bench.pass(.milliseconds(500))
    bench.silence(then: .milliseconds(1))
    #expect(bench.reportNames.last == "silenced")
    bench.send(.play)
    bench.headphones.work()
    bench.pass(.seconds(1))
    #expect(bench.reportNames.filter { $0 == "underrun" }.count == 1 && !bench.reportNames.contains("lost"))
    let hearing = bench.hearing(Self.long)
    #expect(hearing.joints.allSatisfy { (0...176).contains($0.missing) }, "\(hearing.joints)")
    #expect(hearing.last > EngineBench.rate * 19 / 10)
  }

  @Test("I15: a device that hangs when it is made ready is lost, and left behind at once for another port")
  func recoversNever() {
    for leaves in [false, true] {
      let bench = EngineBench.playing()
      bench.device?.stop(as: .suspended)
      if leaves { bench.route(.speaker) }
      bench.engine.signals.audio.raise()
      bench.pass(.milliseconds(1))
      bench.speaker.work()
      bench.pass(.seconds(3))
      #expect(bench.reportNames.contains("lost") != leaves)
      #expect(
        bench.headphones.takeNotice() == (leaves ? nil : "headphones does not answer; a thread waits for its driver"))
      #expect((bench.taps[.speaker]?.frames.count ?? 0 > EngineBench.rate) == leaves)
      // The thread has the device until its call returns, and closes it then.
      #expect(bench.opened.first?.isClosed == false)
      bench.headphones.work()
      #expect(bench.opened.first?.isClosed == true)
    }
  }

  @Test("I15: a device's thread that has to end closes what is open, and opens nothing more")
  func ends() {
    let bench = EngineBench.playing()
    let stopping = WorkerThread.Flag()
    bench.engine.shutDown()
    bench.route(.speaker, then: .zero)
    stopping.raise()
    for thread in [bench.headphones, bench.speaker] { thread.run(until: stopping) }
    #expect(bench.opened.map(\.isClosed) == [true])
  }

  @Test("S6: what one engine closes is closed before another opens the same device")
  func order() {
    let bench = EngineBench()
    let signals = EngineSignals()
    let thread = DeviceThread(device: "headphones", signals: signals)
    defer { thread.stop() }
    let output = AudioEngine.Output(port: .headphones, device: "headphones")
    let slots = (0..<2).map { _ in
      DeviceSlot(
        output, opener: bench.devices, rate: EngineBench.rate, buffer: .milliseconds(200), thread: thread,
        signals: signals)
    }
    #expect(slots[1].ask(for: .open).isPending)
    thread.work()
    guard case .opened(let first)? = slots[1].takeAnswer() else {
      Issue.record("not opened")
      return
    }
    slots[1].close(first)
    #expect(slots[0].ask(for: .open).isPending)
    thread.work()
    guard case .opened? = slots[0].takeAnswer() else {
      Issue.record("not opened by the other")
      return
    }
    #expect(bench.opened.map(\.isClosed) == [true, false])
  }
}

extension DeviceSlot.Answer? {
  fileprivate var isPending: Bool { if case nil = self { true } else { false } }
}

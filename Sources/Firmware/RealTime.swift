import CLinux
import Glibc

/// What is asked of the system, so that nothing else on the board delays the audio thread, nor the control thread, which
/// has to pass on an unplug within milliseconds. A refusal is no reason to be silent: music plays as well as it can, and
/// the log says why it may not play better.
public enum RealTime {
  /// The audio thread's, of `SCHED_FIFO`: above the kernel's interrupt threads (50), as audio servers run, and below its
  /// watchdogs (99).
  public static let priority: CInt = 60
  /// The control thread's: whoever fills a device goes first.
  static let controlPriority: CInt = 40

  /// Lets the calling thread, and those that it makes from now on, go before all others; answers why not.
  static func raiseControl() -> String? {
    var parameters = sched_param(sched_priority: controlPriority)
    let result = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    return result == 0 ? nil : "priority \(controlPriority): \(String(cString: strerror(result)))"
  }

  /// Whether the audio thread will go before all others here; answers why not. Main thread, before the firmware runs.
  public static func whyNoPriority() -> String? {
    var parameters = sched_param(sched_priority: priority)
    let result = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    lowerControl()
    return result == 0 ? nil : "priority \(priority): \(String(cString: strerror(result)))"
  }

  /// Whether memory will stay in place here; answers why not. Main thread, before the firmware runs.
  public static func whyNoLock() -> String? {
    defer { munlockall() }
    return lockMemory()
  }

  /// The calling thread is one of many again.
  static func lowerControl() {
    var parameters = sched_param(sched_priority: 0)
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters)
  }

  /// Gives back the pages of code that only a start needs; they can be had again. After `lockMemory` it changes nothing.
  public static func releaseCode() { release_code() }

  /// Keeps in memory all that is touched from now on, and of all that was touched before the data; answers why not. Pages
  /// that nobody touches stay out, as otherwise every unused part of the program and of each thread's stack would be held.
  ///
  /// To be called before the threads are made.
  static func lockMemory() -> String? {
    releaseCode()
    guard mlockall(CInt(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) == 0 else {
      return "memory lock: \(String(cString: strerror(errno)))"
    }
    guard let limit = bindingLimit() else { return nil }
    // Once it is reached, every further mapping would fail, and with it a thread or a track that was to be opened.
    munlockall()
    return "memory lock: limited to \(limit / 1_024) kB, expected no limit"
  }

  /// The limit of locked memory, bytes, if there is one for this process.
  private static func bindingLimit() -> Int? {
    var limit = rlimit()
    getrlimit(CInt(__RLIMIT_MEMLOCK.rawValue), &limit)
    guard limit.rlim_cur != rlim_t.max else { return nil }
    // The right to pass it shows only when one does.
    let size = Int(clamping: limit.rlim_cur)
    let memory = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { return size }
    munmap(memory, size)
    return nil
  }
}

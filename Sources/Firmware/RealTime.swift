import CLinux
import Glibc

/// Requests to the system so that nothing else on the board delays the audio thread, nor the control thread, which has
/// to pass on an unplug within milliseconds. A refusal is no reason to be silent: music plays as well as it can, and
/// the log says why it may not play better.
public enum RealTime {
  /// The audio thread's `SCHED_FIFO` priority: above the kernel's interrupt threads (50), as audio servers run, and
  /// below its watchdogs (99).
  public static let priority: CInt = 60
  /// The control thread's priority, below that of the thread that fills the devices.
  static let controlPriority: CInt = 40

  /// Gives the calling thread, and those that it creates from now on, a real-time priority. Returns why the system
  /// refused.
  static func raiseControl() -> String? {
    var parameters = sched_param(sched_priority: controlPriority)
    let result = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    return result == 0 ? nil : "priority \(controlPriority): \(String(cString: strerror(result)))"
  }

  /// Returns why the audio thread would not get its priority here; nil if it would. Main thread, before the firmware
  /// runs.
  public static func whyNoPriority() -> String? {
    var parameters = sched_param(sched_priority: priority)
    let result = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    lowerControl()
    return result == 0 ? nil : "priority \(priority): \(String(cString: strerror(result)))"
  }

  /// Returns why memory could not be locked here; nil if it could. Main thread, before the firmware runs.
  public static func whyNoLock() -> String? {
    defer { munlockall() }
    return lockMemory()
  }

  /// Gives the calling thread the normal priority again.
  static func lowerControl() {
    var parameters = sched_param(sched_priority: 0)
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters)
  }

  /// Has memory taken by the page, and large pieces given back when they are free, as those in which the music is listed.
  /// Call it before the first of them is allocated.
  public static func keepMemorySmall() { keep_memory_small() }

  /// Releases the pages of code that only the start needs; the kernel loads them again on demand. After `lockMemory` it
  /// changes nothing.
  public static func releaseCode() { release_code() }

  /// Locks in memory the pages that are touched from now on, and the data pages that were touched before. Returns why
  /// the system refused. Untouched pages stay out, because otherwise every unused part of the program and of each
  /// thread's stack would be held.
  ///
  /// Call it before the threads are created.
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
    // Whether the process may exceed it shows only by trying.
    let size = Int(clamping: limit.rlim_cur)
    let memory = mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { return size }
    munmap(memory, size)
    return nil
  }
}

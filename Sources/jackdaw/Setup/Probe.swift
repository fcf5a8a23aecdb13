import Board
import Glibc
import Threads

/// Looks at a device while no firmware runs, for a few seconds at most: its driver may never return.
enum Probe {
  static func run<Found: Sendable>(
    on device: String, within patience: Duration = .seconds(2),
    _ look: @escaping @Sendable () throws(PCMError) -> Found
  ) throws(PCMError) -> Found {
    let found = Locked<Result<Found, PCMError>?>(nil)
    let thread = WorkerThread(name: "probe", signal: Signal()) { _ in
      let result: Result<Found, PCMError>
      do throws(PCMError) {
        result = .success(try look())
      } catch {
        result = .failure(error)
      }
      found.withLock { $0 = result }
    }
    guard thread.stop(within: patience), let result = found.withLock({ $0 }) else {
      throw PCMError(operation: .open, device: device, code: ETIMEDOUT, message: "device does not answer")
    }
    return try result.get()
  }
}

import Glibc

@testable import KioskTestSupport

final class Semaphore: @unchecked Sendable {
  private var semaphore = sem_t()
  init() { sem_init(&semaphore, 0, 0) }
  func post() { sem_post(&semaphore) }
  func wait() { while sem_wait(&semaphore) != 0 {} }
}

extension AwkwardStorage {
  /// Has the next write post the first of these, and wait for the second.
  func holdNextWrite() -> (isHeld: Semaphore, release: Semaphore) {
    let (isHeld, release) = (Semaphore(), Semaphore())
    beforeWrite = { [unowned self] in
      beforeWrite = nil
      isHeld.post()
      release.wait()
    }
    return (isHeld, release)
  }
}

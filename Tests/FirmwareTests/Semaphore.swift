import Glibc

final class Semaphore: @unchecked Sendable {
  private var semaphore = sem_t()
  init() { sem_init(&semaphore, 0, 0) }
  func post() { sem_post(&semaphore) }
  func wait() { while sem_wait(&semaphore) != 0 {} }
}

import Glibc

/// Runs `body` on a plain thread of its own while `other` runs on the caller's, and waits for both.
func together(_ body: @escaping @Sendable () -> Void, _ other: () -> Void) {
  final class Box: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var thread = pthread_t()
  let started = pthread_create(
    &thread, nil,
    { context in
      if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().run() }
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  precondition(started == 0)
  other()
  pthread_join(thread, nil)
}

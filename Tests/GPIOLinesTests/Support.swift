import Board

/// What `body` failed with; nil when it did not.
func lineError<Result>(_ body: () throws -> Result) -> LineError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? LineError
  }
}

import Board

/// The error of `body`; nil where it does not throw.
func lineError<Result>(_ body: () throws -> Result) -> LineError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? LineError
  }
}

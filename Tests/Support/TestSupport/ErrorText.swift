import Files

/// What `body` throws, as a person reads it.
package func errorText<Result>(_ body: () throws(FileError) -> Result) -> String {
  do throws(FileError) {
    _ = try body()
    return "no error"
  } catch {
    return error.description
  }
}

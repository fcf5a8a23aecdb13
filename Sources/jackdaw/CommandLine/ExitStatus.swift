/// The exit status of the program.
enum ExitStatus: Int32 {
  case good = 0
  /// Something was found wrong, or does not work.
  case problem = 1
  /// Bad usage or input.
  case badInput = 2
}

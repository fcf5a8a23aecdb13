/// How long to wait before a lost output is tried again: longer and longer, up to half a minute.
public enum BackOff {
  private static let seconds = [1, 2, 4, 8, 16, 30]

  /// - Parameter tries: how often it was tried already, from 0.
  public static func wait(after tries: Int) -> Duration { .seconds(seconds[min(max(tries, 0), seconds.count - 1)]) }
}

import Board

/// The machine's calendar, stopped: a test that spans the turn of a minute sees nothing of it.
final class StillWallClock: WallClock {
  let now = SystemWallClock().now
}

import Board

/// The machine's calendar, stopped: a test that spans the turn of a minute is not affected.
final class StillWallClock: WallClock {
  let now = SystemWallClock().now
}

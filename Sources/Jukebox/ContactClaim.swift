/// Marks what the queue plays as chosen by a contact with manners, and as still under way (O rows).
struct ContactClaim: Hashable, Sendable {
  let line: LineID
  /// It sounds round and round for as long as the contact is closed (O3).
  let isHeld: Bool
  /// It is one track; false: its playlist.
  private(set) var isOfTrack: Bool

  init(_ line: LineID, isHeld: Bool, isOfTrack: Bool) {
    self.line = line
    self.isHeld = isHeld
    self.isOfTrack = isOfTrack
  }

  /// What is left of it where the queue goes on to another track: a closed contact keeps that sounding, too.
  var elsewhere: Self? {
    isHeld ? Self(line, isHeld: true, isOfTrack: false) : isOfTrack ? nil : self
  }
}

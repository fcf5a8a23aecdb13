import Board

/// The lines of this machine's GPIO chips, through libgpiod. Control thread.
///
/// A line is looked for by its name as a label on every chip in the order of their numbers, then at its fallback. Edges
/// carry the kernel's CLOCK_MONOTONIC time stamps (the kernel's own clock for them since Linux 5.7).
public final class GPIOLineBackend {
  let directory: String
  private let consumer: String

  /// - Parameters:
  ///   - directory: the folder of the kernel's `gpiochipN` files.
  ///   - consumer: the name under which others see the lines in use.
  public init(directory: String = "/dev", consumer: String = "jackdaw") {
    self.directory = directory
    self.consumer = consumer
  }

  /// Opens all of `requests`, on as many chips as they are on, or none of them.
  ///
  /// Throws `openChip` for a fallback chip that is missing or not usable, `findLine` for a line that neither its label
  /// nor its fallback leads to, and `request` for one that is busy or cannot be what was asked for.
  public func open(_ requests: [LineRequest]) throws(LineError) -> any LineSet {
    let inventory = ChipInventory.taken(in: directory, for: requests)
    let places = try inventory.places(of: requests)
    var lines: [any OpenLine] = []
    // Outputs last: a refused input must not have switched an amplifier on.
    for outputs in [false, true] {
      for (request, place) in zip(requests, places) where request.isOutput == outputs {
        lines.append(try ChipLine.open(request, at: place, consumer: consumer))
      }
    }
    return GPIOLineSet(lines, notices: requests.compactMap(inventory.contradiction))
  }
}

extension LineRequest {
  fileprivate var isOutput: Bool {
    switch direction {
    case .input: false
    case .output: true
    }
  }
}

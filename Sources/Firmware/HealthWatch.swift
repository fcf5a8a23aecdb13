import AudioSession
import Jukebox
import Storage

/// Gathers the health figures that the brain cannot measure itself. Control thread.
struct HealthWatch {
  /// The temperature is read no more often than this.
  private static let interval = Duration.seconds(1)

  let thermometer: Thermometer
  private let quarantine: QuarantineStore?
  private var nextMeasurement = Instant.powerOn
  private var leftOut = 0

  init(_ thermometer: Thermometer, _ quarantine: QuarantineStore?) {
    self.thermometer = thermometer
    self.quarantine = quarantine
  }

  /// Returns what has changed since the last call.
  mutating func reports(_ wiring: Wiring, _ boardOperator: any Operator, at now: Instant) -> [HealthReport] {
    var reports: [HealthReport] = []
    let (edges, lines) = (wiring.takeLostEdges(), boardOperator.takeDropped())
    if edges > 0 { reports.append(.edgesLost(edges)) }
    if lines > 0 { reports.append(.linesDropped(lines)) }
    let count = quarantine?.leftOut.count ?? 0
    if count != leftOut { reports.append(.leftOut(count)) }
    leftOut = count
    if now >= nextMeasurement {
      nextMeasurement = now + Self.interval
      reports.append(.temperature(thermometer.read()))
    }
    return reports
  }
}

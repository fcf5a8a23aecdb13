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
  /// Those of the start; 0 once they are reported.
  private var cueFaults: Int

  init(_ thermometer: Thermometer, _ quarantine: QuarantineStore?, cueFaults: Int) {
    self.thermometer = thermometer
    self.quarantine = quarantine
    self.cueFaults = cueFaults
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
    if cueFaults > 0 { reports.append(.cueFaults(cueFaults)) }
    cueFaults = 0
    if now >= nextMeasurement {
      nextMeasurement = now + Self.interval
      reports.append(.temperature(thermometer.read()))
    }
    return reports
  }
}

import AudioSession
import Jukebox

/// Gathers what only the peripherals knows of the firmware's health. Control thread.
struct HealthWatch {
  /// However often somebody asks.
  private static let interval = Duration.seconds(1)

  let thermometer: Thermometer
  private var nextMeasurement = Instant.powerOn

  init(_ thermometer: Thermometer) { self.thermometer = thermometer }

  /// What is news since the last call.
  mutating func reports(_ wiring: Wiring, _ boardOperator: any Operator, at now: Instant) -> [HealthReport] {
    var reports: [HealthReport] = []
    let (edges, lines) = (wiring.takeLostEdges(), boardOperator.takeDropped())
    if edges > 0 { reports.append(.edgesLost(edges)) }
    if lines > 0 { reports.append(.linesDropped(lines)) }
    if now >= nextMeasurement {
      nextMeasurement = now + Self.interval
      reports.append(.temperature(thermometer.read()))
    }
    return reports
  }
}

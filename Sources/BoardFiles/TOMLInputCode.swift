import Board
import Files

extension TOMLShape where Value == InputCode {
  /// A switch of an input device, by its name.
  static var switchCode: Self { choice(InputCode.switches.map { ($0.name, $0) }) }

  /// A key or button of an input device by its name or number, or a switch by its name.
  static var keyOrSwitchCode: Self {
    let numbers = InputCode.keyNumbers
    let keys = "a key by the kernel's name or number, such as \"playpause\", \"btn-south\" or 304"
    return Self(expected: "\(keys), or a switch: \(Wording.list(InputCode.switches.map(\.name)))") { value in
      switch value.kind {
      case .integer(let number):
        guard let key = UInt16(exactly: number), numbers.contains(Int(key)) else {
          return .bad("\(number) is out of range \(numbers.lowerBound)...\(numbers.upperBound)", line: value.line)
        }
        return .good(.key(key))
      case .string(let name):
        if let known = InputCode.switches.first(where: { $0.name == name }) ?? .key(named: name) { return .good(known) }
        let nearest = Wording.nearest(to: InputCode.spelling(of: name), among: InputCode.keyNames)
        let hint = nearest.map { ", the nearest is \(Wording.quoted($0))" } ?? ""
        return .bad("\(value.found) is unknown\(hint)", line: value.line)
      case .float, .boolean, .array, .table, .dateOrTime, .word: return .wrongType
      }
    }
  }
}

import CGPIOD

/// One open GPIO chip; closed when it goes out of scope.
struct ChipHandle: ~Copyable {
  private let chip: OpaquePointer

  private init(adopting chip: OpaquePointer) { self.chip = chip }

  deinit { cgpiod_chip_close(chip) }

  static func open(path: String) throws(SystemFailure) -> ChipHandle {
    var opened: OpaquePointer?
    let code = cgpiod_chip_open(path, &opened)
    guard code == 0, let opened else { throw SystemFailure(code: code) }
    return ChipHandle(adopting: opened)
  }

  /// The kernel's name, such as `gpiochip0`.
  var name: String { String(cString: cgpiod_chip_name(chip)) }
  /// The driver's label, such as `pinctrl-bcm2711`.
  var label: String { String(cString: cgpiod_chip_label(chip)) }
  var lineCount: Int { cgpiod_chip_line_count(chip) }

  func line(at offset: Int) throws(SystemFailure) -> (label: String, isUsed: Bool, consumer: String) {
    var info = cgpiod_line_info()
    let code = cgpiod_chip_line_info(chip, CUnsignedInt(clamping: offset), &info)
    guard code == 0 else { throw SystemFailure(code: code) }
    return (text(of: info.label), info.used, text(of: info.consumer))
  }

  private func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

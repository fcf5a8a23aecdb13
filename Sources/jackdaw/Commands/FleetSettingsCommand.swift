import BoardFiles
import Files
import JSON

/// Prints `[fleet]` of a settings file as JSON, for `jackdaw-fleet`, so that one program only reads settings.
enum FleetSettingsCommand {
  /// The argument with which `jackdaw-fleet` starts the program, before the file; it is not a command of the program.
  static let name = "fleet-settings"

  static func run(_ file: String) throws(CommandError) -> ExitStatus {
    let fleet = try CommandError.about { () throws(FileError) in try FleetSettings.read(file) }
    let json: JSONValue = [
      "broker": .optional(fleet.broker?.text), "user": .optional(fleet.login?.user),
      "password": .optional(fleet.login?.password), "id": .optional(fleet.id), "name": .optional(fleet.name),
      "groups": .strings(fleet.groups),
      "tell_only": .bool(fleet.tellsOnly),
    ]
    Terminal.printLine(json.text)
    return .good
  }
}

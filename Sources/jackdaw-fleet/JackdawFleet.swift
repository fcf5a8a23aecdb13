import AudioSession
import Files
import FleetMessages
import Glibc
import MQTTClient

@main
enum JackdawFleet {
  private static let help = """
    One board of a fleet: tells a broker what the firmware does, and gives the
    firmware the fleet's commands. Only sockets of this machine are used; the way
    to the centre is Mosquitto's, as a bridge.

    USAGE:
      jackdaw-fleet run [--id ID] [--settings FILE] [--broker SOCKET]
                        [--control SOCKET] [--look FILE] [--versions FOLDER]
                        [--direct]
      jackdaw-fleet setup [--broker mqtts://HOST[:PORT]] [--id ID]
                        [--ca FILE] [--cert FILE --key FILE]
                        [--settings FILE] [--boards N] [--socket SOCKET]
      jackdaw-fleet --help | --version

    run    keeps running; whichever of broker and firmware is missing is awaited.
    setup  prints the configuration of the board's Mosquitto, as for
           /etc/mosquitto/conf.d/jackdaw.conf.

      --id         The board's name in topics. Without it: `id` in the settings,
                   else its serial number, or where it has none its host name.
      --settings   The settings file with the table [fleet], which has the fleet's
                   broker, the board's name and groups, and whether it only tells
                   (/etc/jackdaw/jackdaw.toml, where that is).
      --broker     run: the UNIX socket of the board's broker. setup: the fleet's,
                   instead of the settings' one; mqtts:// is encrypted and needs
                   --ca, mqtt:// is not.
      --control    The firmware's control socket.
      --look       A file that is written when the fleet asks the board to look
                   for content and updates, for whatever on the board waits
                   for that (without it, such a command is refused).
      --versions   The folder with the files `software` and `exhibition`, in which
                   whatever installs them writes two words: the version that is
                   installed, and the newest there is (/run/jackdaw-versions).
      --direct     The broker is the centre itself: there is no bridge.
      --socket     setup: where the board's broker listens
                   (/run/jackdaw-fleet/broker).
      --boards     How many boards the fleet has (200), so that they do not all
                   come back at once.

    Exit status: 1 a problem was found, 2 bad usage.

    """

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    do throws(FleetWords.Failure) {
      let words = try FleetWords(CommandLine.arguments.dropFirst())
      switch words.command {
      case "run": try run(words)
      case "setup":
        let fleet = try words.fleet()
        FleetOutput.print(try words.bridge(fleet).text(words.options(fleet)))
      case "--version": FleetOutput.print(Product.version + "\n")
      default: FleetOutput.print(help)
      }
    } catch {
      FleetOutput.note(error.message)
      exit(2)
    }
  }

  private static func run(_ words: FleetWords) throws(FleetWords.Failure) {
    var options = try words.options(words.fleet())
    options.boot = FleetPlaces.boot
    do throws(MQTTClient.Failure) {
      let loop = try FleetLoop(
        options, broker: words["broker"] ?? FleetPlaces.broker, control: words["control"] ?? FleetPlaces.control,
        look: words["look"], versions: words["versions"] ?? FleetPlaces.versions)
      loop.run()
    } catch {
      FleetOutput.note(error.description)
      exit(1)
    }
  }
}

/// Where things are on a board.
enum FleetPlaces {
  /// The board's broker.
  static let broker = "/run/jackdaw-fleet/broker"
  /// What whatever installs software and exhibitions writes (deploy/fleet.md).
  static let versions = "/run/jackdaw-versions"
  /// The settings of the service; nil where there are none.
  static var settings: String? {
    let file = "/etc/jackdaw/jackdaw.toml"
    return access(file, F_OK) == 0 ? file : nil
  }
  /// Also on a machine without a service, as for `jackdaw run --board sim`.
  static var control: String {
    let user = getenv("XDG_RUNTIME_DIR").map { "\(String(cString: $0))/jackdaw/control" }
    return user.flatMap { access($0, F_OK) == 0 ? $0 : nil } ?? "/run/jackdaw/control"
  }

  /// The boot's name: the service has it from systemd, and does not see the kernel's file.
  static var boot: String? {
    if let boot = getenv("JACKDAW_BOOT"), boot.pointee != 0 { return String(cString: boot) }
    return line(of: "/proc/sys/kernel/random/boot_id")?.filter { $0 != "-" }
  }

  /// The board's serial number; nil on a machine without a device tree. Cards are copied, boards are not.
  static var serialNumber: String? { line(of: "/sys/firmware/devicetree/base/serial-number") }

  static var hostName: String? {
    var name = utsname()
    guard uname(&name) == 0 else { return nil }
    let bytes = withUnsafeBytes(of: name.nodename) { Array($0.prefix { $0 != 0 }) }
    let host = String(decoding: bytes, as: UTF8.self)
    return host.isEmpty ? nil : String(host.prefix(64).map { FleetName.isGood(String($0)) ? $0 : "-" })
  }

  /// The first line of a small file, up to a zero.
  static func line(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    let text = bytes.prefix(max(0, count)).prefix { $0 >= 0x20 }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}

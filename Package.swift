// swift-tools-version: 6.0
import PackageDescription

/// Our own code: Swift 6 mode, every warning an error, `any` spelled out.
let strict: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-warnings-as-errors"])]

/// What a release is compiled with. Searching a string for another is the regular expressions' module, which is left out
/// of debug builds, too, so that such a call is found there.
func released(_ flags: String...) -> [SwiftSetting] {
  let always = ["-Xfrontend", "-disable-implicit-string-processing-module-import"]  // 1.3 MB, at the first such call
  // What nobody calls can be left out; and there are no checks of exclusive access beside the compiler's proofs, which
  // would cost more than the mixing. Tests have them.
  let released = ["-Xfrontend", "-function-sections", "-enforce-exclusivity=unchecked"] + flags
  return strict + [.unsafeFlags(always), .unsafeFlags(released, .when(configuration: .release))]
}

/// Optimised without a release, too: explorations put this code through millions of steps, which takes them several times
/// as long otherwise. Overflows, bounds, preconditions and assertions are still checked. For a debugger:
/// `swift build -Xswiftc -Onone`.
let explored: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// Code that samples go through, and code that waits for people and files: small before fast.
let (fast, small) = (released(), released("-Osize"))

/// What a released program is linked with, by lld, which every toolchain brings. What each saves of 8.98 MB, for arm64:
let linked = [
  "-z", "pack-relative-relocs",  // 0.67 MB
  "--icf=all",  // 0.51 MB: equal functions once
  "--no-export-dynamic",  // 0.57 MB: symbols for others to link against
  "--wrap=_swift_stdlib_getScalarName",  // 0.52 MB (Sources/CLinux/UnicodeNames.c)
  "-z", "now",  // the search for a library's function, on the audio thread at its first call
  "--remap-inputs=*/libstdc++.so=/dev/null",  // 57 ms of a cold start, for 0.49 MB more
]

/// A program of the product. The C++ library goes into it, because nothing else on a board needs that.
func program(_ name: String, _ needs: String) -> Target {
  let owned = ["-Xfrontend", "-autolink-library", "-Xfrontend", ":libstdc++.a"]
  let flags = ["-use-ld=lld", "-Xclang-linker", "-static-libgcc"] + linked.flatMap { ["-Xlinker", $0] }
  return .executableTarget(
    name: name, dependencies: list(needs), swiftSettings: small + [.unsafeFlags(owned, .when(configuration: .release))],
    linkerSettings: [.unsafeFlags(flags, .when(configuration: .release))])
}

/// A target, with the names of those that it needs; `place` is its folder in `Tests`, if it is not part of the product.
func swift(
  _ name: String, in place: String? = nil, _ settings: [SwiftSetting], _ needs: String = "", exclude: [String] = []
) -> Target {
  let path = place.map { "Tests/\($0)/\(name)" }
  return .target(name: name, dependencies: list(needs), path: path, exclude: exclude, swiftSettings: settings)
}

/// A C library of the distribution, found through pkg-config.
func library(_ name: String, _ pkgConfig: String, package: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// - Parameter links: libraries that its tests call beside those of the product.
func tests(
  _ name: String, _ needs: String, _ settings: [SwiftSetting] = strict, exclude: [String] = [], links: String = ""
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: list(needs), exclude: exclude, swiftSettings: settings,
    linkerSettings: links.split(separator: " ").map { .linkedLibrary(String($0)) })
}

func list(_ names: String) -> [Target.Dependency] { names.split(separator: " ").map { .byName(name: String($0)) } }

/// What most of what is above level 2 needs.
let kiosk = "AudioSession Jukebox Board Files BoardFiles"

let package = Package(
  name: "jackdaw",
  // Beside the programs: what libasound loads in tests.
  products: [.library(name: "PacedPCM", type: .dynamic, targets: ["PacedPCM"])],
  targets: [
    // Level 0: words, rules and kernels without I/O; files and how errors name them.
    swift("AudioSession", small + explored),
    .target(name: "CSamples"),
    swift("RealtimeAudio", fast + explored, "CSamples"),
    swift("Files", small),
    swift("JSON", small),
    .target(name: "CLinux"),
    // Level 1: the brain; and the seams that the adapters of level 2 implement.
    swift("Jukebox", small + explored, "AudioSession JSON", exclude: ["BEHAVIOUR.md"]),
    swift("Board", small, "AudioSession CLinux"),
    // Level 2: one adapter each over its own C library, the threads' primitives, and the board and settings files.
    .target(name: "CGPIOD", linkerSettings: [.linkedLibrary("gpiod")]),
    swift("GPIOLines", small, "AudioSession Board Files CGPIOD"),
    swift("InputDevices", small, "AudioSession Board Files CLinux"),
    .target(name: "CPCSC", cSettings: [.unsafeFlags(["-I/usr/include/PCSC"])]),
    swift("CardReaders", small, "AudioSession Board Files Threads CPCSC"),
    .target(name: "CSDBus"),
    swift("BluetoothPorts", small, "AudioSession Board CSDBus"),
    .target(name: "CALSA", linkerSettings: [.linkedLibrary("asound")]),
    swift("ALSADevices", small, "AudioSession Board CALSA"),
    .target(name: "CDecoders"),
    swift("TrackDecoding", small, "AudioSession RealtimeAudio Board CDecoders"),
    swift("SerialConsole", small, "AudioSession Board Files JSON"),
    swift("Threads", fast, "AudioSession Board CLinux"),
    library("CSQLite", "sqlite3", package: "libsqlite3-dev"),
    .target(name: "CTOML", cxxSettings: [.unsafeFlags(["-fno-rtti"])]),
    swift("BoardFiles", small, "AudioSession Board Files Jukebox CTOML"),
    library("CMosquitto", "libmosquitto", package: "libmosquitto-dev"),
    swift("MQTTClient", small, "CMosquitto"),
    swift("FleetMessages", small, "AudioSession JSON"),
    // Level 3: sound, and what is kept.
    swift("AudioEngine", fast + explored, "AudioSession RealtimeAudio Jukebox Board Threads"),
    swift("DecoderProcess", small, "AudioSession RealtimeAudio Board Files Threads TrackDecoding CLinux"),
    swift("Storage", small, "\(kiosk) Threads CLinux CSQLite"),
    // Level 4: what carries out the brain's effects.
    swift("Driver", small, "AudioSession Jukebox Board BoardFiles AudioEngine"),
    // Level 5: the board's threads and control loop, and the simulation that stands in for them.
    swift("Firmware", fast, "\(kiosk) Threads AudioEngine Storage Driver CLinux"),
    swift("Simulator", fast, "\(kiosk) AudioEngine Storage Driver SerialConsole CLinux CSQLite"),
    // Level 6: the picture and the keys of a simulated board.
    swift("FrontPanel", small, "AudioSession Jukebox Board BoardFiles Simulator"),
    // Level 7: the command line; and the board in its fleet, a program of its own, because only this one talks to a
    // broker.
    program(
      "jackdaw",
      "\(kiosk) Driver GPIOLines InputDevices CardReaders ALSADevices BluetoothPorts TrackDecoding DecoderProcess SerialConsole "
        + "Storage Threads Firmware Simulator FrontPanel CLinux JSON"),
    program("jackdaw-fleet", "AudioSession CLinux Files FleetMessages JSON MQTTClient"),

    // Outside the product: what tests of several targets need.
    swift("TestSupport", in: "Support", strict, "Files"),
    // The brain with models of all that surrounds it.
    swift("JukeboxTestSupport", in: "Support", strict + explored, "AudioSession Jukebox"),
    // Devices that misbehave, tracks that count, a simulated board to play on.
    swift(
      "KioskTestSupport", in: "Support", strict, "\(kiosk) Threads AudioEngine Storage Simulator CLinux TestSupport"),
    // Without PIC, libasound's macros make a plug-in for a static libasound.
    .target(
      name: "PacedPCM", path: "Tests/Plugins/PacedPCM", cSettings: [.define("PIC")],
      linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "ControlCard", path: "Tests/Plugins/ControlCard", linkerSettings: [.linkedLibrary("asound")]),
    swift("PacedCards", in: "Support", strict, "PacedPCM"),
    .target(name: "JailProbe", dependencies: ["CLinux"], path: "Tests/Plugins/JailProbe"),
    // What stands in for bluez-alsa on a bus.
    .target(name: "BusStandIn", path: "Tests/Plugins/BusStandIn", linkerSettings: [.linkedLibrary("systemd")]),
    // Workloads for simulated kiosks, the oracle that checks them, and their program (Tests/run soak).
    swift("SimulationTesting", in: "Support", fast, "\(kiosk) TrackDecoding Simulator"),
    .executableTarget(
      name: "Soak", dependencies: ["AudioSession", "Files", "SimulationTesting"], path: "Tests/Programs/Soak",
      exclude: ["Kiosks", "mutations.txt"], swiftSettings: fast),
    // Many boards against one broker (Tests/run fleet-load).
    .executableTarget(
      name: "FleetLoad", dependencies: list("AudioSession FleetMessages MQTTClient"), path: "Tests/Programs/FleetLoad",
      swiftSettings: fast),
    // What reads bytes of strangers and what it promises, replayed by tests; `Tests/run fuzz` lets libFuzzer look for more.
    swift(
      "Fuzzing", in: "Support", strict,
      "\(kiosk) SerialConsole Storage Simulator TrackDecoding DecoderProcess CLinux TestSupport",
      exclude: ["Corpus", "make-corpus"]),
    .executableTarget(
      name: "fuzz", dependencies: ["Files", "Fuzzing"], path: "Tests/Programs/Fuzz", swiftSettings: strict),

    tests("AudioSession", "AudioSession"),
    tests("RealtimeAudio", "RealtimeAudio"),
    tests("Files", "Files TestSupport"),
    tests("JSON", "JSON"),
    tests("Jukebox", "AudioSession Jukebox JSON JukeboxTestSupport"),
    tests("JukeboxWalks", "AudioSession Jukebox JukeboxTestSupport", strict + explored),
    tests("GPIOLines", "AudioSession Board CGPIOD GPIOLines TestSupport"),
    tests("CardReaders", "AudioSession Board CPCSC Files CardReaders TestSupport Threads"),
    tests("InputDevices", "AudioSession Board CLinux InputDevices TestSupport"),
    tests("BluetoothPorts", "AudioSession Board BluetoothPorts BusStandIn TestSupport"),
    tests("ALSADevices", "AudioSession Board ALSADevices CALSA ControlCard PacedCards PacedPCM TestSupport"),
    tests(
      "TrackDecoding", "TrackDecoding Board CDecoders TestSupport", exclude: ["Fixtures"], links: "mpg123 sndfile"),
    tests("SerialConsole", "AudioSession Board BoardFiles Files JSON SerialConsole TestSupport"),
    tests("Threads", "Threads CLinux"),
    tests("BoardFiles", "\(kiosk) TestSupport"),
    tests("FleetMessages", "AudioSession JSON FleetMessages"),
    tests("AudioEngine", "\(kiosk) RealtimeAudio AudioEngine Simulator KioskTestSupport", strict + explored),
    // Starts the built program as a decoder.
    tests("DecoderProcess", "Board Files CLinux TrackDecoding DecoderProcess JailProbe TestSupport jackdaw"),
    tests("Storage", "\(kiosk) Threads TrackDecoding CLinux Storage Simulator JailProbe KioskTestSupport TestSupport"),
    tests("Driver", "AudioSession Jukebox Board Driver KioskTestSupport TestSupport"),
    tests(
      "Firmware",
      "\(kiosk) RealtimeAudio Threads AudioEngine Storage Driver Firmware Simulator FrontPanel ALSADevices "
        + "KioskTestSupport TestSupport CALSA CLinux PacedCards PacedPCM"),
    tests("Simulator", "\(kiosk) Storage Simulator TrackDecoding KioskTestSupport TestSupport", exclude: ["Scenarios"]),
    tests("FrontPanel", "AudioSession Jukebox Board BoardFiles Simulator FrontPanel KioskTestSupport"),
    // Starts the built programs; what they read is found from its sources.
    tests(
      "Jackdaw", "AudioSession Board CLinux Files GPIOLines JSON Jukebox Storage TestSupport jackdaw jackdaw-fleet"),
    tests("SimulationTesting", "AudioSession Jukebox BoardFiles SimulationTesting TestSupport"),
    tests("Fuzzing", "Files Fuzzing"),
    // Holds the documents to the sources, and the rows of the contract to the tests.
    tests("Contract", "BoardFiles Files Jukebox Simulator TestSupport"),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

/// `JACKDAW_TESTS="Firmware Threads" swift test` builds and runs the tests of these targets alone, with what these need:
/// most of a build with a sanitizer would be tests that it finds nothing in, and programs that they do not start.
if let names = Context.environment["JACKDAW_TESTS"]?.split(separator: " ").map({ "\($0)Tests" }) {
  let unknown = Set(names).subtracting(package.targets.map(\.name))
  precondition(unknown.isEmpty, "JACKDAW_TESTS: there are no \(unknown.sorted().joined(separator: ", "))")
  let needed = closure(of: names, among: package.targets)
  package.targets.removeAll { !needed.contains($0.name) }
  // A product has the name of its target.
  package.products.removeAll { !needed.contains($0.name) }
}

/// The names of these targets, and of all that they depend on.
func closure(of names: [String], among targets: [Target]) -> Set<String> {
  var (found, open) = (Set<String>(), names)
  while let name = open.popLast() {
    guard found.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else { continue }
    for case .byNameItem(let needed, _) in target.dependencies { open.append(needed) }
  }
  return found
}

// swift-tools-version: 6.0
import PackageDescription

/// Our own code: Swift 6 mode, every warning an error, `any` spelled out.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .unsafeFlags(["-warnings-as-errors"]),
]

/// In a release: every function in a section of its own, so that the linker can leave out what nobody calls; and no
/// checks of exclusive access at run time beside the compiler's proofs, which would cost more than the mixing. Tests have
/// them. Searching a string for another is the regular expressions' module, whose single call would put 1.5 MB of it into
/// the program: it is not there to be called.
func released(_ flags: String...) -> [SwiftSetting] {
  strict
    + [
      .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
      .unsafeFlags(
        ["-Xfrontend", "-function-sections", "-enforce-exclusivity=unchecked"] + flags, .when(configuration: .release)),
    ]
}

/// Optimised without a release, too: explorations put this code through millions of steps, which takes them several times
/// as long otherwise. Overflows, bounds, preconditions and assertions are checked all the same. For a debugger:
/// `swift build -Xswiftc -Onone`.
let explored: [SwiftSetting] = [
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

/// Code that samples go through.
let fast = released()

/// Code that waits for people and files: small before fast.
let small = released("-Osize")

/// A released program: packed relocations, equal functions once, no symbols for others to link against; and what it uses
/// of libraries found when it starts, not on the audio thread at the first call. Only lld can do all of it; every toolchain brings it.
let lean: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld"]
      + [
        "-z", "pack-relative-relocs", "-z", "now", "--icf=all", "--no-export-dynamic", "-O2",
        "--remap-inputs=*/libstdc++.so=/dev/null",
        // What decodes is loaded when a file needs it (Sources/CDecoders).
        "--remap-inputs=*/libmpg123.so=/dev/null", "--remap-inputs=*/libFLAC.so=/dev/null",
        "--remap-inputs=*/libvorbisfile.so=/dev/null", "--remap-inputs=*/libopusfile.so=/dev/null",
        "--remap-inputs=*/libsndfile.so=/dev/null", "--remap-inputs=*/libsoxr.so=/dev/null",
        // Sources/CLinux/UnicodeNames.c
        "--wrap=_swift_stdlib_getScalarName",
      ]
      .flatMap { ["-Xlinker", $0] } + ["-Xclang-linker", "-static-libgcc"],
    .when(configuration: .release))
]

/// The C++ library goes into a released program too, as nothing else there needs it. The compiler asks for it by its
/// common name whatever we say, so that `lean` makes the linker deaf to that.
let ownsCXXLibrary: [SwiftSetting] = [
  .unsafeFlags(["-autolink-library", ":libstdc++.a"].flatMap { ["-Xfrontend", $0] }, .when(configuration: .release))
]

/// A C library of the distribution, found through pkg-config.
func library(_ name: String, pkgConfig: String, package: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

func swift(
  _ name: String, _ settings: [SwiftSetting], _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = strict) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "jackdaw",
  products: [
    .executable(name: "jackdaw", targets: ["jackdaw"]),
    .executable(name: "jackdaw-fleet", targets: ["jackdaw-fleet"]),
    // What libasound loads in tests.
    .library(name: "PacedPCM", type: .dynamic, targets: ["PacedPCM"]),
  ],
  targets: [
    // Level 0: words, rules and kernels without I/O; files and how errors name them.
    swift("AudioSession", small + explored),
    .target(name: "CSamples"),
    swift("RealtimeAudio", fast + explored, ["CSamples"]),
    swift("Files", small),
    swift("JSON", small),
    .target(name: "CLinux"),
    // Level 1: the brain; and the seams that the adapters of level 2 implement.
    swift("Jukebox", small + explored, ["AudioSession", "JSON"], exclude: ["BEHAVIOUR.md"]),
    swift("Board", small, ["AudioSession", "CLinux"]),
    // Level 2: one adapter each over its own C library, the threads' primitives, and the board and settings files.
    .target(name: "CGPIOD", linkerSettings: [.linkedLibrary("gpiod")]),
    swift("GPIOLines", small, ["AudioSession", "Board", "Files", "CGPIOD"]),
    swift("InputDevices", small, ["AudioSession", "Board", "Files", "CLinux"]),
    .target(name: "CSDBus"),
    swift("BluetoothPorts", small, ["AudioSession", "Board", "CSDBus"]),
    .target(name: "CALSA", linkerSettings: [.linkedLibrary("asound")]),
    swift("ALSADevices", small, ["AudioSession", "Board", "CALSA"]),
    library("CMPG123", pkgConfig: "libmpg123", package: "libmpg123-dev"),
    library("CSoxr", pkgConfig: "soxr", package: "libsoxr-dev"),
    library("CSndFile", pkgConfig: "sndfile", package: "libsndfile1-dev"),
    library("CFLAC", pkgConfig: "flac", package: "libflac-dev"),
    library("CVorbisFile", pkgConfig: "vorbisfile", package: "libvorbis-dev"),
    library("COpusFile", pkgConfig: "opusfile", package: "libopusfile-dev"),
    .target(name: "CDecoders", cSettings: [.define("LOADED_LATER", .when(configuration: .release))]),
    swift(
      "TrackDecoding", small,
      [
        "AudioSession", "RealtimeAudio", "Board", "CDecoders", "CFLAC", "CMPG123", "COpusFile", "CSndFile", "CSoxr",
        "CVorbisFile",
      ]),
    swift("SerialConsole", small, ["AudioSession", "Board", "Files", "JSON"]),
    swift("Threads", fast, ["AudioSession", "Board", "CLinux"]),
    .target(name: "CTOML", cxxSettings: [.unsafeFlags(["-fno-rtti"])]),
    swift("BoardFiles", small, ["AudioSession", "Board", "Files", "Jukebox", "CTOML"]),
    library("CMosquitto", pkgConfig: "libmosquitto", package: "libmosquitto-dev"),
    swift("MQTTClient", small, ["CMosquitto"]),
    swift("FleetMessages", small, ["AudioSession", "JSON"]),
    // Level 3: sound, and what is kept.
    swift("AudioEngine", fast + explored, ["AudioSession", "RealtimeAudio", "Jukebox", "Board", "Threads"]),
    swift(
      "DecoderProcess", small,
      ["AudioSession", "RealtimeAudio", "Board", "Files", "Threads", "TrackDecoding", "CLinux"]),
    swift("Storage", small, ["AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "Threads", "CLinux"]),
    // Level 4: what carries out the brain's effects.
    swift("Driver", small, ["AudioSession", "Jukebox", "Board", "BoardFiles", "AudioEngine"]),
    // Level 5: the board's threads and control loop, and the simulation that stands in for them.
    swift(
      "Firmware", fast,
      [
        "AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "Threads", "AudioEngine", "Storage", "Driver",
        "CLinux",
      ]),
    swift(
      "Simulator", fast,
      [
        "AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "AudioEngine", "Storage", "Driver", "SerialConsole",
        "CLinux",
      ]),
    // Level 6: the picture and the keys of a simulated board.
    swift("FrontPanel", small, ["AudioSession", "Jukebox", "Board", "BoardFiles", "Simulator"]),
    // Level 7: the command line.
    .executableTarget(
      name: "jackdaw",
      dependencies: [
        "AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "GPIOLines", "InputDevices", "ALSADevices",
        "BluetoothPorts", "TrackDecoding", "DecoderProcess", "SerialConsole", "Storage", "Threads", "Firmware",
        "Simulator", "FrontPanel", "CLinux", "JSON",
      ],
      swiftSettings: small + ownsCXXLibrary, linkerSettings: lean),
    // The board in its fleet: a program of its own, as only this one talks to a broker.
    .executableTarget(
      name: "jackdaw-fleet",
      dependencies: ["AudioSession", "CLinux", "Files", "FleetMessages", "JSON", "MQTTClient"],
      swiftSettings: small + ownsCXXLibrary, linkerSettings: lean),

    // Outside the product: what tests of several targets need.
    .target(name: "TestSupport", dependencies: ["Files"], path: "Tests/Support/TestSupport", swiftSettings: strict),
    // Workloads for simulated kiosks, the oracle that checks them, and their program (deploy/soak).
    .target(
      name: "SimulationTesting",
      dependencies: ["AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "TrackDecoding", "Simulator"],
      path: "Tests/Support/SimulationTesting", swiftSettings: fast),
    .executableTarget(
      name: "Soak", dependencies: ["AudioSession", "Files", "SimulationTesting"], path: "Tests/Programs/Soak",
      exclude: ["Kiosks", "mutations.txt"],
      swiftSettings: fast),
    // Many boards against one broker (deploy/fleet-load).
    .executableTarget(
      name: "FleetLoad", dependencies: ["AudioSession", "FleetMessages", "MQTTClient"],
      path: "Tests/Programs/FleetLoad", swiftSettings: fast),
    tests("SimulationTesting", ["AudioSession", "Jukebox", "BoardFiles", "SimulationTesting", "TestSupport"]),
    tests("AudioSession", ["AudioSession"]),
    tests("JSON", ["JSON"]),
    tests("FleetMessages", ["AudioSession", "JSON", "FleetMessages"]),
    tests("Jukebox", ["AudioSession", "Jukebox", "JSON"], strict + explored),
    tests("RealtimeAudio", ["RealtimeAudio"]),
    // Devices that misbehave, tracks that count, a simulated board to play on.
    .target(
      name: "KioskTestSupport",
      dependencies: [
        "AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "Threads", "AudioEngine", "Storage", "Simulator",
        "CLinux", "TestSupport",
      ],
      path: "Tests/Support/KioskTestSupport", swiftSettings: strict),
    tests("Threads", ["Threads", "CLinux"]),
    tests(
      "AudioEngine",
      ["AudioSession", "RealtimeAudio", "Jukebox", "Board", "AudioEngine", "Simulator", "KioskTestSupport"],
      strict + explored),
    tests(
      "Storage",
      [
        "AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "Threads", "TrackDecoding", "CLinux", "Storage",
        "Simulator", "JailProbe", "KioskTestSupport", "TestSupport",
      ]),
    tests("Driver", ["AudioSession", "Jukebox", "Board", "Driver", "KioskTestSupport", "TestSupport"]),
    tests(
      "Firmware",
      [
        "AudioSession", "RealtimeAudio", "Jukebox", "Board", "Files", "BoardFiles", "Threads", "AudioEngine", "Storage",
        "Driver", "Firmware", "Simulator", "FrontPanel", "ALSADevices", "KioskTestSupport", "TestSupport", "CALSA",
        "CLinux",
        "PacedCards",
        "PacedPCM",
      ]),
    .testTarget(
      name: "SimulatorTests",
      dependencies: [
        "AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "Storage", "Simulator", "TrackDecoding",
        "KioskTestSupport",
        "TestSupport",
      ],
      exclude: ["Scenarios"], swiftSettings: strict),
    tests(
      "FrontPanel", ["AudioSession", "Jukebox", "Board", "BoardFiles", "Simulator", "FrontPanel", "KioskTestSupport"]),
    .testTarget(
      name: "TrackDecodingTests", dependencies: ["TrackDecoding", "Board", "CMPG123", "CSndFile", "TestSupport"],
      exclude: ["Fixtures"],
      swiftSettings: strict),
    // Starts the built program as a decoder.
    tests(
      "DecoderProcess",
      ["Board", "Files", "CLinux", "TrackDecoding", "DecoderProcess", "JailProbe", "TestSupport", "jackdaw"]),
    tests("Files", ["Files", "TestSupport"]),
    tests("BoardFiles", ["AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "TestSupport"]),
    tests("GPIOLines", ["AudioSession", "Board", "CGPIOD", "GPIOLines", "TestSupport"]),
    tests("InputDevices", ["AudioSession", "Board", "CLinux", "InputDevices"]),
    // A bus of its own, and what stands in for bluez-alsa on it.
    .target(name: "BusStandIn", path: "Tests/Plugins/BusStandIn", linkerSettings: [.linkedLibrary("systemd")]),
    tests("BluetoothPorts", ["AudioSession", "Board", "BluetoothPorts", "BusStandIn", "TestSupport"]),
    // Starts the built program; what it reads is found from its sources.
    tests(
      "Jackdaw",
      ["AudioSession", "Board", "Files", "GPIOLines", "JSON", "Storage", "TestSupport", "jackdaw", "jackdaw-fleet"]),
    tests("SerialConsole", ["AudioSession", "BoardFiles", "Files", "JSON", "SerialConsole", "TestSupport"]),
    // Holds the documents to the sources, and the rows of the contract to the tests.
    tests("Contract", ["BoardFiles", "Files", "Jukebox", "Simulator", "TestSupport"]),
    // Without PIC, libasound's macros make a plug-in for a static libasound.
    .target(
      name: "PacedPCM", path: "Tests/Plugins/PacedPCM", cSettings: [.define("PIC")],
      linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "PacedCards", dependencies: ["PacedPCM"], path: "Tests/Support/PacedCards", swiftSettings: strict),
    .target(name: "JailProbe", dependencies: ["CLinux"], path: "Tests/Plugins/JailProbe"),
    .target(name: "ControlCard", path: "Tests/Plugins/ControlCard", linkerSettings: [.linkedLibrary("asound")]),
    // What reads bytes of strangers and what it promises, replayed by tests; `deploy/fuzz` lets libFuzzer look for more.
    .target(
      name: "Fuzzing",
      dependencies: [
        "AudioSession", "Jukebox", "Board", "Files", "BoardFiles", "SerialConsole", "Storage", "Simulator",
        "TrackDecoding", "DecoderProcess", "CLinux", "TestSupport",
      ],
      path: "Tests/Support/Fuzzing", exclude: ["Corpus", "make-corpus"], swiftSettings: strict),
    .executableTarget(
      name: "fuzz", dependencies: ["Files", "Fuzzing"], path: "Tests/Programs/Fuzz", swiftSettings: strict),
    tests("Fuzzing", ["Files", "Fuzzing"]),
    tests(
      "ALSADevices",
      ["AudioSession", "Board", "ALSADevices", "CALSA", "ControlCard", "PacedCards", "PacedPCM", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

/// `JACKDAW_TESTS="Firmware Threads" swift test` builds and runs the tests of these targets alone: most of a build with a
/// sanitizer would be tests that it finds nothing in.
if let names = Context.environment["JACKDAW_TESTS"]?.split(separator: " ").map({ "\($0)Tests" }) {
  let unknown = Set(names).subtracting(package.targets.map(\.name))
  precondition(unknown.isEmpty, "JACKDAW_TESTS: there are no \(unknown.sorted().joined(separator: ", "))")
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

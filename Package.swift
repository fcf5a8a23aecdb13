// swift-tools-version: 6.0
import PackageDescription

/// Our own code: Swift 6 mode, every warning an error, `any` spelled out.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .unsafeFlags(["-warnings-as-errors"]),
]

/// In a release: every function in a section of its own, so that the linker can leave out what nobody calls; and no
/// checks of exclusive access at run time beside the compiler's proofs, which would cost more than the mixing. Tests have
/// them.
func released(_ flags: String...) -> [SwiftSetting] {
  strict
    + [
      .unsafeFlags(
        ["-Xfrontend", "-function-sections", "-enforce-exclusivity=unchecked"] + flags, .when(configuration: .release))
    ]
}

/// Optimised without a release, too: explorations put this code through millions of steps, which takes them several times
/// as long otherwise. Overflows, bounds and preconditions are checked all the same. For a debugger:
/// `swift build -Xswiftc -Onone`.
let explored: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Code that samples go through.
let fast = released()

/// Code that waits for people and files: small before fast.
let small = released("-Osize")

/// A released program: packed relocations, equal functions once, no symbols for others to link against; and what it uses
/// of libraries found when it starts, not on the audio thread at the first call. The functions that a kiosk calls stand
/// side by side (deploy/link-order), as memory is taken by the page. Only lld can do all of it; every toolchain brings
/// it.
let lean: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld"]
      + [
        "-z", "pack-relative-relocs", "-z", "now", "--icf=all", "--no-export-dynamic", "-O2",
        "--symbol-ordering-file=\(Context.packageDirectory)/deploy/link-order/functions.order",
        "--no-warn-symbol-ordering",
        "--remap-inputs=*/libstdc++.so=/dev/null",
      ]
      .flatMap { ["-Xlinker", $0] },
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
    // What libasound loads in tests.
    .library(name: "PacedPCM", type: .dynamic, targets: ["PacedPCM"]),
  ],
  targets: [
    // Level 0: words, rules and kernels; no I/O.
    swift("AudioSession", small + explored),
    swift("RealtimeAudio", fast + explored),
    // Level 1: the brain.
    swift("Jukebox", small + explored, ["AudioSession"], exclude: ["BEHAVIOUR.md"]),
    // Level 2: the seams, the board file and the settings file.
    .target(name: "CTOML", cxxSettings: [.unsafeFlags(["-fno-rtti"])]),
    .target(name: "CLinux"),
    swift("Board", small, ["AudioSession", "Jukebox", "CTOML", "CLinux"]),
    // Level 3: one adapter each over its own C library.
    .target(name: "CGPIOD", linkerSettings: [.linkedLibrary("gpiod")]),
    swift("GPIOLines", small, ["AudioSession", "Board", "CGPIOD"]),
    swift("InputDevices", small, ["AudioSession", "Board", "CLinux"]),
    .target(name: "CALSA", linkerSettings: [.linkedLibrary("asound")]),
    swift("ALSADevices", small, ["AudioSession", "Board", "CALSA"]),
    library("CMPG123", pkgConfig: "libmpg123", package: "libmpg123-dev"),
    library("CSoxr", pkgConfig: "soxr", package: "libsoxr-dev"),
    library("CSndFile", pkgConfig: "sndfile", package: "libsndfile1-dev"),
    library("CFLAC", pkgConfig: "flac", package: "libflac-dev"),
    library("CVorbisFile", pkgConfig: "vorbisfile", package: "libvorbis-dev"),
    library("COpusFile", pkgConfig: "opusfile", package: "libopusfile-dev"),
    swift(
      "TrackDecoding", small, ["Board", "CFLAC", "CMPG123", "COpusFile", "CSndFile", "CSoxr", "CVorbisFile"]),
    swift("SerialConsole", small, ["AudioSession", "Board"]),
    swift("SimulatedBoard", small, ["AudioSession", "Jukebox", "Board", "CLinux"]),
    // Level 4: threads, loops and the simulation that stands in for them.
    swift(
      "JukeboxRuntime", fast + explored,
      ["AudioSession", "RealtimeAudio", "Jukebox", "Board", "SerialConsole", "SimulatedBoard", "CLinux"]),
    // Level 5: the command line.
    .executableTarget(
      name: "jackdaw",
      dependencies: [
        "AudioSession", "Jukebox", "Board", "GPIOLines", "InputDevices", "ALSADevices", "TrackDecoding",
        "SerialConsole",
        "SimulatedBoard", "JukeboxRuntime", "CLinux",
      ],
      swiftSettings: small + ownsCXXLibrary, linkerSettings: lean),

    // Outside the product: kiosk lives, who judges them, and the program that lives them (deploy/soak).
    .target(
      name: "KioskLives",
      dependencies: ["AudioSession", "Jukebox", "Board", "TrackDecoding", "SimulatedBoard", "JukeboxRuntime"],
      path: "Tests/KioskLives", swiftSettings: fast),
    .executableTarget(
      name: "Soak", dependencies: ["AudioSession", "Board", "KioskLives"], path: "Tests/Soak",
      exclude: ["Kiosks", "mutations.txt"],
      swiftSettings: fast),
    tests("KioskLives", ["AudioSession", "Jukebox", "Board", "SimulatedBoard", "KioskLives"]),
    tests("AudioSession", ["AudioSession"]),
    tests("Jukebox", ["AudioSession", "Jukebox"], strict + explored),
    tests("RealtimeAudio", ["RealtimeAudio"]),
    .testTarget(
      name: "JukeboxRuntimeTests",
      dependencies: [
        "AudioSession", "RealtimeAudio", "Jukebox", "Board", "SimulatedBoard", "TrackDecoding", "JukeboxRuntime",
        "ALSADevices", "CALSA", "PacedCards", "PacedPCM",
      ],
      exclude: ["Scenarios"], swiftSettings: strict + explored),
    .testTarget(
      name: "TrackDecodingTests", dependencies: ["TrackDecoding", "Board", "CMPG123", "CSndFile"],
      exclude: ["Fixtures"],
      swiftSettings: strict),
    tests("Board", ["AudioSession", "Jukebox", "Board"]),
    tests("GPIOLines", ["AudioSession", "Board", "CGPIOD", "GPIOLines"]),
    tests("InputDevices", ["AudioSession", "Board", "CLinux", "InputDevices"]),
    tests("SimulatedBoard", ["AudioSession", "Jukebox", "Board", "SimulatedBoard"]),
    // Starts the built program; what it reads is found from its sources.
    tests("Jackdaw", ["AudioSession", "Board", "GPIOLines", "jackdaw"]),
    tests("SerialConsole", ["Board", "SerialConsole"]),
    // Holds the documents to the sources, and the rows of the contract to the tests.
    tests("Contract", ["Board", "Jukebox"]),
    // Without PIC, libasound's macros make a plug-in for a static libasound.
    .target(
      name: "PacedPCM", path: "Tests/Plugins/PacedPCM", cSettings: [.define("PIC")],
      linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "PacedCards", dependencies: ["PacedPCM"], path: "Tests/PacedCards", swiftSettings: strict),
    .target(name: "ControlCard", path: "Tests/Plugins/ControlCard", linkerSettings: [.linkedLibrary("asound")]),
    // What reads bytes of strangers and what it promises, replayed by tests; `deploy/fuzz` lets libFuzzer look for more.
    .target(
      name: "Fuzzing",
      dependencies: [
        "AudioSession", "Jukebox", "Board", "SerialConsole", "SimulatedBoard", "TrackDecoding", "JukeboxRuntime",
      ],
      path: "Tests/Fuzzing", exclude: ["Corpus", "make-corpus"], swiftSettings: strict),
    .executableTarget(name: "fuzz", dependencies: ["Board", "Fuzzing"], path: "Tests/Fuzz", swiftSettings: strict),
    tests("Fuzzing", ["Board", "Fuzzing"]),
    tests(
      "ALSADevices", ["AudioSession", "Board", "ALSADevices", "CALSA", "ControlCard", "PacedCards", "PacedPCM"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

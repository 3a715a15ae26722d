// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The programs that prompt the user for the service: on a terminal, and with the user's pinentry. They are a package of
// their own because the service itself shows nothing and because other programs must not link them.

import PackageDescription

/// As in the root package.
let common: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]
let strict = common + [.strictMemorySafety()]
/// The tested code is optimized, the tests are not.
let tests = common + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// As in the root package.
let standalone: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-stdlib", "-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections"],
        .when(configuration: .release))
]

let support = Target.Dependency.product(name: "PrompterSupport", package: "chatelaine")

let package = Package(
    name: "Prompters",
    products: [
        .executable(name: "chatelaine-prompt-tty", targets: ["chatelaine-prompt-tty"]),
        .executable(name: "chatelaine-prompt-pinentry", targets: ["chatelaine-prompt-pinentry"]),
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../..")
    ],
    targets: [
        // Turns a prompt request into an answer, and formats the texts that are shown.
        .target(name: "Prompting", dependencies: [support], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-prompt-tty", dependencies: ["Prompting", support],
            path: "Sources/TerminalPrompterProgram",
            swiftSettings: strict, linkerSettings: standalone),
        .executableTarget(
            name: "chatelaine-prompt-pinentry", dependencies: ["Prompting", support],
            path: "Sources/PinentryPrompterProgram", swiftSettings: strict, linkerSettings: standalone),

        .testTarget(name: "PromptingTests", dependencies: ["Prompting", support], swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

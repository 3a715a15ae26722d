// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The programs that call system services on D-Bus: one locks the keychain on signals of logind, one verifies
// fingerprints with fprintd, one requests authorizations from polkit. They are a package of their own so that the
// service does not parse D-Bus, and so that other programs do not link them.

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

/// D-Bus: a product with the modules DBusMessages and DBus.
let bus = Target.Dependency.product(name: "DBus", package: "DBus")
let busTesting = Target.Dependency.product(name: "BusTesting", package: "DBus")
let messages = Target.Dependency.product(name: "HelperMessages", package: "chatelaine")
let support = Target.Dependency.product(name: "HelperSupport", package: "chatelaine")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "SessionLock",
    products: [
        .executable(name: "chatelaine-session-lock", targets: ["chatelaine-session-lock"]),
        .executable(name: "chatelaine-fingerprint", targets: ["chatelaine-fingerprint"]),
        .executable(name: "chatelaine-authorization", targets: ["chatelaine-authorization"]),
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(name: "DBus", path: "../../Bridges/DBus"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        // The reaction to events of logind, and its event loop.
        .target(
            name: "SessionLock",
            dependencies: [bus, support, .product(name: "Keychain", package: "chatelaine"), logging],
            swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-session-lock",
            dependencies: [
                "SessionLock", bus, logging, support,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/SessionLockProgram", swiftSettings: strict, linkerSettings: standalone),
        // Fingerprint requests: fprintd's interface and the meaning of its results.
        .target(name: "Fingerprint", dependencies: [bus, messages], swiftSettings: strict),
        // The frame of a helper with one request: standard input, standard output, and the restrictions of the process.
        .target(
            name: "BusQuestion", dependencies: [bus, messages, support], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-fingerprint", dependencies: ["Fingerprint", "BusQuestion", messages],
            path: "Sources/FingerprintProgram", swiftSettings: strict, linkerSettings: standalone),
        // Authorization requests: polkit's interface.
        .target(name: "Authorization", dependencies: [bus, messages], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-authorization", dependencies: ["Authorization", "BusQuestion", messages],
            path: "Sources/AuthorizationProgram", swiftSettings: strict, linkerSettings: standalone),

        .testTarget(
            name: "FingerprintTests", dependencies: ["Fingerprint", bus, busTesting, messages],
            swiftSettings: tests),
        .testTarget(
            name: "AuthorizationTests",
            dependencies: ["Authorization", bus, busTesting, messages],
            swiftSettings: tests),
        .testTarget(
            name: "SessionLockTests", dependencies: ["SessionLock", bus, logging], swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

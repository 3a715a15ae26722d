// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The programs that speak D-Bus, and their D-Bus client: one locks the keychain on signals of logind, one verifies
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

/// As in the root package.
let standalone: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-stdlib", "-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections"],
        .when(configuration: .release))
]

let messages = Target.Dependency.product(name: "HelperMessages", package: "chatelaine")
let support = Target.Dependency.product(name: "HelperSupport", package: "chatelaine")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "SessionLock",
    products: [
        .library(name: "DBus", targets: ["DBusMessages", "DBus"]),
        .executable(name: "chatelaine-session-lock", targets: ["chatelaine-session-lock"]),
        .executable(name: "chatelaine-fingerprint", targets: ["chatelaine-fingerprint"]),
        .executable(name: "chatelaine-authorization", targets: ["chatelaine-authorization"]),
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        // Bytes and values, without input, output or unsafe code.
        .target(name: "DBusMessages", swiftSettings: strict),
        // The connection, with all code that calls Linux.
        .target(name: "DBus", dependencies: ["DBusMessages", support], swiftSettings: strict),
        // The reaction to events of logind, and its event loop.
        .target(
            name: "SessionLock",
            dependencies: [
                "DBusMessages", "DBus", .product(name: "Keychain", package: "chatelaine"), support, logging,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-session-lock",
            dependencies: [
                "SessionLock", "DBusMessages", logging, support,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/SessionLockProgram", swiftSettings: strict, linkerSettings: standalone),
        // Fingerprint requests: fprintd's interface and the meaning of its results.
        .target(name: "Fingerprint", dependencies: ["DBusMessages", "DBus", messages], swiftSettings: strict),
        // The frame of a helper with one request: standard input, standard output, and the restrictions of the process.
        .target(
            name: "BusQuestion", dependencies: ["DBusMessages", "DBus", messages, support], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-fingerprint", dependencies: ["Fingerprint", "BusQuestion", messages],
            path: "Sources/FingerprintProgram", swiftSettings: strict, linkerSettings: standalone),
        // Authorization requests: polkit's interface.
        .target(name: "Authorization", dependencies: ["DBusMessages", "DBus", messages], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-authorization", dependencies: ["Authorization", "BusQuestion", messages],
            path: "Sources/AuthorizationProgram", swiftSettings: strict, linkerSettings: standalone),

        // A private bus for tests.
        .target(
            name: "BusTesting", dependencies: ["DBus", "DBusMessages"], path: "Tests/BusTesting", swiftSettings: common),
        .testTarget(name: "DBusMessagesTests", dependencies: ["DBusMessages"], swiftSettings: common),
        .testTarget(
            name: "DBusTests", dependencies: ["DBus", "DBusMessages", "BusTesting", support], swiftSettings: common),
        .testTarget(
            name: "FingerprintTests", dependencies: ["Fingerprint", "DBus", "DBusMessages", "BusTesting", messages],
            swiftSettings: common),
        .testTarget(
            name: "AuthorizationTests",
            dependencies: ["Authorization", "DBus", "DBusMessages", "BusTesting", messages],
            swiftSettings: common),
        .testTarget(
            name: "SessionLockTests", dependencies: ["SessionLock", "DBusMessages", logging], swiftSettings: common),
    ],
    swiftLanguageModes: [.v6]
)

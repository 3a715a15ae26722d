// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The programs that speak D-Bus, and the client that they need: one locks the keychain when logind says so, one has fprintd look at
// fingers, one asks polkit for authorizations. A package of its own: the service parses no D-Bus, and no program of somebody else links it.

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
        [
            "-static-stdlib", "-use-ld=lld", "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections",
            "-l_FoundationICU",
        ], .when(configuration: .release))
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
        // Bytes and values: no input, no output, nothing unsafe.
        .target(name: "DBusMessages", swiftSettings: strict),
        // The connection: all that calls Linux.
        .target(name: "DBus", dependencies: ["DBusMessages"], swiftSettings: strict),
        // What is done when logind says something, and the loop around it.
        .target(
            name: "SessionLock",
            dependencies: ["DBusMessages", "DBus", .product(name: "Keychain", package: "chatelaine"), logging],
            swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-session-lock",
            dependencies: [
                "SessionLock", "DBusMessages", logging, support,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/SessionLockProgram", swiftSettings: strict, linkerSettings: standalone),
        // From a question about fingers to its answer: fprintd's interface, and what its words mean.
        .target(name: "Fingerprint", dependencies: ["DBusMessages", "DBus", messages], swiftSettings: strict),
        // One question on standard input, its answer on standard output, and what such a program gives up.
        .target(
            name: "BusQuestion", dependencies: ["DBusMessages", "DBus", messages, support], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-fingerprint", dependencies: ["Fingerprint", "BusQuestion", messages],
            path: "Sources/FingerprintProgram", swiftSettings: strict, linkerSettings: standalone),
        // From a question about an authorization to its answer: polkit's interface.
        .target(name: "Authorization", dependencies: ["DBusMessages", "DBus", messages], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-authorization", dependencies: ["Authorization", "BusQuestion", messages],
            path: "Sources/AuthorizationProgram", swiftSettings: strict, linkerSettings: standalone),

        // A bus of a test's own.
        .target(
            name: "BusTesting", dependencies: ["DBus", "DBusMessages"], path: "Tests/BusTesting", swiftSettings: common),
        .testTarget(name: "DBusMessagesTests", dependencies: ["DBusMessages"], swiftSettings: common),
        .testTarget(name: "DBusTests", dependencies: ["DBus", "DBusMessages", "BusTesting"], swiftSettings: common),
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

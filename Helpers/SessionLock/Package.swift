// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The program that locks the keychain when logind says so, and the D-Bus client that it needs. A package of its own: the
// service parses no D-Bus, and no program of somebody else links it.

import PackageDescription

/// As in the root package.
let common: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]
let strict = common + [.strictMemorySafety()]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "SessionLock",
    products: [
        .library(name: "DBus", targets: ["DBusMessages", "DBus"]),
        .executable(name: "chatelaine-session-lock", targets: ["chatelaine-session-lock"]),
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
                "SessionLock", "DBusMessages", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/SessionLockProgram", swiftSettings: strict),

        .testTarget(name: "DBusMessagesTests", dependencies: ["DBusMessages"], swiftSettings: common),
        .testTarget(name: "DBusTests", dependencies: ["DBus", "DBusMessages"], swiftSettings: common),
        .testTarget(
            name: "SessionLockTests", dependencies: ["SessionLock", "DBusMessages", logging], swiftSettings: common),
    ],
    swiftLanguageModes: [.v6]
)

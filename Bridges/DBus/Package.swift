// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// D-Bus for programs on Linux, both sides: calling other programs on a message bus, and serving objects there. A package
// of its own without dependencies, so that any Swift project can use it: README.md.

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

let package = Package(
    name: "DBus",
    products: [
        .library(name: "DBus", targets: ["DBusMessages", "DBus"]),
        .library(name: "BusTesting", targets: ["BusTesting"]),
    ],
    targets: [
        // Bytes and values, without input, output or unsafe code.
        .target(name: "DBusMessages", swiftSettings: strict),
        // The connection and the server, with all code that calls Linux.
        .target(name: "DBus", dependencies: ["DBusMessages"], swiftSettings: strict),
        // A private bus for tests, also for those of other packages.
        .target(name: "BusTesting", dependencies: ["DBus", "DBusMessages"], swiftSettings: common),

        // The examples of README.md.
        .executableTarget(
            name: "example-dbus-service", dependencies: ["DBus", "DBusMessages"], path: "Examples/Service",
            swiftSettings: strict),
        .executableTarget(
            name: "example-dbus-client", dependencies: ["DBus", "DBusMessages"], path: "Examples/Client",
            swiftSettings: strict),

        .testTarget(name: "DBusMessagesTests", dependencies: ["DBusMessages"], swiftSettings: tests),
        .testTarget(
            name: "DBusTests",
            dependencies: ["DBus", "DBusMessages", "BusTesting", "example-dbus-service", "example-dbus-client"],
            swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

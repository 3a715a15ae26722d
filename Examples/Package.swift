// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "chatelaine", path: "..")
    ],
    targets: [
        // Code for Apple's platforms, unchanged.
        .executableTarget(name: "PasswordKeeper", dependencies: [.product(name: "Security", package: "chatelaine")]),
        // The typed interface.
        .executableTarget(name: "TypedQuickStart", dependencies: [.product(name: "Keychain", package: "chatelaine")]),
    ],
    swiftLanguageModes: [.v6]
)

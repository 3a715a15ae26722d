// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// Programs as others write them: they know the public products only. A package of their own, so that nothing here can
// reach into the modules of the root package.

import PackageDescription

let package = Package(
    name: "Examples",
    dependencies: [.package(name: "chatelaine", path: "..")],
    targets: [
        .executableTarget(
            name: "PasswordKeeper",
            dependencies: [.product(name: "Security", package: "chatelaine", condition: .when(platforms: [.linux]))]),
        .executableTarget(
            name: "TypedQuickStart", dependencies: [.product(name: "Keychain", package: "chatelaine")]),
    ],
    swiftLanguageModes: [.v6]
)

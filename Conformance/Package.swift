// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// Tests of Keychain Services that use only `import Security` and `import LocalAuthentication`: this project's modules
// on Linux, Apple's elsewhere. A separate package, so that they cannot use internal modules of the root package.

import PackageDescription

let package = Package(
    name: "Conformance",
    dependencies: [.package(name: "chatelaine", path: "..")],
    targets: [
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                .product(name: "Security", package: "chatelaine", condition: .when(platforms: [.linux])),
                .product(name: "LocalAuthentication", package: "chatelaine", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: [
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                // The code under test is optimized. Optimizing the tests themselves would take long and have no
                // benefit.
                .unsafeFlags(["-Onone"], .when(configuration: .release)),
            ])
    ],
    swiftLanguageModes: [.v6]
)

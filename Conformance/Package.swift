// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// What Keychain Services promise, as tests that say only `import Security` and `import LocalAuthentication`: ours on Linux, Apple's elsewhere. A package of
// its own, so that nothing here can reach into the modules of the root package.

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
                // The tested code is optimized; optimizing the tests themselves takes long and has no use.
                .unsafeFlags(["-Onone"], .when(configuration: .release)),
            ])
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The program that unlocks the keychain with the login password. The PAM module that starts it is in Module, in C, because it runs in
// login programs of the system: Tools/build compiles it, and this package does not contain it.

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

let keychain = Target.Dependency.product(name: "BridgeSupport", package: "chatelaine")

let package = Package(
    name: "Login",
    products: [.executable(name: "chatelaine-login", targets: ["chatelaine-login"])],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        // The passwords that the module passes on, and their use in a keychain. No input and output.
        .target(name: "KeychainLogin", dependencies: [keychain], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-login",
            dependencies: [
                "KeychainLogin", keychain, .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/LoginProgram", swiftSettings: strict, linkerSettings: standalone),

        .testTarget(
            name: "KeychainLoginTests",
            dependencies: [
                "KeychainLogin", keychain, .product(name: "Keychain", package: "chatelaine"),
                .product(name: "KeychainTesting", package: "chatelaine"),
            ],
            swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The provider of the Secret Service (org.freedesktop.secrets), through which most programs on Linux store secrets, and
// the backend of the portal for secrets, through which sandboxed applications do. They are a package of their own so that
// the keychain service does not parse D-Bus; it also needs the headers of libcrypto (OpenSSL 3, package libssl-dev).

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
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let keychain = Target.Dependency.product(name: "BridgeSupport", package: "chatelaine")
let messages = Target.Dependency.product(name: "HelperMessages", package: "chatelaine")
let support = Target.Dependency.product(name: "HelperSupport", package: "chatelaine")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")

let package = Package(
    name: "SecretService",
    products: [
        .library(name: "SecretService", targets: ["SecretService", "SecretServiceBus"]),
        .executable(name: "chatelaine-secrets", targets: ["chatelaine-secrets"]),
        .executable(name: "chatelaine-secrets-import", targets: ["chatelaine-secrets-import"]),
        .executable(name: "chatelaine-portal", targets: ["chatelaine-portal"]),
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(name: "DBus", path: "../DBus"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        .systemLibrary(name: "CBigNumbers", providers: [.apt(["libssl-dev"])]),
        // The encryption of sessions, the names of objects, and the interface of the storage. No input and output.
        .target(
            name: "SecretService", dependencies: ["CBigNumbers", bus, crypto, cryptoExtras], swiftSettings: strict),
        // The objects on the bus.
        .target(name: "SecretServiceBus", dependencies: ["SecretService", bus], swiftSettings: strict),
        // The protections and system calls that the programs for clients on a bus share.
        .target(name: "BridgeProcess", dependencies: [bus, keychain], swiftSettings: strict),
        // The items and collections of a client, in the keychain.
        .target(name: "SecretServiceKeychain", dependencies: ["SecretService", keychain], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-secrets",
            dependencies: [
                "BridgeProcess", "SecretService", "SecretServiceBus", "SecretServiceKeychain", bus, keychain,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/SecretsProgram", swiftSettings: strict, linkerSettings: standalone),
        // A client of other providers, and the program with which `chatelaine setup desktop` reads what they hold.
        .target(
            name: "SecretServiceClient", dependencies: ["SecretService", bus, messages], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-secrets-import",
            dependencies: ["SecretServiceClient", bus, messages, support],
            path: "Sources/ImportProgram", swiftSettings: strict, linkerSettings: standalone),

        // The backend of the portal on the bus, without the keychain.
        .target(name: "SecretPortal", dependencies: [bus], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-portal",
            dependencies: [
                "BridgeProcess", "SecretPortal", bus, keychain,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/SecretPortalProgram", swiftSettings: strict, linkerSettings: standalone),

        .testTarget(name: "SecretServiceTests", dependencies: ["SecretService", bus], swiftSettings: tests),
        .testTarget(
            name: "SecretServiceBusTests",
            dependencies: ["SecretService", "SecretServiceBus", "SecretServiceClient", bus, busTesting, messages],
            swiftSettings: tests),
        .testTarget(
            name: "SecretServiceKeychainTests",
            dependencies: [
                "SecretService", "SecretServiceKeychain", keychain,
                .product(name: "Keychain", package: "chatelaine"),
                .product(name: "KeychainTesting", package: "chatelaine"),
            ], swiftSettings: tests),
        .testTarget(
            name: "SecretPortalTests", dependencies: ["SecretPortal", bus, busTesting], swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

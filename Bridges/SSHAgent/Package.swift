// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The agent for SSH (RFC 9987) on the keychain. It is a package of its own so that the keychain service does not parse
// the messages of SSH.

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

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
/// Requests on behalf of clients.
let keychain = Target.Dependency.product(name: "BridgeSupport", package: "chatelaine")
/// Bytes and private keys as values.
let keys = Target.Dependency.product(name: "KeySupport", package: "chatelaine")

let package = Package(
    name: "SSHAgent",
    products: [
        .library(name: "SSHAgent", targets: ["SSHAgentProtocol", "SSHAgent"]),
        .executable(name: "chatelaine-ssh-agent", targets: ["chatelaine-ssh-agent"]),
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        // The messages, as values: keys, signatures, constraints, sessions. No input and output.
        .target(name: "SSHAgentProtocol", dependencies: [keys, crypto, cryptoExtras], swiftSettings: strict),
        // The agent: the keys in memory, the lock, the rules, and the bounds of clients. No input and output.
        .target(name: "SSHAgent", dependencies: ["SSHAgentProtocol", keys, crypto], swiftSettings: strict),
        // The keys of a client in the keychain.
        .target(
            name: "SSHAgentKeychain", dependencies: ["SSHAgent", "SSHAgentProtocol", keys, keychain],
            swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-ssh-agent",
            dependencies: ["SSHAgent", "SSHAgentKeychain", "SSHAgentProtocol", keys, keychain],
            path: "Sources/SSHAgentProgram", swiftSettings: strict, linkerSettings: standalone),

        // What programs of OpenSSH sent, for the tests.
        .target(name: "SSHAgentSamples", dependencies: ["SSHAgentProtocol", keys], swiftSettings: tests),
        .testTarget(
            name: "SSHAgentProtocolTests", dependencies: ["SSHAgentProtocol", "SSHAgentSamples", keys],
            swiftSettings: tests),
        .testTarget(
            name: "SSHAgentTests",
            dependencies: ["SSHAgent", "SSHAgentProtocol", "SSHAgentSamples", keys, keychain],
            swiftSettings: tests),
        .testTarget(
            name: "SSHAgentKeychainTests",
            dependencies: [
                "SSHAgent", "SSHAgentKeychain", "SSHAgentProtocol", "SSHAgentSamples", keys, keychain,
                .product(name: "Keychain", package: "chatelaine"),
                .product(name: "KeychainTesting", package: "chatelaine"),
            ], swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

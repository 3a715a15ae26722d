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

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
/// Bytes and private keys as values.
let keys = Target.Dependency.product(name: "KeySupport", package: "chatelaine")

let package = Package(
    name: "SSHAgent",
    products: [
        .library(name: "SSHAgent", targets: ["SSHAgentProtocol", "SSHAgent"])
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        // The messages, as values: keys, signatures, constraints, sessions. No input and output.
        .target(name: "SSHAgentProtocol", dependencies: [keys, crypto, cryptoExtras], swiftSettings: strict),
        // The agent: the keys in memory, the lock, and the rules. No input and output.
        .target(name: "SSHAgent", dependencies: ["SSHAgentProtocol", keys, crypto], swiftSettings: strict),

        .testTarget(name: "SSHAgentProtocolTests", dependencies: ["SSHAgentProtocol", keys], swiftSettings: tests),
        .testTarget(name: "SSHAgentTests", dependencies: ["SSHAgent", "SSHAgentProtocol", keys], swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

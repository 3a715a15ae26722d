// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// Fuzz targets for all code that reads untrusted bytes: README.md. A separate package, because libFuzzer has its own
// main function, and because the code under test is compiled again, with coverage. Most of Sources are links to it.

import PackageDescription

let common: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Coverage counters for libFuzzer.
let instrumented = common + [.unsafeFlags(["-sanitize=fuzzer"])]

let package = Package(
    name: "fuzzing",
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        .target(name: "KeychainBytes", swiftSettings: instrumented),
        .target(name: "KeychainModel", dependencies: ["KeychainBytes"], swiftSettings: instrumented),
        .target(name: "KeychainWire", dependencies: ["KeychainBytes", "KeychainModel"], swiftSettings: instrumented),
        .target(name: "KeychainHelperWire", dependencies: ["KeychainBytes"], swiftSettings: instrumented),
        .target(
            name: "KeychainSealing",
            dependencies: [
                "KeychainBytes", "KeychainModel", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: instrumented),
        .target(
            name: "KeychainCodeSigning",
            dependencies: ["KeychainBytes", "KeychainModel", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: instrumented),
        .target(
            name: "KeychainKeys",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: instrumented),
        .target(
            name: "KeychainCertificates",
            dependencies: [
                "KeychainModel", "KeychainKeys", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: instrumented),
        .target(
            name: "KeychainTransfer",
            dependencies: [
                "KeychainBytes", "KeychainKeys", "KeychainCertificates",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: instrumented),
        .target(name: "KeychainPasswords", swiftSettings: instrumented),
        .target(name: "DBusMessages", swiftSettings: instrumented),
        .target(
            name: "SSHAgentProtocol",
            dependencies: [
                "KeychainBytes", "KeychainKeys", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: instrumented),
        .target(
            name: "SSHAgent",
            dependencies: [
                "SSHAgentProtocol", "KeychainBytes", "KeychainKeys",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: instrumented),
        .target(name: "SecretMemory", swiftSettings: instrumented),
        .target(name: "KeychainEndpoint", swiftSettings: instrumented),
        .target(
            name: "KeychainClient",
            dependencies: ["KeychainModel", "KeychainWire", "KeychainEndpoint", "SecretMemory"],
            swiftSettings: instrumented),
        .target(
            name: "SecurityValues",
            dependencies: [
                "KeychainKeys", "KeychainCertificates", "KeychainTransfer", "KeychainModel", "KeychainHelperWire",
                "KeychainEndpoint",
            ],
            swiftSettings: instrumented),
        .target(name: "CFTypes", swiftSettings: instrumented),
        .target(
            name: "Security",
            dependencies: [
                "CFTypes", "SecurityValues", "KeychainKeys", "KeychainCertificates", "KeychainTransfer",
                "KeychainPasswords", "KeychainModel", "KeychainClient", "KeychainWire", "KeychainHelperWire",
                "KeychainEndpoint", "SecretMemory",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: instrumented),
        // All targets in one program, so that shared code is linked once.
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Security", "KeychainClient", "KeychainModel", "KeychainWire", "KeychainHelperWire", "KeychainSealing",
                "KeychainCodeSigning", "KeychainKeys", "KeychainCertificates", "KeychainTransfer", "KeychainPasswords",
                "DBusMessages", "SSHAgent", "SSHAgentProtocol", "SecretMemory",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: instrumented + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6]
)

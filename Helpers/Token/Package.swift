// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The programs that keep private keys for the service: one with a TPM 2.0, one with a secret in its own file. They are
// separate processes, so that the keys are in no other memory and the service contains neither a driver nor a foreign
// protocol.

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

let support = Target.Dependency.product(name: "HelperSupport", package: "chatelaine")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")

let package = Package(
    name: "Token",
    products: [
        .executable(name: "chatelaine-token-software", targets: ["chatelaine-token-software"]),
        .executable(name: "chatelaine-token-tpm", targets: ["chatelaine-token-tpm"]),
        .library(name: "TPM", targets: ["TPM"]),
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        // The conversation with the service, for both programs.
        .target(name: "TokenConversation", dependencies: [support], swiftSettings: strict),
        // The token without hardware, from a request to an answer.
        .target(name: "SoftwareToken", dependencies: [support, crypto], swiftSettings: strict),
        // A client of TPM 2.0: structures, sessions, commands. It has no unsafe code.
        .target(name: "TPM", dependencies: [support, crypto, cryptoExtras], swiftSettings: strict),
        // The access to a TPM, with all code that calls Linux.
        .target(name: "TPMDevices", dependencies: ["TPM", support], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-token-software", dependencies: ["TokenConversation", "SoftwareToken", support],
            path: "Sources/SoftwareTokenProgram", swiftSettings: strict, linkerSettings: standalone),
        .executableTarget(
            name: "chatelaine-token-tpm", dependencies: ["TokenConversation", "TPM", "TPMDevices", support],
            path: "Sources/TPMTokenProgram", swiftSettings: strict, linkerSettings: standalone),

        .testTarget(
            name: "SoftwareTokenTests", dependencies: ["SoftwareToken", support, crypto], swiftSettings: tests),
        .testTarget(
            name: "TPMTests", dependencies: ["TPM", "TPMDevices", support, crypto, cryptoExtras], swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The program that builds and examines chains of certificates. It is a package of its own, with its own build folder,
// because swift-certificates checks `#if canImport(Security)` and would use the root package's module instead of
// Apple's. So it does not depend on the root package. The messages that the two share are the same sources, through a
// symbolic link.

import PackageDescription

/// As in the root package.
let common: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]
let strict = common + [.strictMemorySafety()]

let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")

let package = Package(
    name: "Trust",
    products: [
        .executable(name: "chatelaine-trust", targets: ["chatelaine-trust"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
    ],
    targets: [
        // The messages, and the streams of the program: links to the root package's folders.
        .target(name: "KeychainBytes", swiftSettings: strict),
        .target(name: "KeychainHelperWire", dependencies: ["KeychainBytes"], swiftSettings: strict),
        .target(name: "KeychainEndpoint", swiftSettings: strict),
        // The evaluation, from a request to an answer. Its only input besides the request is the file of anchors.
        .target(
            name: "TrustEvaluation", dependencies: ["KeychainHelperWire", x509, asn1, cryptoExtras],
            swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-trust", dependencies: ["KeychainEndpoint", "KeychainHelperWire", "TrustEvaluation"],
            path: "Sources/TrustProgram", swiftSettings: strict,
            // Links the runtime statically, like --static-swift-stdlib, which would compile every module again for the
            // tests. The two libraries belong to Foundation; modules compiled without that option do not name them.
            linkerSettings: [.unsafeFlags(["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims"])]),

        .testTarget(
            name: "TrustEvaluationTests",
            dependencies: ["KeychainHelperWire", "TrustEvaluation", x509, asn1, crypto, cryptoExtras],
            swiftSettings: common),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The program that builds and examines chains of certificates. It is a package of its own, because swift-certificates
// checks `#if canImport(Security)` and would use the root package's module instead of Apple's. So it uses no product
// with that module, and Tools/build puts the module aside while it builds this package.

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

let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let messages = Target.Dependency.product(name: "HelperMessages", package: "chatelaine")
let streams = Target.Dependency.product(name: "HelperStreams", package: "chatelaine")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")

let package = Package(
    name: "Trust",
    products: [
        .executable(name: "chatelaine-trust", targets: ["chatelaine-trust"])
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
    ],
    targets: [
        // The evaluation, from a request to an answer. Its only input besides the request is the file of anchors.
        .target(
            name: "TrustEvaluation", dependencies: [messages, x509, asn1, cryptoExtras], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-trust", dependencies: [streams, messages, "TrustEvaluation"],
            path: "Sources/TrustProgram", swiftSettings: strict,
            // As in the root package.
            linkerSettings: [
                .unsafeFlags(
                    ["-static-stdlib", "-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections"],
                    .when(configuration: .release))
            ]),

        .testTarget(
            name: "TrustEvaluationTests",
            dependencies: [messages, "TrustEvaluation", x509, asn1, crypto, cryptoExtras],
            swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

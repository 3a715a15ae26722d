// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The program with the cryptography that swift-crypto lacks. It is a package of its own, because it needs the headers of
// libcrypto (OpenSSL 3, package libssl-dev), which no other part of this repository needs.

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

let support = Target.Dependency.product(name: "HelperSupport", package: "chatelaine")

let package = Package(
    name: "CryptoHelper",
    products: [
        .executable(name: "chatelaine-crypto", targets: ["chatelaine-crypto"])
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../..")
    ],
    targets: [
        .systemLibrary(name: "CLibCrypto", providers: [.apt(["libssl-dev"])]),
        // The operations, from a request to an answer. Its only input besides the request is libcrypto.
        .target(name: "CryptoOperations", dependencies: ["CLibCrypto", support], swiftSettings: strict),
        .executableTarget(
            name: "chatelaine-crypto", dependencies: ["CryptoOperations", support], path: "Sources/CryptoProgram",
            swiftSettings: strict,
            // As in the root package.
            linkerSettings: [
                .unsafeFlags(
                    ["-static-stdlib", "-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections"],
                    .when(configuration: .release))
            ]),

        .testTarget(name: "CryptoOperationsTests", dependencies: ["CryptoOperations", support], swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

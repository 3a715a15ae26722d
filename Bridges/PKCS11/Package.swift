// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The module for PKCS #11 on the keychain: a shared library that programs load. It is a package of its own because it has a
// target in C, which nothing that `Security` depends on may have.

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

/// The Swift runtime inside the library, as in the programs of the root package. The functions that a program looks up by
/// name are the only exported symbols. The runtime cannot be unloaded, so the library stays loaded (nodelete).
let module: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections", "-Xlinker",
            "--version-script=\(Context.packageDirectory)/exports.map", "-Xlinker", "-z", "-Xlinker", "nodelete",
            "-Xlinker", "--gc-sections",
        ],
        .when(configuration: .release))
]

let hardened: [CSetting] = [
    .define("_GNU_SOURCE"), .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
/// Requests to the keychain service.
let keychain = Target.Dependency.product(name: "ModuleSupport", package: "chatelaine")
/// Public keys as values.
let keys = Target.Dependency.product(name: "KeySupport", package: "chatelaine")

let package = Package(
    name: "PKCS11",
    products: [
        .library(name: "chatelaine-pkcs11", type: .dynamic, targets: ["PKCS11Module"])
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
    ],
    targets: [
        // The types of the interface; the lists of functions, which refer to the functions of PKCS11Module.
        .target(name: "CCryptoki", cSettings: hardened),
        .target(name: "CFunctionLists", dependencies: ["CCryptoki"], cSettings: hardened),
        // The objects, the mechanisms and the sessions.
        .target(
            name: "PKCS11", dependencies: ["CCryptoki", keychain, keys, crypto, asn1], swiftSettings: strict),
        // The functions that programs call.
        .target(
            name: "PKCS11Module", dependencies: ["PKCS11", "CCryptoki", "CFunctionLists", keychain],
            swiftSettings: strict,
            linkerSettings: module),
        .testTarget(
            name: "PKCS11Tests",
            dependencies: [
                "PKCS11", "CCryptoki", keychain, keys, crypto,
                .product(name: "Keychain", package: "chatelaine"),
                .product(name: "KeychainTesting", package: "chatelaine"),
            ], swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The Swift runtime inside the program, as in the root package.
///
/// - Parameter libraries: those of Foundation, for a program that uses it.
func standalone(with libraries: [String] = []) -> [LinkerSetting] {
    [.unsafeFlags(["-static-stdlib", "-use-ld=lld"] + libraries, .when(configuration: .release))]
}

let package = Package(
    name: "benchmarks",
    dependencies: [
        .package(name: "chatelaine", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", path: "Sources/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "Measuring", swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "identification-benchmark", dependencies: ["Measuring"],
            swiftSettings: [.treatAllWarnings(as: .error)], linkerSettings: standalone()),
        .executableTarget(
            name: "keychain-benchmarks",
            dependencies: [
                "CSQLite", "Measuring",
                .product(name: "Security", package: "chatelaine"),
                .product(name: "Keychain", package: "chatelaine"),
                .product(name: "ServiceSupport", package: "chatelaine"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            // Keychain files are measured as well, and their functions are deprecated, as Apple's are.
            swiftSettings: [
                .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning),
            ],
            linkerSettings: standalone(with: [
                "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections", "-l_FoundationICU",
            ])),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// Client programs that use only the public products. A separate package, so that they cannot use internal modules of
// the root package.

import PackageDescription

let security = Target.Dependency.product(name: "Security", package: "chatelaine", condition: .when(platforms: [.linux]))

/// Programs with the Swift runtime inside, as in the root package. A package without such settings takes the runtime of the toolchain.
let standalone: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-use-ld=lld", "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections",
            "-l_FoundationICU",
        ], .when(configuration: .release))
]

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "chatelaine", path: ".."),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "PasswordKeeper", dependencies: [security], linkerSettings: standalone),
        .executableTarget(
            name: "KeyTool",
            dependencies: [
                security,
                .product(name: "LocalAuthentication", package: "chatelaine", condition: .when(platforms: [.linux])),
            ], linkerSettings: standalone),
        .executableTarget(
            name: "SharedGroup", dependencies: [security, .product(name: "Logging", package: "swift-log")],
            linkerSettings: standalone),
        // The same sources in both language modes (one folder is a link to the other): programs for Apple's systems use
        // either mode, and our modules must cause no warning in either.
        .executableTarget(
            name: "PasswordIdioms", dependencies: [security],
            swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v6)], linkerSettings: standalone),
        .executableTarget(
            name: "PasswordIdiomsSwift5", dependencies: [security],
            swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v5)], linkerSettings: standalone),
        // The calls of two published documents about items that require owner authentication, in the language mode of
        // their time. Warnings are not errors: as on Apple's systems, a variable that a closure on another queue
        // changes causes a warning.
        .executableTarget(
            name: "OwnerPresence",
            dependencies: [
                security,
                .product(name: "LocalAuthentication", package: "chatelaine", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)], linkerSettings: standalone),
        // The code of Apple's documentation for keychain files; it only has to compile in the older language mode. The
        // functions are deprecated and cause warnings.
        .executableTarget(
            name: "KeychainFiles", dependencies: [security], swiftSettings: [.swiftLanguageMode(.v6)],
            linkerSettings: standalone),
        .executableTarget(
            name: "KeychainEvents", dependencies: [security], swiftSettings: [.swiftLanguageMode(.v6)],
            linkerSettings: standalone),
        .target(name: "KeychainFilesSwift5", dependencies: [security], swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "TypedQuickStart", dependencies: [.product(name: "Keychain", package: "chatelaine")],
            linkerSettings: standalone),
        // Never run: it verifies that the examples of the documents compile. Tools/examples collects them.
        .target(
            name: "DocumentedExamples",
            dependencies: [
                .product(name: "Keychain", package: "chatelaine"),
                .product(name: "KeychainTesting", package: "chatelaine"),
                .product(name: "Security", package: "chatelaine", condition: .when(platforms: [.linux])),
                .product(name: "LocalAuthentication", package: "chatelaine", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: [
                // An example shows only its subject, so unused values are not errors in it.
                .unsafeFlags(["-suppress-warnings"]),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("ExistentialAny"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

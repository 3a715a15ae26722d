// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// Programs as others write them: they know the public products only. A package of their own, so that nothing here can
// reach into the modules of the root package.

import PackageDescription

let security = Target.Dependency.product(name: "Security", package: "chatelaine", condition: .when(platforms: [.linux]))

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "chatelaine", path: ".."),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "PasswordKeeper", dependencies: [security]),
        .executableTarget(
            name: "KeyTool",
            dependencies: [
                security,
                .product(name: "LocalAuthentication", package: "chatelaine", condition: .when(platforms: [.linux])),
            ]),
        .executableTarget(
            name: "SharedGroup", dependencies: [security, .product(name: "Logging", package: "swift-log")]),
        // The same sources in both language modes (one folder is a link to the other): programs for Apple's systems are
        // written in either, and in neither should our modules be the cause of a warning.
        .executableTarget(
            name: "PasswordIdioms", dependencies: [security],
            swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "PasswordIdiomsSwift5", dependencies: [security],
            swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v5)]),
        // In the calls of two published documents about items that their owner alone reads, in the language mode of their time.
        // Warnings are no errors: as on Apple's systems there is one about a variable that a closure on another queue changes.
        .executableTarget(
            name: "OwnerPresence",
            dependencies: [
                security,
                .product(name: "LocalAuthentication", package: "chatelaine", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // What Apple's documentation shows of keychains that are files; the older language mode only has to compile it. The functions
        // are deprecated, and say so.
        .executableTarget(name: "KeychainFiles", dependencies: [security], swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(name: "KeychainEvents", dependencies: [security], swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(name: "KeychainFilesSwift5", dependencies: [security], swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "TypedQuickStart", dependencies: [.product(name: "Keychain", package: "chatelaine")]),
        // Not to be run: to see that the examples of the documents compile. Tools/examples collects them.
        .target(
            name: "DocumentedExamples",
            dependencies: [
                .product(name: "Keychain", package: "chatelaine"),
                .product(name: "KeychainTesting", package: "chatelaine"),
                .product(name: "Security", package: "chatelaine", condition: .when(platforms: [.linux])),
                .product(name: "LocalAuthentication", package: "chatelaine", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: [
                // An example says only what it is about: values that nothing reads are no mistakes in it.
                .unsafeFlags(["-suppress-warnings"]),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("ExistentialAny"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// The table of layers, bottom to top. A module may import only the modules in its line; ARCHITECTURE.md has the
// reasons. The build fails on an import that is not declared here (--explicit-target-dependency-import-check error).

import PackageDescription

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// The options for every Swift file of this repository.
let common: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Modules also mark each use of unsafe code; in tests (where `#expect` cannot contain the word) the marks are noise.
let strict = common + [.strictMemorySafety()]

/// For modules that the optimizer takes long for and that run no faster afterwards. What others import is written in the step that compiles
/// the module, instead of checking all declarations twice.
let unoptimized: [SwiftSetting] = [
    .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
]

/// The Swift runtime inside the program, as with --static-swift-stdlib, which would compile each module once more for the tests. The libraries
/// are those of FoundationEssentials that modules compiled without that option do not name. A program that uses more of
/// Foundation, and with it 40 MB of ICU, does not link.
let standalone = ["-static-stdlib", "-use-ld=lld", "-l_FoundationCShims", "-l_FoundationCollections"]

extension Target {
    /// Returns a Swift module below Sources/.
    ///
    /// - Parameter isOptimized: whether it is optimized in release configuration.
    static func module(_ path: String, _ dependencies: [Target.Dependency] = [], isOptimized: Bool = true) -> Target {
        .target(
            name: path.lastComponent, dependencies: dependencies, path: "Sources/" + path,
            swiftSettings: strict + (isOptimized ? [] : unoptimized))
    }

    /// Returns a module in C, for interfaces that Swift cannot express.
    ///
    /// - Parameter libraries: those of the system that it is linked with.
    static func shim(_ path: String, libraries: [String] = []) -> Target {
        .target(
            name: path.lastComponent, path: "Sources/" + path,
            // Checked calls of the C library end the process if they would write beyond a buffer whose size the
            // compiler knows.
            cSettings: [
                .define("_GNU_SOURCE"), .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
            ], linkerSettings: libraries.map { .linkedLibrary($0) })
    }

    static func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: "Sources/Programs/" + name, swiftSettings: strict,
            linkerSettings: [.unsafeFlags(standalone, .when(configuration: .release))])
    }

    /// Returns a test target. The tested code is optimized in release configuration; optimizing the tests themselves
    /// takes minutes and has no use.
    ///
    /// - Parameter data: folders of files that the tests read in place.
    static func tests(_ name: String, _ dependencies: [Target.Dependency], data: [String] = []) -> Target {
        .testTarget(
            name: name, dependencies: dependencies, path: "Tests/" + name, exclude: data,
            // Tests also cover functions that Apple has deprecated; no other availability check applies here.
            swiftSettings: common + [.unsafeFlags(["-Xfrontend", "-disable-availability-checking"])] + unoptimized)
    }
}

extension String {
    var lastComponent: String { String(split(separator: "/").last!) }
}

let package = Package(
    name: "chatelaine",
    products: [
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        .library(name: "Keychain", targets: ["Keychain"]),
        .library(name: "KeychainTesting", targets: ["KeychainTesting"]),
        .executable(name: "chatelained", targets: ["chatelained"]),
        .executable(name: "chatelaine", targets: ["chatelaine"]),
        .executable(name: "chatelaine-agent", targets: ["chatelaine-agent"]),
        .plugin(name: "CodeSign", targets: ["CodeSign"]),
        // These are only for the helper programs of this repository, which are separate packages.
        .library(name: "HelperMessages", targets: ["KeychainBytes", "KeychainHelperWire"]),
        .library(name: "HelperStreams", targets: ["KeychainEndpoint"]),
        .library(
            name: "HelperSupport",
            targets: [
                "KeychainBytes", "KeychainHelperWire", "KeychainPlatform", "KeychainEndpoint", "SecretMemory",
                "CWipingAllocator",
            ]),
        .library(
            name: "PrompterSupport",
            targets: [
                "KeychainHelperWire", "KeychainTerminal", "KeychainEndpoint", "KeychainPasswords", "SecretMemory",
            ]),
        // For the bridges, which make requests on behalf of other processes.
        .library(
            name: "BridgeSupport",
            targets: [
                "KeychainClient", "KeychainModel", "KeychainWire", "KeychainEndpoint", "KeychainPlatform",
                "SecretMemory",
                "CWipingAllocator",
            ]),
        // For the bridge that is loaded into other programs: no C code, which would replace their allocator.
        .library(
            name: "ModuleSupport",
            targets: ["KeychainClient", "KeychainModel", "KeychainWire", "KeychainCertificates", "SecretMemory"]),
        // For the bridges that read keys in formats of their own.
        .library(name: "KeySupport", targets: ["KeychainBytes", "KeychainKeys"]),
        // For the benchmarks, which fill stores with the store's own code and count the service's instructions.
        .library(
            name: "ServiceSupport",
            targets: [
                "KeychainModel", "KeychainPolicy", "KeychainSealing", "KeychainStore", "KeychainServer",
                "KeychainPlatform",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    ],
    targets: [
        // Core: values and rules. No I/O, no clock, no ambient randomness.
        .module("Core/KeychainBytes"),
        .module("Core/KeychainModel", ["KeychainBytes"]),
        .module("Core/KeychainWire", ["KeychainBytes", "KeychainModel"]),
        .module("Core/KeychainPolicy", ["KeychainModel"]),
        .module("Core/KeychainSealing", ["KeychainBytes", "KeychainModel", crypto, cryptoExtras]),
        .module("Core/KeychainCodeSigning", ["KeychainBytes", "KeychainModel", crypto]),
        .module("Core/KeychainKeys", [crypto, cryptoExtras, asn1]),
        .module("Core/KeychainCertificates", ["KeychainModel", "KeychainKeys", crypto, asn1]),
        .module(
            "Core/KeychainTransfer",
            ["KeychainBytes", "KeychainKeys", "KeychainCertificates", crypto, cryptoExtras, asn1]),
        .module("Core/KeychainHelperWire", ["KeychainBytes"]),
        .module("Core/KeychainPasswords"),

        // Platform: the only code that calls Linux, the only unsafe code.
        .module("Platform/SecretMemory"),
        .module("Platform/KeychainEndpoint"),
        .shim("Platform/CSQLiteStatements", libraries: ["sqlite3"]),
        .module("Platform/SQLiteStatements", ["CSQLiteStatements"]),
        .shim("Platform/CKeychainPlatform"),
        .shim("Platform/CWipingAllocator"),
        .module("Platform/KeychainTerminal", ["KeychainEndpoint", "SecretMemory"]),
        .module(
            "Platform/KeychainPlatform",
            [
                "CKeychainPlatform", "KeychainCodeSigning", "KeychainEndpoint", "KeychainSealing", "SecretMemory",
                crypto,
            ]),

        // Daemon: the only code that holds keys and items.
        .module(
            "Daemon/KeychainStore",
            ["KeychainModel", "KeychainPolicy", "KeychainSealing", "SecretMemory", "SQLiteStatements"]),
        .module("Daemon/KeychainPrompting", ["KeychainHelperWire", "KeychainPlatform"]),
        .module(
            "Daemon/KeychainServer",
            [
                "KeychainModel", "KeychainWire", "KeychainPolicy", "KeychainSealing", "KeychainStore", "SecretMemory",
                "KeychainEndpoint", "KeychainPlatform", "KeychainCodeSigning", "KeychainKeys", "KeychainHelperWire",
                "KeychainPrompting", logging,
            ]),
        // The system service's programs in users' sessions: its client, and the agent that runs prompters for it.
        .module(
            "Daemon/KeychainAgent",
            [
                "KeychainModel", "KeychainWire", "KeychainHelperWire", "KeychainEndpoint", "KeychainPlatform",
                "KeychainPrompting", "SecretMemory",
            ]),

        // Client: the modules that programs import. Pure Swift, without C code of this repository.
        .module("Client/KeychainClient", ["KeychainModel", "KeychainWire", "KeychainEndpoint", "SecretMemory"]),
        .module(
            "Client/Keychain",
            [
                "KeychainModel", "KeychainWire", "KeychainKeys", "KeychainCertificates", "KeychainPasswords",
                "KeychainClient", "SecretMemory", crypto,
            ]),
        .module(
            "Client/SecurityValues",
            [
                "KeychainKeys", "KeychainCertificates", "KeychainTransfer", "KeychainModel", "KeychainWire",
                "KeychainHelperWire", "KeychainEndpoint",
            ]),
        .module("Client/CFTypes"),
        .module(
            "Client/Security",
            [
                "CFTypes", "SecurityValues", "KeychainKeys", "KeychainCertificates", "KeychainTransfer",
                "KeychainPasswords", "KeychainModel", "KeychainClient", "KeychainWire", "KeychainHelperWire",
                "KeychainEndpoint", "SecretMemory", logging,
            ]),
        .module(
            "Client/LocalAuthentication",
            ["CFTypes", "Security", "KeychainModel", "KeychainWire", "KeychainClient", "SecretMemory"]),

        // Programs: short composition roots.
        .module(
            "Programs/KeychainCommands",
            [
                "KeychainBytes", "KeychainModel", "KeychainWire", "KeychainClient", "KeychainEndpoint",
                "KeychainTerminal", "KeychainCodeSigning", "KeychainKeys", "KeychainCertificates", "KeychainTransfer",
                "KeychainPasswords", "KeychainHelperWire", "SecurityValues", "SecretMemory", arguments, crypto,
            ],
            // The optimizer takes 190 of 225 s of the longest module; 200 times `chatelaine get` take 1.4 s with and without it.
            isOptimized: false),
        .program("chatelaine", ["KeychainCommands", "KeychainEndpoint", "SecurityValues"]),
        .program(
            "chatelained",
            [
                "KeychainModel", "KeychainServer", "KeychainPlatform", "KeychainEndpoint", "SecretMemory",
                "CWipingAllocator", arguments,
                logging,
            ]),

        .program("chatelaine-agent", ["KeychainAgent", "KeychainEndpoint", "KeychainTerminal", "CWipingAllocator"]),

        // A package that depends on this one gets `swift package codesign`.
        .plugin(
            name: "CodeSign",
            capability: .command(
                intent: .custom(
                    verb: "codesign", description: "Builds the executable products and signs them with a team key"))),

        // Testing: a product for the tests of other projects.
        .module(
            "Testing/KeychainTesting",
            [
                "KeychainModel", "KeychainPolicy", "KeychainClient", "Keychain", "KeychainServer", "KeychainStore",
                "KeychainSealing", "KeychainWire", "KeychainPlatform", "KeychainHelperWire",
                "KeychainKeys", "SecretMemory",
            ]),

        // Support for the tests of several modules.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: common),
        .tests("ArchitectureTests", []),
        .tests("KeychainBytesTests", ["KeychainBytes"]),
        .tests("KeychainModelTests", ["KeychainModel", "TestSupport"]),
        .tests("SecretMemoryTests", ["SecretMemory"]),
        .tests("KeychainEndpointTests", ["KeychainEndpoint", "TestSupport"]),
        .tests("KeychainTerminalTests", ["KeychainTerminal", "SecretMemory", "TestSupport"]),
        .tests(
            "KeychainPlatformTests",
            ["KeychainPlatform", "KeychainCodeSigning", "KeychainEndpoint", "SecretMemory", "TestSupport", crypto]),
        .tests("CFTypesTests", ["CFTypes"]),
        .tests("SecurityConstantsTests", ["Security"]),
        .tests("KeychainPolicyTests", ["KeychainModel", "KeychainPolicy"]),
        .tests("KeychainHelperWireTests", ["KeychainHelperWire", "TestSupport"]),
        .tests("KeychainWireTests", ["KeychainBytes", "KeychainModel", "KeychainWire", "TestSupport"]),
        .tests(
            "KeychainServerTests",
            [
                "KeychainBytes", "KeychainModel", "KeychainPolicy", "KeychainWire", "KeychainServer", "KeychainStore",
                "KeychainSealing",
                "KeychainClient", "Keychain", "KeychainTesting", "KeychainEndpoint", "KeychainPlatform", "SecretMemory",
                "KeychainCodeSigning", "KeychainKeys", "KeychainHelperWire", "KeychainPrompting", "KeychainAgent",
                "SQLiteStatements", "TestSupport",
                crypto,
                logging,
            ]),
        .tests("KeychainTests", ["Keychain", "KeychainTesting", "Security", crypto]),
        .tests(
            "SecurityTests",
            [
                "Security", "SecurityValues", "Keychain", "KeychainModel", "KeychainWire", "KeychainClient",
                "KeychainTesting", "KeychainCertificates", "KeychainHelperWire", "KeychainEndpoint", "TestSupport",
                logging,
            ]),
        .tests(
            "LocalAuthenticationTests",
            ["LocalAuthentication", "Security", "KeychainModel", "KeychainWire", "KeychainClient"]),
        // The cases of Conformance, through a link, on a keychain in memory.
        .tests(
            "SecurityConformanceTests",
            ["Security", "LocalAuthentication", "Keychain", "KeychainClient", "KeychainTesting"]),
        .tests("KeychainCodeSigningTests", ["KeychainBytes", "KeychainModel", "KeychainCodeSigning", crypto]),
        .tests("KeychainKeysTests", ["KeychainKeys", crypto, cryptoExtras, asn1]),
        .tests("KeychainCertificatesTests", ["KeychainCertificates", "KeychainKeys"]),
        .tests("KeychainTransferTests", ["KeychainTransfer", "KeychainCertificates", "KeychainKeys"]),
        .tests("KeychainPasswordsTests", ["KeychainPasswords", "TestSupport"]),
        // The targets of Fuzzing, through links, with the inputs that fuzzing found.
        .tests(
            "FuzzCorpusTests",
            [
                "Security", "KeychainClient", "KeychainModel", "KeychainWire", "KeychainHelperWire", "KeychainSealing",
                "KeychainCodeSigning", "KeychainKeys", "KeychainCertificates", "KeychainTransfer", "KeychainPasswords",
                "SecretMemory", crypto,
            ]),
        .tests("KeychainSealingTests", ["KeychainModel", "KeychainSealing", crypto]),
        .tests(
            "KeychainStoreTests",
            [
                "KeychainModel", "KeychainPolicy", "KeychainSealing", "KeychainStore", "SQLiteStatements",
                "SecretMemory",
            ]),
        .tests(
            "KeychainCommandsTests",
            [
                "KeychainCommands", "KeychainModel", "KeychainWire", "KeychainClient", "KeychainCertificates",
                "KeychainKeys", "KeychainCodeSigning", "KeychainPasswords", "Keychain", "KeychainTesting",
                "KeychainTerminal", "SecretMemory", "SecurityValues", "TestSupport",
                crypto,
            ],
            data: ["Snapshots"]),
    ],
    swiftLanguageModes: [.v6]
)

// SPDX-License-Identifier: Apache-2.0

/// Modules that the files below some folders must not import, and why.
struct ImportRule: Sendable {
    let folders: [String]
    let forbidden: [String]
    /// Modules that files below some folders may import all the same; the reason says why.
    var allowed: [String: [String]] = [:]
    let reason: String

    /// Whether a file must not import a module.
    func forbids(_ module: String, in file: Repository.SwiftFile) -> Bool {
        forbidden.contains(module)
            && !allowed.contains { file.path.hasPrefix($0.key + "/") && $0.value.contains(module) }
    }

    private static let client = [
        "KeychainClient", "Keychain", "SecurityValues", "CFTypes", "Security", "LocalAuthentication",
    ]
    private static let daemon = ["KeychainStore", "KeychainServer"]
    private static let system = ["Foundation", "FoundationEssentials", "Glibc", "Musl", "Dispatch"]
    private static let platform = [
        "KeychainPlatform", "CKeychainPlatform", "KeychainEndpoint", "KeychainTerminal", "SecretMemory",
    ]

    static let all: [ImportRule] = [
        ImportRule(
            folders: ["Sources/Core"], forbidden: system + ["Logging"],
            allowed: [
                "Sources/Core/KeychainSealing": ["FoundationEssentials", "Dispatch"],
                "Sources/Core/KeychainKeys": ["FoundationEssentials"],
                "Sources/Core/KeychainCertificates": ["FoundationEssentials"],
                "Sources/Core/KeychainTransfer": ["FoundationEssentials"],
            ],
            reason: """
                the core is values and rules: it takes time, randomness and bytes as arguments (KeychainSealing, \
                KeychainKeys and KeychainTransfer need Data, in which swift-crypto returns bytes, KeychainCertificates needs \
                Date, and none of them more of Foundation; KeychainSealing lets threads wait with a semaphore)
                """),
        ImportRule(
            folders: [
                "Sources/Core", "Sources/Platform", "Sources/Daemon", "Sources/Client/KeychainClient",
                "Sources/Client/Keychain", "Sources/Client/SecurityValues", "Sources/Programs",
                "Helpers/Prompters/Sources", "Helpers/SessionLock/Sources",
                "Helpers/Token/Sources", "Helpers/Trust/Sources", "Helpers/Crypto/Sources",
                "Bridges/SecretService/Sources", "Bridges/Login/Sources", "Bridges/SSHAgent/Sources",
                "Bridges/PKCS11/Sources",
            ],
            forbidden: ["Foundation", "FoundationInternationalization"],
            reason: "all of Foundation brings 40 MB of ICU into a program; FoundationEssentials has what these use"),
        ImportRule(
            folders: ["Sources/Core"], forbidden: platform + daemon + client,
            reason: "dependencies run downwards only, and nothing is below the core"),
        ImportRule(
            folders: ["Sources/Core/KeychainModel", "Sources/Core/KeychainWire", "Sources/Core/KeychainPolicy"],
            forbidden: ["Crypto", "CryptoExtras", "KeychainSealing"],
            reason: """
                only KeychainSealing sees ciphers and the keychain's own keys, only KeychainCodeSigning the signatures of \
                programs, and only KeychainKeys the keys of users
                """),
        ImportRule(
            folders: [
                "Sources/Core/KeychainKeys", "Sources/Core/KeychainCertificates", "Sources/Core/KeychainTransfer",
            ],
            forbidden: ["KeychainSealing", "KeychainWire", "KeychainPolicy", "KeychainCodeSigning"],
            reason: "it says what keys and certificates are; keeping them, and who may use them, is others' concern"),
        ImportRule(
            folders: [
                "Sources/Core/KeychainKeys", "Sources/Daemon", "Sources/Programs/chatelained", "Sources/Platform",
            ],
            forbidden: ["KeychainCertificates", "KeychainTransfer"],
            reason: """
                the process that holds keys parses nothing foreign: reading certificates and files of keys is the clients' \
                concern
                """),
        ImportRule(
            folders: ["Sources/Core/KeychainCodeSigning"],
            forbidden: ["KeychainSealing", "KeychainWire", "KeychainPolicy", "CryptoExtras"],
            reason: "it says what a signature is; what follows from it is the policy's concern"),
        ImportRule(
            folders: ["Sources/Core/KeychainHelperWire"],
            forbidden: ["KeychainModel", "KeychainWire", "KeychainPolicy", "Crypto", "CryptoExtras", "SwiftASN1"],
            reason: "helpers' packages compile it too, and those know nothing of this one"),
        ImportRule(
            folders: ["Sources/Core/KeychainPasswords"],
            forbidden: [
                "KeychainModel", "KeychainWire", "KeychainPolicy", "KeychainSealing", "KeychainKeys",
                "FoundationEssentials",
                "Crypto", "CryptoExtras",
            ],
            reason: "a password is text here: which item or keychain it is for is others' concern"),
        ImportRule(
            folders: ["Sources/Daemon", "Sources/Programs/chatelained", "Sources/Platform"],
            forbidden: ["KeychainPasswords"],
            reason: "the service judges nobody's taste: passwords are chosen in front of it, and it checks them"),
        ImportRule(
            folders: ["Helpers/Trust"], forbidden: client + ["KeychainModel", "KeychainWire"],
            reason: "swift-certificates would take the module Security for Apple's"),
        ImportRule(
            folders: ["Sources/Core/KeychainModel"],
            forbidden: ["KeychainWire", "KeychainPolicy"],
            reason: "the model is what all others share, so it knows none of them"),
        ImportRule(
            folders: ["Sources/Core/KeychainPolicy"], forbidden: ["KeychainWire"],
            reason: "a judgement must not depend on how a request travelled"),
        ImportRule(
            folders: ["Sources/Platform"], forbidden: daemon + client + ["KeychainSealing", "KeychainPolicy"],
            allowed: ["Sources/Platform/KeychainPlatform": ["KeychainSealing"]],
            reason: """
                the platform answers questions about Linux; it decides nothing and stores nothing (KeychainPlatform has \
                the locked memory for KeychainSealing's keys, and knows the protocol for that)
                """),
        ImportRule(
            folders: ["Sources/Client", "Sources/Daemon", "Sources/Programs", "Sources/Testing"],
            forbidden: ["Glibc", "Musl"],
            reason: "only the platform calls Linux"),
        ImportRule(
            folders: [
                "Sources/Platform/SecretMemory", "Sources/Platform/KeychainEndpoint",
                "Sources/Platform/KeychainTerminal",
                "Sources/Client",
            ],
            forbidden: ["CKeychainPlatform", "KeychainPlatform"],
            reason: """
                programs that import Security must build without a C target of ours: a neighbour package that says \
                #if canImport(Security) would fail with "missing required module"
                """),
        ImportRule(
            folders: ["Sources/Daemon"], forbidden: client + ["ArgumentParser"],
            reason: "client and daemon meet only in the core and over the socket"),
        ImportRule(
            folders: ["Sources/Daemon/KeychainStore"],
            forbidden: ["KeychainServer", "KeychainWire", "KeychainPlatform", "KeychainEndpoint"],
            reason: "the store keeps items; who asks, and how, is the server's concern"),
        ImportRule(
            folders: [
                "Sources/Daemon/KeychainAgent", "Sources/Daemon/KeychainPrompting", "Sources/Programs/chatelaine-agent",
            ],
            forbidden: daemon + client + ["KeychainSealing", "KeychainPolicy", "SQLiteStatements"],
            reason: "agents and prompters ask people what the service wants to know: they judge nobody and hold no keys"
        ),
        ImportRule(
            folders: ["Sources/Client", "Sources/Programs/chatelaine", "Sources/Programs/KeychainCommands"],
            forbidden: daemon + ["KeychainSealing", "KeychainPolicy", "SQLiteStatements"],
            reason: "clients hold no keys, judge nobody and never link the store: that is the daemon's work"),
        ImportRule(
            folders: ["Sources/Client"], forbidden: ["ArgumentParser"],
            reason: "what every program links should bring nothing along"),
        ImportRule(
            folders: [
                "Sources/Client/KeychainClient", "Sources/Client/Keychain", "Sources/Client/SecurityValues",
                "Sources/Client/CFTypes", "Sources/Client/LocalAuthentication",
            ],
            forbidden: ["Logging"],
            reason: """
                errors carry their explanation; only the functions of Security, which return nothing but a number, have to \
                say it in a log
                """),
        ImportRule(
            folders: ["Sources/Client/KeychainClient", "Sources/Client/Keychain", "Sources/Client/SecurityValues"],
            forbidden: ["Security", "CFTypes", "LocalAuthentication"],
            reason: "untyped dictionaries exist only in Security, and Keychain must be usable without that module"),
        ImportRule(
            folders: ["Sources/Programs"], forbidden: ["Security", "CFTypes", "LocalAuthentication"],
            reason: "these modules need all of Foundation; SecurityValues has what the command `security` uses of them"),
        ImportRule(
            folders: ["Sources/Client/Security"], forbidden: ["LocalAuthentication"],
            reason: "on Apple's systems, too, it is LocalAuthentication that knows Security"),
        ImportRule(
            folders: ["Sources/Programs/chatelained"], forbidden: client + ["KeychainTerminal"],
            reason: """
                the process that holds keys parses nothing foreign (its own command line, by ArgumentParser, comes from \
                whoever started it and is read before there are keys) and asks nobody itself
                """),
        ImportRule(
            folders: ["Sources", "Tests", "Examples", "Benchmarks", "Conformance", "Fuzzing"],
            forbidden: ["X509", "_CryptoExtras"],
            // Where our module has another name.
            allowed: ["Examples/Adapters": ["X509"]],
            reason: """
                swift-certificates says #if canImport(Security) and would take our module for Apple's; trust is the \
                concern of a helper program
                """),
        ImportRule(
            folders: ["Sources", "Examples", "Benchmarks", "Conformance"],
            forbidden: ["SwiftASN1"],
            allowed: [
                "Sources/Core/KeychainKeys": ["SwiftASN1"], "Sources/Core/KeychainCertificates": ["SwiftASN1"],
                "Sources/Core/KeychainTransfer": ["SwiftASN1"], "Examples/Adapters": ["SwiftASN1"],
            ],
            reason: "DER is read and written below the clients, where it is fuzzed"),
        ImportRule(
            folders: ["Sources"], forbidden: ["NIO", "NIOCore", "NIOPosix", "NIOConcurrencyHelpers"],
            reason: "a round trip through SwiftNIO takes five times as long as one through a blocking thread"),
        ImportRule(
            folders: ["Bridges", "Helpers", "Apps", "Examples"],
            forbidden: daemon + platform + ["KeychainSealing", "KeychainPolicy", "KeychainServer", "KeychainClient"],
            allowed: [
                "Bridges/SecretService/Sources/SecretServiceKeychain": [
                    "KeychainClient", "KeychainEndpoint", "KeychainPlatform", "SecretMemory",
                ],
                "Bridges/SecretService/Sources/SecretsProgram": [
                    "KeychainClient", "KeychainEndpoint", "KeychainPlatform",
                ],
                "Bridges/SecretService/Sources/SecretPortalProgram": ["KeychainClient", "SecretMemory"],
                "Bridges/SecretService/Sources/BridgeProcess": ["KeychainEndpoint", "KeychainPlatform"],
                "Bridges/SecretService/Tests/SecretServiceKeychainTests": ["KeychainClient"],
                "Bridges/Login": ["KeychainClient", "KeychainEndpoint", "KeychainPlatform", "SecretMemory"],
                "Bridges/SSHAgent/Sources/SSHAgentKeychain": ["KeychainClient"],
                "Bridges/SSHAgent/Sources/SSHAgentProgram": ["KeychainClient", "KeychainEndpoint", "KeychainPlatform"],
                "Bridges/SSHAgent/Tests/SSHAgentKeychainTests": ["KeychainClient"],
                "Bridges/PKCS11": ["KeychainClient", "SecretMemory"],
                "Helpers/Crypto/Sources/CryptoProgram": ["KeychainEndpoint", "KeychainPlatform"],
                "Helpers/Token": ["KeychainPlatform", "KeychainEndpoint", "SecretMemory"],
                "Helpers/Prompters": ["KeychainTerminal", "KeychainEndpoint", "SecretMemory"],
                "Helpers/SessionLock": ["KeychainEndpoint"],
                "Helpers/SessionLock/Sources/BusQuestion": ["KeychainPlatform"],
                "Helpers/SessionLock/Sources/SessionLock": ["KeychainPlatform"],
                "Helpers/SessionLock/Sources/SessionLockProgram": ["KeychainPlatform"],
                "Helpers/Trust/Sources/TrustProgram": ["KeychainEndpoint"],
                "Bridges/SecretService/Sources/ImportProgram": [
                    "KeychainEndpoint", "KeychainPlatform", "SecretMemory",
                ],
            ],
            reason: """
                they use the public products only, as other programs do (tokens, the program with libcrypto, the session lock and the programs that query services on the \
                bus give up rights as the service does; prompters use the platform's terminal; all have its streams and its errors of system \
                calls; only bridges make requests on behalf of other processes, which no public product does)
                """),
        ImportRule(
            folders: ["Bridges/DBus/Sources/DBusMessages"], forbidden: system + ["DBus", "Keychain", "Logging"],
            reason: "the messages of D-Bus are bytes and values, tested and fuzzed without a connection"),
        ImportRule(
            folders: ["Bridges/SecretService/Sources/SecretService"],
            forbidden: system + ["DBus", "Keychain", "Logging"],
            reason: "sessions, names and items in memory are values, tested without a bus"),
        ImportRule(
            folders: ["Bridges/SSHAgent/Sources/SSHAgentProtocol", "Bridges/SSHAgent/Sources/SSHAgent"],
            forbidden: system + ["Keychain", "Logging"],
            allowed: [
                "Bridges/SSHAgent/Sources/SSHAgentProtocol": ["FoundationEssentials"],
                "Bridges/SSHAgent/Sources/SSHAgent": ["FoundationEssentials"],
            ],
            reason: """
                messages and the rules of the agent are values, tested without a socket (FoundationEssentials has Data, in \
                which swift-crypto returns bytes, and base64)
                """),
        ImportRule(
            folders: ["Bridges/PKCS11/Sources/PKCS11"],
            forbidden: ["Glibc", "Dispatch", "Keychain", "KeychainPlatform"],
            reason: "sessions and objects are values, tested on a keychain in memory"),
        ImportRule(
            folders: ["Conformance"],
            forbidden: daemon + platform + [
                "KeychainModel", "KeychainSealing", "KeychainPolicy", "KeychainWire", "KeychainClient", "Keychain",
                "KeychainTesting", "CFTypes", "Glibc", "Musl",
            ],
            reason: """
                the tests say only `import Security` and `import LocalAuthentication`, so that the same files hold for Apple's
                frameworks
                """),
    ]
}

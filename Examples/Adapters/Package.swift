// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// Identities of the keychain in server programs: certificates created with swift-certificates, connections with
// swift-nio-ssl, both with a private key that never leaves the service. A separate package, because a build with
// swift-certificates cannot contain another module called `Security`.

import PackageDescription

let certificates = Target.Dependency.product(name: "X509", package: "swift-certificates")
let tls = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let keychain = Target.Dependency.product(name: "Keychain", package: "chatelaine")

let package = Package(
    name: "Adapters",
    products: [
        .library(name: "KeychainX509", targets: ["KeychainX509"]),
        .library(name: "KeychainTLS", targets: ["KeychainTLS"]),
    ],
    dependencies: [
        .package(name: "chatelaine", path: "../.."),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    ],
    targets: [
        .target(
            name: "KeychainX509",
            dependencies: [
                keychain, certificates, .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ]),
        .target(
            name: "KeychainTLS",
            dependencies: [
                keychain, tls, .product(name: "NIOCore", package: "swift-nio"),
            ]),
        .executableTarget(
            name: "server-identity",
            dependencies: [
                "KeychainX509", "KeychainTLS", keychain, certificates, tls,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                // Apple's functions in the same program: the module has another name in the build, and sources still
                // use `import Security`.
                .product(
                    name: "Security", package: "chatelaine", moduleAliases: ["Security": "KeychainSecurity"],
                    condition: .when(platforms: [.linux])),
            ]),
        // `Security` and `LocalAuthentication` beside swift-certificates. The second product brings the first one along;
        // an alias that reaches a target through both is dropped.
        .executableTarget(
            name: "aliased-imports",
            dependencies: [
                certificates,
                .product(
                    name: "LocalAuthentication", package: "chatelaine",
                    moduleAliases: ["Security": "KeychainSecurity"], condition: .when(platforms: [.linux])),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

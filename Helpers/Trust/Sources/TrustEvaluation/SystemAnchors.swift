// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import KeychainHelperWire
internal import SwiftASN1
public import X509

/// The file in which a distribution collects its trusted certificates.
public struct SystemAnchors: Sendable {
    let paths: [String]

    /// The files of the distributions: Debian, Ubuntu, Arch, Alpine, NixOS; Fedora; openSUSE; others. No environment
    /// variable changes them, because the administrator does not control a program's environment.
    public init() {
        paths = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
        ]
    }

    init(paths: [String]) { self.paths = paths }

    /// Returns the certificates in the first of the files that can be read. Entries that are not certificates, or that
    /// swift-certificates cannot decode, are left out.
    ///
    /// - Throws: if no such file exists, or it has no certificates.
    public func read() throws(MissingAnchors) -> [Certificate] {
        for path in paths {
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            let documents = (try? PEMDocument.parseMultiple(pemString: text)) ?? []
            let certificates = documents.compactMap { try? Certificate(pemDocument: $0) }
            guard !certificates.isEmpty else { throw MissingAnchors(reason: "\(path) contains no certificates") }
            return Array(certificates.prefix(TrustLimits.anchors))
        }
        throw MissingAnchors(
            reason: "no file of trusted certificates exists (\(paths.joined(separator: ", "))); "
                + "install it: most distributions have it in the package ca-certificates")
    }
}

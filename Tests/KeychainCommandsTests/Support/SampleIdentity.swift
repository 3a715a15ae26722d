// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainKeys
import KeychainModel

/// A certificate and its private key, and the certificate of a root that issued neither.
enum SampleIdentity {
    /// O=Example, CN=Ann Example, ann@example.com, from 2020 to 2120.
    static let leaf = certificate(
        """
        MIIBaDCCAQ6gAwIBAgIBAzAKBggqhkjOPQQDAjAxMRAwDgYDVQQKDAdFeGFtcGxlMR0wGwYDVQQDDBRFeGFtcGxlIEludGVybWVk\
        aWF0ZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKDEQMA4GA1UECgwHRXhhbXBsZTEUMBIGA1UEAwwLQW5uIEV4\
        YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQJNDIZrFXCSTDhp1hfy8jiACGc5zVYQzfDZ73d4QPoiMDRI9s4mvnm7ltU\
        sJ9rhxwuhPQAf3YA7vWy6Ybc5WmJox4wHDAaBgNVHREEEzARgQ9hbm5AZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDSAAwRQIhAM6W\
        7Sa0uWmldSlG0mYumMsPHRFgYZYzGkwTD8vv9uGIAiAr6QnW6kPr9mDrnxhLnL18ukhSGnywSYYQcnat7lKV0A==
        """)
    /// O=Example, CN=Example Root, from 2020 to 2120.
    static let root = certificate(
        """
        MIIBQDCB56ADAgECAgEBMAoGCCqGSM49BAMCMCkxEDAOBgNVBAoMB0V4YW1wbGUxFTATBgNVBAMMDEV4YW1wbGUgUm9vdDAgFw0y\
        MDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKTEQMA4GA1UECgwHRXhhbXBsZTEVMBMGA1UEAwwMRXhhbXBsZSBSb290MFkw\
        EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE6nqb2qLAgcmmh0EdUBxKDKfEjWdizRoaRCG+ceFK+G2sPdmCz11KGxE8YR8Uv1+HqRTJ\
        BnbnKdN1DYu9e+OgzzAKBggqhkjOPQQDAgNIADBFAiEA81Drvh7oKctfDeJb+NST+Acw//DhX3TtUcSESvdZCfgCICPVG+yuaxJ0\
        z+tN+Ay6hAgY8U5CMIWqzLw3BckThuRE
        """)
    /// The private key of `leaf`, as `SecKeyCopyExternalRepresentation` gives it.
    static let leafKey = bytes(
        """
        BAk0MhmsVcJJMOGnWF/LyOIAIZznNVhDN8Nnvd3hA+iIwNEj2zia+ebuW1Swn2uHHC6E9AB/dgDu9bLphtzlaYkXBZTGO8IP/ne6\
        BtZxUWOw8TWVvrfXk73nS+uCW37OjA==
        """)

    private static func bytes(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text)!) }

    private static func certificate(_ text: String) -> Certificate { try! Certificate(bytes(text)) }
}

extension ScriptedKeychain {
    /// Stores a certificate as `SecItemAdd` does.
    func put(_ certificate: Certificate, group: String = ownGroup) throws {
        let facts = CertificateAttributes(certificate)
        var entries: [ItemAttributes.Entry] = [
            .init(.certificateType, .number(Int64(facts.certificateType))),
            .init(.certificateEncoding, .number(Int64(facts.certificateEncoding))),
            .init(.issuer, .data(facts.issuer)), .init(.subject, .data(facts.subject)),
            .init(.serialNumber, .data(facts.serialNumber)), .init(.publicKeyHash, .data(facts.publicKeyHash.bytes)),
        ]
        if let alias = facts.alias { entries.append(.init(.alias, .string(alias))) }
        if let label = facts.label { entries.append(.init(.label, .string(label))) }
        try put(.certificate, secret: certificate.encoded, group: group, entries)
    }

    /// Stores the private key of `SampleIdentity.leaf`.
    func putKey(label: String? = "Ann's key", group: String = ownGroup) throws {
        var entries: [ItemAttributes.Entry] = [
            .init(.keyClass, .number(1)), .init(.type, .number(73)), .init(.keySizeInBits, .number(256)),
            .init(.effectiveKeySize, .number(256)), .init(.isPermanent, .number(1)), .init(.isPrivate, .number(1)),
            .init(.isExtractable, .number(1)), .init(.canSign, .number(1)), .init(.canDerive, .number(1)),
            .init(.applicationLabel, .data(SampleIdentity.leaf.publicKeyInfo.hash.bytes)),
            .init(.applicationTag, .data(Array("org.example.ann".utf8))),
        ]
        if let label { entries.append(.init(.label, .string(label))) }
        try put(.key, secret: SampleIdentity.leafKey, group: group, entries)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Conditions on certificates, which hold before any limit (semantics 3).
struct CertificateMatchingTests {
    private static func certificate(_ text: String) -> SecCertificate {
        SecCertificateCreateWithData(nil, Data(base64Encoded: text)! as CFData)!
    }

    /// O=Example, CN=Example Root: from 2020 to 2120.
    private let root = certificate(
        """
        MIIBQDCB56ADAgECAgEBMAoGCCqGSM49BAMCMCkxEDAOBgNVBAoMB0V4YW1wbGUxFTATBgNVBAMMDEV4YW1wbGUgUm9vdDAgFw0y\
        MDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKTEQMA4GA1UECgwHRXhhbXBsZTEVMBMGA1UEAwwMRXhhbXBsZSBSb290MFkw\
        EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEChQzwZMZGTXufrGwY0g0a5ty7HwxsdRxNhmZGiQh7dbvsxp4IIhcRMH6oXtxNXKpVf1a\
        Q5K+Z0/ZX95eb+PozjAKBggqhkjOPQQDAgNIADBFAiBuL4uf4kkqpgszccv7Mi33BROYFo/96r7vaOF5phqAWAIhAMdTvN0bS8wA\
        va1opjw79wMTZGXu3x8JnowMAJQzyEC/
        """)
    /// O=Example, CN=Example Intermediate, issued by the root: from 2020 to 2120.
    private let intermediate = certificate(
        """
        MIIBSDCB76ADAgECAgECMAoGCCqGSM49BAMCMCkxEDAOBgNVBAoMB0V4YW1wbGUxFTATBgNVBAMMDEV4YW1wbGUgUm9vdDAgFw0y\
        MDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowMTEQMA4GA1UECgwHRXhhbXBsZTEdMBsGA1UEAwwURXhhbXBsZSBJbnRlcm1l\
        ZGlhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT0qyACQHqMJjZRLvRow3YQcfgut0jMMVWFjAACVJWsLxkYHqaPtn2TWCXk\
        dFdtJLnlpdxp89Is9eGDHAAAF7iqMAoGCCqGSM49BAMCA0gAMEUCICyq4xC5pnLHFIkq2T74OBJzYEJEYp3MpnPNJH8iYV6sAiEA\
        +WkItEhKF2x+0D2ZigLZG7qLtgxRo46m6WtP7gfGCQk=
        """)
    /// O=Example, CN=Bob Straße, Bob@Example.com, issued by the intermediate: the year 2020.
    private let leaf = certificate(
        """
        MIIBZjCCAQygAwIBAgIBAzAKBggqhkjOPQQDAjAxMRAwDgYDVQQKDAdFeGFtcGxlMR0wGwYDVQQDDBRFeGFtcGxlIEludGVybWVk\
        aWF0ZTAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMCgxEDAOBgNVBAoMB0V4YW1wbGUxFDASBgNVBAMMC0JvYiBTdHJh\
        w59lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEl/Wcy01SjklMN+J8Li3tlnnTa23vqQ522DEAw01aNONglifj3u0sguQtThir\
        M/EFmFeahs/Az9OUr76phBh8mqMeMBwwGgYDVR0RBBMwEYEPQm9iQEV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIQDV76m4\
        R2b2BEhHaQ2axDoq67ia5RU+Fw9C+oRq1LuZfAIgKZFnO+Vn/wU86qdrvA1iSX4L1FDltfY3hECEM7DXYgg=
        """)

    private func onKeychain(_ certificates: [SecCertificate]? = nil, _ body: () throws -> Void) throws {
        try onEmptyKeychain {
            for certificate in certificates ?? [root, intermediate, leaf] {
                add([kSecValueRef: certificate] as CFDictionary)
            }
            try body()
        }
    }

    /// The certificates that fulfil conditions; nil where none does.
    private func matches(_ conditions: [CFString: Any]) -> Set<SecCertificate>? {
        let query = conditions.merging([
            kSecClass: kSecClassCertificate, kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true,
        ]) { given, _ in given }
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        #expect(status == errSecSuccess || status == errSecItemNotFound)
        return status == errSecSuccess ? (result as? [SecCertificate]).map(Set.init) : nil
    }

    private func date(_ year: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(year - 2001) * 31_557_600) }

    @Test func `C079: an issuer finds those that it issued, and those below them`() throws {
        try onKeychain([intermediate, leaf]) {
            let rootName = try #require(SecCertificateCopyNormalizedSubjectSequence(root)) as Data
            let between = try #require(SecCertificateCopyNormalizedSubjectSequence(intermediate)) as Data
            #expect(matches([kSecMatchIssuers: [rootName]]) == [intermediate, leaf])
            #expect(matches([kSecMatchIssuers: [between]]) == [leaf])
            #expect(matches([kSecMatchIssuers: [Data([0x30, 0]), between]]) == [leaf])
            let leafName = try #require(SecCertificateCopyNormalizedSubjectSequence(leaf)) as Data
            #expect(matches([kSecMatchIssuers: [leafName]]) == nil)
            // Without an element that could be a name it says nothing.
            for nothing in [[], ["text"]] as [[Any]] {
                #expect(matches([kSecMatchIssuers: nothing]) == [intermediate, leaf])
            }
        }
        // Without the intermediate certificate the issuer is unknown.
        try onKeychain([leaf]) {
            let rootName = try #require(SecCertificateCopyNormalizedSubjectSequence(root)) as Data
            #expect(matches([kSecMatchIssuers: [rootName]]) == nil)
        }
    }

    @Test func `C081: a date finds the certificates that are valid on it`() throws {
        try onKeychain {
            #expect(matches([kSecMatchValidOnDate: date(2020) + 86_400 * 100]) == [root, intermediate, leaf])
            #expect(matches([kSecMatchValidOnDate: date(2030)]) == [root, intermediate])
            #expect(matches([kSecMatchValidOnDate: NSNull()]) == [root, intermediate])
            #expect(matches([kSecMatchValidOnDate: date(2019)]) == nil)
            #expect(matches([kSecMatchValidOnDate: date(2121)]) == nil)
        }
    }

    @Test func `C083: an e-mail address finds only certificates that have it`() throws {
        try onKeychain {
            #expect(matches([kSecMatchEmailAddressIfPresent: "bob@example.com"]) == [leaf])
            for other in ["x", "", "example.com"] {
                #expect(matches([kSecMatchEmailAddressIfPresent: other]) == nil)
            }
        }
    }

    @Test func `the common name is matched in part and in whole, as exactly as it is asked for`() throws {
        try onKeychain {
            #expect(matches([kSecMatchSubjectContains: "Example"]) == [root, intermediate])
            #expect(matches([kSecMatchSubjectContains: "example"]) == nil)
            let insensitive: [CFString: Any] = [kSecMatchSubjectContains: "example", kSecMatchCaseInsensitive: true]
            #expect(matches(insensitive) == [root, intermediate])
            #expect(matches([kSecMatchSubjectStartsWith: "Bob"]) == [leaf])
            #expect(matches([kSecMatchSubjectStartsWith: "Root"]) == nil)
            #expect(matches([kSecMatchSubjectEndsWith: "Root"]) == [root])
            #expect(matches([kSecMatchSubjectEndsWith: "Example"]) == nil)
            #expect(matches([kSecMatchSubjectWholeString: "Example Root"]) == [root])
            #expect(matches([kSecMatchSubjectWholeString: "Example"]) == nil)
            #expect(
                matches([kSecMatchSubjectWholeString: "EXAMPLE ROOT", kSecMatchCaseInsensitive: true]) == [root])
            #expect(matches([kSecMatchSubjectContains: "Example", kSecMatchSubjectEndsWith: "Root"]) == [root])
            #expect(
                matches([kSecMatchSubjectContains: "\u{FF22}ob", kSecMatchWidthInsensitive: true]) == [leaf])
        }
    }

    @Test func `conditions come before limits`() throws {
        try onKeychain {
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassCertificate, kSecMatchSubjectWholeString: "Bob Straße", kSecReturnRef: true,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            #expect(result as? SecCertificate == leaf)
            let two = query.merging([kSecMatchSubjectContains: "", kSecMatchLimit: 2]) { $1 }
                .filter { $0.key != kSecMatchSubjectWholeString }
            #expect(SecItemCopyMatching(two as CFDictionary, &result) == errSecSuccess)
            #expect((result as? [SecCertificate])?.count == 2)
            // Attributes that were not requested are not returned, although the match needed them.
            let labels = query.merging([kSecReturnRef: false, kSecReturnAttributes: true]) { $1 }
            #expect(SecItemCopyMatching(labels as CFDictionary, &result) == errSecSuccess)
            let attributes = try #require(result as? [String: Any])
            #expect(attributes[kSecAttrLabel as String] as? String == "Bob Straße")
            #expect(attributes[kSecValueData as String] == nil && attributes[kSecValueRef as String] == nil)
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
        }
    }

    @Test func `what nobody trusts is not found, and wrong values are refused`() throws {
        try onKeychain {
            func status(_ condition: [CFString: Any], _ itemClass: CFString = kSecClassCertificate) -> OSStatus {
                probe(condition.merging([kSecClass: itemClass]) { $1 } as CFDictionary)
            }
            // These certificates are not trusted. Without the installed trust program no certificate is found either.
            #expect([errSecItemNotFound, errSecNotAvailable].contains(status([kSecMatchTrustedOnly: true])))
            #expect(status([kSecMatchTrustedOnly: false]) == errSecSuccess)
            #expect(status([kSecMatchPolicy: "policy"]) == errSecParam)
            for wrong in [
                [kSecMatchIssuers: "name"], [kSecMatchIssuers: Data()], [kSecMatchValidOnDate: "today"],
                [kSecMatchEmailAddressIfPresent: 1], [kSecMatchSubjectContains: Data()],
                [kSecMatchSubjectWholeString: 1],
            ] as [[CFString: Any]] {
                #expect(status(wrong) == errSecParam)
            }
            // These keys do not apply to other items.
            for key in [kSecMatchIssuers, kSecMatchPolicy] {
                #expect(status([key: [Data]()], kSecClassKey) == errSecUnimplemented)
            }
            #expect(status([kSecMatchSubjectWholeString: "x"], kSecClassKey) == errSecParam)
        }
    }
}

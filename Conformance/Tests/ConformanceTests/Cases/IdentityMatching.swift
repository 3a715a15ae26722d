// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance.Identities {
    @Test("C078, C079 an issuer finds its certificates, and the certificates below them", arguments: [true, false])
    func c078(isIdentity: Bool) throws {
        for item in [Samples.intermediate, Samples.intermediateKey, leaf, key] as [AnyObject] {
            add([kSecValueRef: item] as CFDictionary)
        }
        let root = try #require(SecCertificateCopyNormalizedSubjectSequence(Samples.root)) as Data
        let between = try #require(SecCertificateCopyNormalizedSubjectSequence(Samples.intermediate)) as Data
        if isIdentity {
            // Without a key it is no identity.
            add([kSecValueRef: Samples.root] as CFDictionary)
            let both: Set = [identity(Samples.intermediate, Samples.intermediateKey), identity(leaf, key)]
            #expect(identities([kSecMatchIssuers: [root]]) == both)
            #expect(identities([kSecMatchIssuers: [between]]) == [identity(leaf, key)])
        } else {
            let found = all([kSecMatchIssuers: [root]], kSecClassCertificate) as? [SecCertificate]
            #expect(Set(found ?? []) == [Samples.intermediate, leaf])
        }
        #expect(probe(query([kSecMatchIssuers: [root]], kSecClassKey)) == errSecUnimplemented)
    }

    @Test("C081, C083 a date and an address are conditions on the certificate")
    func c081() throws {
        for half in [leaf, key] as [AnyObject] { add([kSecValueRef: half] as CFDictionary) }
        for itemClass in [kSecClassIdentity, kSecClassCertificate] {
            func probed(_ condition: CFString, _ value: Any) -> OSStatus {
                probe(query([condition: value], itemClass))
            }
            #expect(probed(kSecMatchValidOnDate, Date(timeIntervalSinceReferenceDate: 800_000_000)) == errSecSuccess)
            #expect(probed(kSecMatchValidOnDate, Date(timeIntervalSinceReferenceDate: 0)) == errSecItemNotFound)
            #expect(probed(kSecMatchEmailAddressIfPresent, "ANN@example.com") == errSecSuccess)
            #expect(probed(kSecMatchEmailAddressIfPresent, "x") == errSecItemNotFound)
        }
        add([kSecValueRef: Samples.root] as CFDictionary)
        for address in ["x", ""] {
            let none: [CFString: Any] = [kSecMatchEmailAddressIfPresent: address]
            #expect(probe(query(none, kSecClassCertificate)) == errSecItemNotFound)
        }
    }

    @Test func `identities are matched by what their certificates say, before any limit`() throws {
        let between = identity(Samples.intermediate, Samples.intermediateKey)
        let own = identity(leaf, key)
        for item in [between, own] { add([kSecValueRef: item] as CFDictionary) }
        add([kSecValueRef: Samples.root] as CFDictionary)
        let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
        for (condition, value, expected) in [
            (kSecMatchSubjectContains, "Example", [between, own]), (kSecMatchSubjectStartsWith, "Ann", [own]),
            (kSecMatchSubjectEndsWith, "Intermediate", [between]), (kSecMatchSubjectWholeString, "Ann", []),
            (kSecMatchEmailAddressIfPresent, "ANN@example.com", [own]),
            (kSecMatchValidOnDate, date, [between, own]),
            (kSecMatchValidOnDate, Date(timeIntervalSinceReferenceDate: 0), []),
        ] as [(CFString, Any, [SecIdentity])] {
            #expect(identities([condition: value]) == Set(expected))
            let first = [condition: value, kSecReturnRef: true]
            #expect(probe(query(first)) == (expected.isEmpty ? errSecItemNotFound : errSecSuccess))
            let two = query([condition: value, kSecReturnRef: true, kSecMatchLimit: 2])
            var result: CFTypeRef?
            SecItemCopyMatching(two, &result)
            #expect(Set(result as? [SecIdentity] ?? []) == Set(expected))
        }
        let labelled: [CFString: Any] = [kSecMatchSubjectContains: "Example", kSecAttrLabel: "Ann Example"]
        #expect(identities(labelled) == [own])
    }

    @Test func `identities without trust are not found`() throws {
        add([kSecValueRef: identity(leaf, key)] as CFDictionary)
        for itemClass in [kSecClassIdentity, kSecClassCertificate] {
            // These certificates are not trusted. Without the installed trust program no certificate is found
            // either.
            #expect(
                [errSecItemNotFound, errSecNotAvailable].contains(
                    probe(query([kSecMatchTrustedOnly: true], itemClass))))
            #expect(probe(query([kSecMatchPolicy: "policy"], itemClass)) == errSecParam)
            #expect(probe(query([kSecMatchTrustedOnly: false], itemClass)) == errSecSuccess)
        }
    }
}

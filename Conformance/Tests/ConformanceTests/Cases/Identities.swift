// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Identities` {
        private let leaf = Samples.leaf
        private let renewed = Samples.renewed
        private let key = Samples.leafKey

        private func query(_ more: [CFString: Any] = [:], _ itemClass: CFString = kSecClassIdentity) -> CFDictionary {
            more.merging([kSecClass: itemClass]) { given, _ in given } as CFDictionary
        }

        /// Stores both halves, which creates the identity, and finds it.
        private func addHalves(label: String? = nil) throws -> SecIdentity {
            for half in [leaf, key] as [Any] {
                var item: [CFString: Any] = [kSecValueRef: half]
                if let label { item[kSecAttrLabel] = label }
                #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            }
            return try found()
        }

        private func found(_ more: [CFString: Any] = [:]) throws -> SecIdentity {
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(query(more.merging([kSecReturnRef: true]) { $1 }), &result) == errSecSuccess)
            // A search of this class returns no other objects.
            return try #require(result) as! SecIdentity
        }

        private func reference(_ query: [CFString: Any]) -> Data? {
            var result: CFTypeRef?
            SecItemCopyMatching(query.merging([kSecReturnPersistentRef: true]) { $1 } as CFDictionary, &result)
            return result as? Data
        }

        private func certificate(of identity: SecIdentity) throws -> SecCertificate {
            var certificate: SecCertificate?
            #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
            return try #require(certificate)
        }

        @Test("C058 a certificate and a key that were added by themselves are an identity")
        func c058() throws {
            let identity = try addHalves()
            #expect(
                SecCertificateCopyData(try certificate(of: identity)) as Data == SecCertificateCopyData(leaf) as Data)
            var privateKey: SecKey?
            #expect(SecIdentityCopyPrivateKey(identity, &privateKey) == errSecSuccess)
            #expect(
                try SecKeyCopyExternalRepresentation(#require(privateKey), nil) as Data?
                    == SecKeyCopyExternalRepresentation(key, nil) as Data?)
            #if os(Linux)
                #expect(SecIdentityCreate(nil, leaf, key) == identity)
            #endif
        }

        @Test("C059 a half that is deleted ends the identity and leaves the other half")
        func c059() throws {
            _ = try addHalves()
            #expect(SecItemDelete([kSecValueRef: leaf] as CFDictionary) == errSecSuccess)
            #expect(probe([kSecValueRef: leaf] as CFDictionary) == errSecItemNotFound)
            #expect(probe(query()) == errSecItemNotFound)
            #expect(probe([kSecValueRef: key] as CFDictionary) == errSecSuccess)
            #expect(SecItemDelete([kSecValueRef: key] as CFDictionary) == errSecSuccess)
            #expect(probe([kSecValueRef: key] as CFDictionary) == errSecItemNotFound)
        }

        @Test("C060 to C064 an identity is added, named and deleted by its references")
        func c060() throws {
            let identity = try addHalves()
            #expect(SecItemDelete([kSecValueRef: identity] as CFDictionary) == errSecSuccess)
            let item = [kSecValueRef: identity, kSecReturnPersistentRef: true] as CFDictionary
            var result: CFTypeRef?
            #expect(SecItemAdd(item, &result) == errSecSuccess)
            let first = try #require(result as? Data)
            result = nil
            #expect(SecItemAdd(item, &result) == errSecDuplicateItem)
            #expect(result == nil)
            #expect(reference([kSecValueRef: identity])?.prefix(4) == first.prefix(4))
            #expect(SecItemDelete([kSecValueRef: identity] as CFDictionary) == errSecSuccess)
            #expect(probe([kSecValuePersistentRef: first] as CFDictionary) == errSecItemNotFound)
            #expect(SecItemAdd(item, &result) == errSecSuccess)
            let second = try #require(result as? Data)
            #expect(SecItemDelete([kSecValuePersistentRef: second] as CFDictionary) == errSecSuccess)
            #expect(probe(query()) == errSecItemNotFound)
        }

        @Test("C065 to C067 an identity has the label of its certificate")
        func c065() throws {
            _ = try addHalves(label: "L")
            for itemClass in [kSecClassIdentity, kSecClassCertificate, kSecClassKey] {
                #expect(probe(query([kSecAttrLabel: "L"], itemClass)) == errSecSuccess)
            }
            #expect(SecItemUpdate(query([:], kSecClassKey), [kSecAttrLabel: "K"] as CFDictionary) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "L"])) == errSecSuccess)
            #expect(
                SecItemUpdate(query([:], kSecClassCertificate), [kSecAttrLabel: "C"] as CFDictionary) == errSecSuccess)
            #expect(probe(query([kSecAttrLabel: "L"])) == errSecItemNotFound)
            #expect(probe(query([kSecAttrLabel: "C"])) == errSecSuccess)
        }

        @Test("C068 an identity is found by its issuer, as stored and as a whole name")
        func c068() throws {
            _ = try addHalves()
            let sequence = try #require(SecCertificateCopyNormalizedIssuerSequence(leaf)) as Data
            // The content follows the tag and a length of one byte.
            for issuer in [sequence, sequence.dropFirst(2)] {
                #expect(probe(query([kSecAttrIssuer: Data(issuer)])) == errSecSuccess)
            }
            #expect(probe(query([kSecAttrIssuer: Data([1])])) == errSecItemNotFound)
        }

        #if os(Linux)
            @Test("C069 a key that is not the certificate's makes no identity")
            func c069() {
                #expect(SecIdentityCreate(nil, leaf, Samples.intermediateKey) == nil)
            }
        #endif

        @Test("C070 an update by an identity's persistent reference is refused")
        func c070() throws {
            _ = try addHalves(label: "L")
            let name = try #require(reference([kSecClass: kSecClassIdentity]))
            let status = SecItemUpdate(
                [kSecValuePersistentRef: name] as CFDictionary, [kSecAttrLabel: "x"] as CFDictionary)
            #if os(Linux)
                #expect(status == errSecParam)
            #else
                #expect(status == -26276)
            #endif
            #expect(probe(query([kSecAttrLabel: "L"])) == errSecSuccess)
        }

        @Test("C071 a key stays as long as another certificate is of it")
        func c071() throws {
            let identity = try addHalves()
            #expect(SecItemAdd([kSecValueRef: renewed] as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemDelete([kSecValueRef: identity] as CFDictionary) == errSecSuccess)
            #expect(probe([kSecValueRef: key] as CFDictionary) == errSecSuccess)
            let left = try certificate(of: found())
            #expect(SecCertificateCopyData(left) as Data == SecCertificateCopyData(renewed) as Data)
            #expect(SecItemDelete(query()) == errSecSuccess)
            #expect(probe([kSecValueRef: key] as CFDictionary) == errSecItemNotFound)
        }

        @Test("C072 persistent references of an identity and of its certificate find what they name")
        func c072() throws {
            let identity = try addHalves()
            let (first, second) = (
                try #require(reference([kSecValueRef: identity])), try #require(reference([kSecValueRef: leaf]))
            )
            for (reference, type) in [(first, SecIdentityGetTypeID()), (second, SecCertificateGetTypeID())] {
                var result: CFTypeRef?
                let query = [kSecValuePersistentRef: reference, kSecReturnRef: true] as CFDictionary
                #expect(SecItemCopyMatching(query, &result) == errSecSuccess)
                let found = try #require(result)
                #expect(CFGetTypeID(found) == type)
            }
        }

        @Test("C078, C079 an issuer finds its certificates, and the certificates below them", arguments: [true, false])
        func c078(isIdentity: Bool) throws {
            _ = try addHalves()
            for object in [Samples.intermediate, Samples.intermediateKey] as [Any] {
                #expect(SecItemAdd([kSecValueRef: object] as CFDictionary, nil) == errSecSuccess)
            }
            let root = try #require(SecCertificateCopyNormalizedSubjectSequence(Samples.root)) as Data
            var result: CFTypeRef?
            let more: [CFString: Any] = [
                kSecMatchIssuers: [root], kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true,
            ]
            let itemClass = isIdentity ? kSecClassIdentity : kSecClassCertificate
            #expect(SecItemCopyMatching(query(more, itemClass), &result) == errSecSuccess)
            #expect((result as? [Any])?.count == 2)
        }

        @Test("C081, C083 a date and an address are conditions on the certificate")
        func c081() throws {
            _ = try addHalves()
            for itemClass in [kSecClassIdentity, kSecClassCertificate] {
                func probed(_ condition: CFString, _ value: Any) -> OSStatus {
                    probe(query([condition: value], itemClass))
                }
                #expect(
                    probed(kSecMatchValidOnDate, Date(timeIntervalSinceReferenceDate: 800_000_000)) == errSecSuccess)
                #expect(probed(kSecMatchValidOnDate, Date(timeIntervalSinceReferenceDate: 0)) == errSecItemNotFound)
                #expect(probed(kSecMatchEmailAddressIfPresent, "ANN@example.com") == errSecSuccess)
                #expect(probed(kSecMatchEmailAddressIfPresent, "x") == errSecItemNotFound)
            }
            #expect(SecItemAdd([kSecValueRef: Samples.root] as CFDictionary, nil) == errSecSuccess)
            for address in ["x", ""] {
                let none: [CFString: Any] = [kSecMatchEmailAddressIfPresent: address]
                #expect(probe(query(none, kSecClassCertificate)) == errSecItemNotFound)
            }
        }
    }
}

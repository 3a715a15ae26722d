// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Certificates` {
        private let certificate = Samples.leaf
        private var data: Data { SecCertificateCopyData(certificate) as Data }

        private func item(_ more: [CFString: Any] = [:]) -> CFDictionary {
            more.merging([kSecValueRef: certificate]) { given, _ in given } as CFDictionary
        }

        private func query(_ more: [CFString: Any] = [:]) -> CFDictionary {
            more.merging([kSecClass: kSecClassCertificate]) { given, _ in given } as CFDictionary
        }

        /// Adds the certificate, and returns the call's result.
        private func added(_ more: [CFString: Any]) -> CFTypeRef? {
            var result: CFTypeRef? = NSObject()
            #expect(SecItemAdd(item(more), &result) == errSecSuccess)
            return result
        }

        @Test("C002 to C005 a certificate is added once, deleted by the same dictionary, and added again")
        func c002() {
            #expect(added([:]) == nil)
            #expect(SecItemAdd(item(), nil) == errSecDuplicateItem)
            #expect(SecItemDelete(item()) == errSecSuccess)
            #expect(probe(item()) == errSecItemNotFound)
            add(item())
        }

        @Test("C006 a persistent reference gives the bytes")
        func c006() throws {
            let reference = try #require(added([kSecReturnPersistentRef: true]) as? Data)
            #expect(find([kSecValuePersistentRef: reference, kSecReturnData: true] as CFDictionary) as? Data == data)
        }

        @Test("C007 a reference is the certificate")
        func c007() throws {
            let result = try #require(added([kSecReturnRef: true]))
            #expect(CFGetTypeID(result) == SecCertificateGetTypeID())
            // The type was checked above.
            #expect(SecCertificateCopyData(result as! SecCertificate) as Data == data)
        }

        @Test("C008 data is the bytes")
        func c008() { #expect(added([kSecReturnData: true]) as? Data == data) }

        @Test("C009 attributes are attributes and nothing else")
        func c009() throws {
            let attributes = try #require(added([kSecReturnAttributes: true]) as? [CFString: Any])
            for key in [kSecValueData, kSecValueRef, kSecValuePersistentRef] { #expect(attributes[key] == nil) }
            #expect(attributes[kSecAttrCertificateType] is NSNumber || attributes[kSecAttrCertificateType] is Int)
            #expect(attributes[kSecAttrCertificateEncoding] as? Int == 3)
        }

        @Test("C010 all parts together are a dictionary with the class")
        func c010() throws {
            let parts: [CFString: Any] = [
                kSecReturnData: true, kSecReturnAttributes: true, kSecReturnRef: true, kSecReturnPersistentRef: true,
            ]
            let whole = try #require(added(parts) as? [CFString: Any])
            #expect(whole[kSecValueData] as? Data == data)
            #expect(whole[kSecValueRef] != nil && whole[kSecValuePersistentRef] is Data)
            #expect(whole[kSecClass] as? String == kSecClassCertificate as String)
            #expect(whole[kSecAttrCertificateType] as? Int == 3 && whole[kSecAttrCertificateEncoding] as? Int == 3)
        }

        @Test("C011 an attribute of keys is none of certificates; synchronizable is one of all")
        func c011() {
            let wrong = item([kSecAttrApplicationTag: Data([1])])
            #expect(SecItemAdd(wrong, nil) == errSecNoSuchAttr)
            #expect(SecItemDelete(wrong) == errSecNoSuchAttr)
            let right = item([kSecAttrSynchronizable: true])
            #expect(SecItemAdd(right, nil) == errSecSuccess)
            #expect(SecItemDelete(right) == errSecSuccess)
        }

        @Test("C086 a whole subject finds the one certificate that has it")
        func c086() {
            for certificate in [Samples.root, Samples.intermediate, Samples.leaf] {
                #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
            }
            func search(_ subject: String) -> CFDictionary {
                query([
                    kSecMatchSubjectWholeString: subject, kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true,
                ])
            }
            #expect((find(search("Ann Example")) as? [Any])?.count == 1)
            #expect(probe(search("Example")) == errSecItemNotFound)
        }

        @Test func `a certificate is stored by reference, with what its bytes say`() throws {
            let certificate = Samples.selfSigned
            add([kSecValueRef: certificate] as CFDictionary)
            #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecDuplicateItem)
            let facts = try #require(find(query([kSecReturnAttributes: true])) as? [String: Any])
            #expect(facts[kSecAttrLabel as String] as? String == "Ann Example")
            #expect(facts[kSecAttrSerialNumber as String] as? Data == Data([0x12, 0x34, 0x56, 0x78, 0x90]))
            #expect(facts[kSecAttrCertificateType as String] as? Int == 3)
            #expect(facts[kSecAttrCertificateEncoding as String] as? Int == 3)
            // Certificates are no secrets: they can be read while the keychain is locked.
            #expect(facts[kSecAttrAccessible as String] as? String == kSecAttrAccessibleAlways as String)
            let key = try #require(SecCertificateCopyKey(certificate))
            let hash = (SecKeyCopyAttributes(key) as? [String: Any])?[kSecAttrApplicationLabel as String] as? Data
            #expect(facts[kSecAttrPublicKeyHash as String] as? Data == hash)
            #expect(find(query([kSecReturnData: true])) as? Data == SecCertificateCopyData(certificate) as Data)
            #expect(find(query([kSecReturnRef: true])) as? SecCertificate == certificate)
        }

        @Test func `a certificate is found by its issuer, as stored and as a whole name`() throws {
            let certificate = Samples.selfSigned
            add([kSecValueRef: certificate, kSecAttrLabel: "mine"] as CFDictionary)
            let content = try #require(find(query([kSecReturnAttributes: true])) as? [String: Any])
            let sequence = try #require(SecCertificateCopyNormalizedIssuerSequence(certificate)) as Data
            let stored = try #require(content[kSecAttrIssuer as String] as? Data)
            #expect(sequence.suffix(stored.count) == stored && sequence.count > stored.count)
            for issuer in [stored, sequence] {
                #expect(probe(query([kSecAttrIssuer: issuer])) == errSecSuccess)
                #expect(probe(query([kSecAttrSubject: issuer])) == errSecSuccess)
            }
            #expect(probe(query([kSecAttrIssuer: Data([1])])) == errSecItemNotFound)
            #expect(probe(query([kSecAttrLabel: "mine"])) == errSecSuccess)
            #expect(SecItemDelete([kSecValueRef: certificate] as CFDictionary) == errSecSuccess)
            #expect(probe(query()) == errSecItemNotFound)
        }

        @Test("C027 an RSA key comes back as it was added")
        func c027() throws {
            let parameters: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048]
            let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
            #expect(SecItemAdd([kSecValueRef: key, kSecAttrLabel: "L"] as CFDictionary, nil) == errSecSuccess)
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrLabel: "L", kSecReturnRef: true]
            let found = try #require(find(query as CFDictionary))
            #expect(CFGetTypeID(found) == SecKeyGetTypeID())
            // The type was checked above.
            let bytes = SecKeyCopyExternalRepresentation(found as! SecKey, nil) as Data?
            #expect(bytes != nil && bytes == SecKeyCopyExternalRepresentation(key, nil) as Data?)
        }
    }
}

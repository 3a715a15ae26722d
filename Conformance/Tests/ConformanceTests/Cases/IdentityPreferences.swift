// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    /// The preferred identity for a name: `SecIdentitySetPreferred` and `SecIdentityCopyPreferred`.
    @Suite struct `Preferred identities` {
        private let ann = SecIdentityCreate(nil, Samples.leaf, Samples.leafKey)!
        private let other = SecIdentityCreate(nil, Samples.intermediate, Samples.intermediateKey)!

        /// Adds both identities.
        private func addBoth() { for identity in [ann, other] { add([kSecValueRef: identity] as CFDictionary) } }

        private func set(_ identity: SecIdentity?, _ name: String, _ uses: [CFString]? = nil) -> OSStatus {
            SecIdentitySetPreferred(identity, name as CFString, uses.map { $0 as CFArray })
        }

        private func preferred(_ name: String, _ uses: [CFString]? = nil, _ issuers: [Data]? = nil) -> SecIdentity? {
            SecIdentityCopyPreferred(name as CFString, uses.map { $0 as CFArray }, issuers.map { $0 as CFArray })
        }

        @Test func `a preference is kept until another is set or it is taken back`() throws {
            addBoth()
            #expect(preferred("mail.example.com") == nil)
            #expect(set(ann, "mail.example.com") == errSecSuccess)
            #expect(preferred("mail.example.com") == ann)
            #expect(set(other, "mail.example.com") == errSecSuccess)
            #expect(preferred("mail.example.com") == other)
            #expect(set(nil, "mail.example.com") == errSecSuccess)
            #expect(preferred("mail.example.com") == nil)
            #expect(set(nil, "mail.example.com") == errSecItemNotFound)
        }

        @Test func `a preference is a generic password that macOS would know as one`() throws {
            addBoth()
            #expect(set(ann, "ann@example.com", [kSecAttrCanSign, kSecAttrCanDecrypt]) == errSecSuccess)
            let facts = try #require(find(PasswordClass.generic.query([kSecReturnAttributes: true])) as? [String: Any])
            #expect(facts["svce"] as? String == "ann@example.com" && facts["labl"] as? String == "ann@example.com")
            #expect(facts["type"] as? Int == 0x6970_7266 && facts["crtr"] as? Int == 0x6161_706C)
            #expect(facts["scrp"] as? Int == 6)
            let reference = find([kSecValueRef: ann, kSecReturnPersistentRef: true] as CFDictionary) as? Data
            #expect(reference != nil && facts["gena"] as? Data == reference)
        }

        @Test func `a URL is matched by its parent paths, and by its host and domains`() throws {
            addBoth()
            let page = "https://ann@www.example.com:8443/a/b/page?q=1#x"
            for name in [
                "*.com", "*.example.com", "www.example.com", "https://ann@www.example.com:8443/",
                "https://ann@www.example.com:8443/a/", "https://ann@www.example.com:8443/a/b/", page,
            ] {
                // Each is closer than the one before.
                #expect(preferred(page) == nil)
                #expect(set(ann, name) == errSecSuccess)
                #expect(preferred(page) == ann, "\(name)")
                #expect(set(nil, name) == errSecSuccess)
            }
            #expect(set(ann, "*.example.com") == errSecSuccess)
            #expect(set(other, "https://www.example.com/a/") == errSecSuccess)
            #expect(preferred("https://www.example.com/a/x") == other)
            #expect(preferred("https://www.example.com/b") == ann)
            #expect(preferred("deep.www.example.com") == ann)
            #expect(preferred("example.com") == nil)
            #expect(preferred("ann@www.example.com") == nil)
        }

        @Test func `a preference for some uses comes before one for all`() throws {
            addBoth()
            #expect(set(ann, "a") == errSecSuccess)
            #expect(set(other, "a", [kSecAttrCanSign]) == errSecSuccess)
            #expect(preferred("a") == ann)
            #expect(preferred("a", []) == ann)
            #expect(preferred("a", [kSecAttrCanSign]) == other)
            #expect(preferred("a", [kSecAttrCanDecrypt]) == ann)
            #expect(set(nil, "a") == errSecSuccess)
            #expect(preferred("a", [kSecAttrCanSign]) == other)
        }

        @Test func `only an identity of valid issuers is given`() throws {
            addBoth()
            #expect(set(ann, "a") == errSecSuccess)
            let root = try #require(SecCertificateCopyNormalizedSubjectSequence(Samples.root)) as Data
            let own = try #require(SecCertificateCopyNormalizedSubjectSequence(Samples.leaf)) as Data
            #expect(preferred("a", nil, [root]) == ann)
            #expect(preferred("a", nil, [own]) == nil)
            #expect(preferred("a", nil, []) == ann)
        }

        @Test func `an identity outside the keychain cannot be preferred, and a deleted one is not returned`() throws {
            #expect(set(ann, "a") == errSecItemNotFound)
            add([kSecValueRef: ann] as CFDictionary)
            #expect(set(ann, "") == errSecParam)
            #expect(set(ann, "a", ["no use" as CFString]) == errSecParam)
            #expect(set(ann, "a") == errSecSuccess)
            #expect(SecItemDelete([kSecValueRef: ann] as CFDictionary) == errSecSuccess)
            #expect(preferred("a") == nil)
        }
    }
}

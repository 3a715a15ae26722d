// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    /// Conditions on certificates, which are evaluated before any limit (semantics 3).
    @Suite struct `Matching certificates` {
        private let root = Samples.root
        private let intermediate = Samples.intermediate
        private let leaf = Samples.bob

        private func addAll() {
            for certificate in [root, intermediate, leaf] { add([kSecValueRef: certificate] as CFDictionary) }
        }

        /// Returns the certificates that fulfil conditions; nil if there are none.
        private func matches(_ conditions: [CFString: Any]) -> Set<SecCertificate>? {
            let query = conditions.merging([
                kSecClass: kSecClassCertificate, kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true,
            ]) { given, _ in given }
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            #expect(status == errSecSuccess || status == errSecItemNotFound)
            return status == errSecSuccess ? (result as? [SecCertificate]).map(Set.init) : nil
        }

        private func date(_ year: Int) -> Date {
            Date(timeIntervalSinceReferenceDate: Double(year - 2001) * 31_557_600)
        }

        @Test func `C079 an issuer finds the certificates that it issued, and the certificates below them`() throws {
            let rootName = try #require(SecCertificateCopyNormalizedSubjectSequence(root)) as Data
            add([kSecValueRef: leaf] as CFDictionary)
            // Without the intermediate certificate the issuer is unknown.
            #expect(matches([kSecMatchIssuers: [rootName]]) == nil)
            add([kSecValueRef: intermediate] as CFDictionary)
            let between = try #require(SecCertificateCopyNormalizedSubjectSequence(intermediate)) as Data
            #expect(matches([kSecMatchIssuers: [rootName]]) == [intermediate, leaf])
            #expect(matches([kSecMatchIssuers: [between]]) == [leaf])
            #expect(matches([kSecMatchIssuers: [Data([0x30, 0]), between]]) == [leaf])
            let leafName = try #require(SecCertificateCopyNormalizedSubjectSequence(leaf)) as Data
            #expect(matches([kSecMatchIssuers: [leafName]]) == nil)
            // Without an element that could be a name, the condition has no effect.
            for nothing in [[], ["text"]] as [[Any]] {
                #expect(matches([kSecMatchIssuers: nothing]) == [intermediate, leaf])
            }
        }

        @Test func `C081 a date finds the certificates that are valid on it`() throws {
            addAll()
            #expect(matches([kSecMatchValidOnDate: date(2020) + 86_400 * 100]) == [root, intermediate, leaf])
            #expect(matches([kSecMatchValidOnDate: date(2030)]) == [root, intermediate])
            #expect(matches([kSecMatchValidOnDate: NSNull()]) == [root, intermediate])
            #expect(matches([kSecMatchValidOnDate: date(2019)]) == nil)
            #expect(matches([kSecMatchValidOnDate: date(2121)]) == nil)
        }

        @Test func `C083 an e-mail address finds only certificates that have it`() throws {
            addAll()
            #expect(matches([kSecMatchEmailAddressIfPresent: "bob@example.com"]) == [leaf])
            for other in ["x", "", "example.com"] {
                #expect(matches([kSecMatchEmailAddressIfPresent: other]) == nil)
            }
        }

        @Test func `the common name is matched in part and in whole, as exactly as it is asked for`() throws {
            addAll()
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

        @Test func `conditions come before limits`() throws {
            addAll()
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

        @Test func `certificates without trust are not found, and wrong values are refused`() throws {
            addAll()
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

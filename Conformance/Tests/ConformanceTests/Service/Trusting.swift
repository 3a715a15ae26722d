// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Searches by trust` {
        /// Returns the number of matches; nil if there are none.
        private func count(_ conditions: [CFString: Any]) -> Int? {
            var result: CFTypeRef?
            let query = conditions.merging([
                kSecClass: kSecClassCertificate, kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true,
            ]) { given, _ in given }
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            #expect(status == errSecSuccess)
            return (result as? [Any])?.count
        }

        private func date(_ year: Double) -> Date { Date(timeIntervalSinceReferenceDate: (year - 2001) * 31_557_600) }

        @Test("C080 a policy, an address in it and a date leave the certificates that fulfil them")
        func c080() throws {
            for certificate in Samples.ofPurposes {
                #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
            }
            func mail(_ properties: [CFString: Any]?) throws -> SecPolicy {
                try #require(SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, properties as CFDictionary?))
            }
            #expect(count([:]) == 6)
            #expect(count([kSecMatchPolicy: try mail(nil), kSecMatchValidOnDate: date(2030)]) == 2)
            let ann = try mail([kSecPolicyName: "ann@example.com"])
            #expect(count([kSecMatchPolicy: ann, kSecMatchValidOnDate: date(2030)]) == 1)
            #expect(count([kSecMatchPolicy: ann, kSecMatchValidOnDate: date(2010)]) == nil)
        }

        @Test("C082 untrusted certificates are found if trust is not required")
        func c082() {
            for certificate in Samples.ofPurposes {
                #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
            }
            #expect(count([kSecMatchTrustedOnly: true]) == nil)
            #expect(count([kSecMatchTrustedOnly: false]) == 6)
            #expect(count([:]) == 6)
        }
    }
}

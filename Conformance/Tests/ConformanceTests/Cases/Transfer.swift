// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Files of keys and certificates` {
        private let passphrase = [kSecImportExportPassphrase: "correct horse"]

        private func imported(_ file: String, _ options: [CFString: Any]) throws -> (OSStatus, [[String: Any]]?) {
            var items: CFArray?
            let data = try #require(Data(base64Encoded: file)) as CFData
            let status = SecPKCS12Import(data, options as CFDictionary, &items)
            return (status, items as? [[String: Any]])
        }

        @Test("C126 PKCS #12 without options needs its passphrase")
        func c126() throws {
            #expect(try imported(file, [:]).0 == errSecAuthFailed)
            #expect(try imported(file, [kSecImportExportPassphrase: "wrong horse"]).0 == errSecAuthFailed)
        }

        @Test("C127 PKCS #12 with the right passphrase is an identity, whose certificate and key can be had")
        func c127() throws {
            let (status, items) = try imported(file, passphrase)
            #expect(status == errSecSuccess)
            #expect(items?.count == 1)
            let identity = try #require(items?.first?[kSecImportItemIdentity as String] as? SecIdentity)
            var certificate: SecCertificate?
            var key: SecKey?
            #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
            #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
            let (leaf, secret) = (try #require(certificate), try #require(key))
            let message = Data("hello".utf8) as CFData
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let signature = try #require(SecKeyCreateSignature(secret, algorithm, message, nil))
            let publicKey = try #require(SecCertificateCopyKey(leaf))
            #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, nil))
        }

        @Test("C128 PKCS #12 with an undecodable certificate cannot be decoded")
        func c128() throws {
            #expect(try imported(fileWithoutCertificate, passphrase).0 == errSecDecode)
        }

        @Test("C129 PKCS #12 twice into the keychain is one identity")
        func c129() throws {
            for _ in 0..<2 {
                let options =
                    [
                        kSecImportExportPassphrase: "correct horse", kSecUseDataProtectionKeychain: true,
                    ] as [CFString: Any]
                #expect(try imported(file, options).0 == errSecSuccess)
                var found: CFTypeRef?
                let query: [CFString: Any] = [
                    kSecClass: kSecClassIdentity, kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true,
                ]
                #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
                #expect((found as? [SecIdentity])?.count == 1)
            }
        }

        /// A key on P-256 and a certificate, encrypted with "correct horse" by OpenSSL 3 with AES, authenticated with SHA-384.
        private let file = """
            MIIEHAIBAzCCA8IGCSqGSIb3DQEHAaCCA7MEggOvMIIDqzCCAmIGCSqGSIb3DQEHBqCCAlMwggJPAgEAMIICSAYJKoZIhvcNAQcBMFcGCSqG\
            SIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh5ElUmaKYSCAICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEO3jv5ZZ1Pbp+NYLLgCq\
            ivqAggHgQ80g4aeb9oQbw2nJ2Qo0/tVt/9GHvIv2o3FhvTfW4obE2kzbPCEazOmF2Ymq4QN+CQShiggjXTjcBQo36F3A1RfRodxQb4C4Ou6R\
            T16pBbSXf50mFkgKKirj3w4EgutXjwMhVl2j328UqXKhuf28gBrFmYqJFE6ddxHz9V0OgZE4KUO26w0KjsL2K91/aYqgpLSvGJDmI9EOkFqs\
            sjrWO9KEB0Cn6HW3ho50goPvo4OipIFGOIqoOicZkxqM7yUvJHko1iJiMuTwbEFm0dmUZvNLgfVW7+aGo4npftwpm5MMa7yBnaHqCqAmSH5+\
            QeR3XN52YgwEz30JCy4YgsK4nvL5c/5EesX8yFuZ1dQ4yc2i5W1UspdRXJ+SXvs9moeCmJ9nhieNIn9O6nzv1EfSwuH3k12G+MK9ghL2kHn5\
            fR5/5VIXOGK3BrGsvx55KA3J5vmF61jQAKdQEYr2no6PgQffG6XZO5c8ErTTZbjjVJUq0PJ/19zcgfMfjGuwwt/S7RUAU4iRuksXohezCn1e\
            2Z3oOUF1QdQSq+DsenVxE0B40/GIpv8ADh8W0X/RpbY7/Uw4tcFftEjcNgGRQBbJ/Lujd5p2amax6ZztSf5VUqpNRh+CjPA+fe//HLf38c9J\
            MIIBQQYJKoZIhvcNAQcBoIIBMgSCAS4wggEqMIIBJgYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwE\
            CN6rq9XUaH+XAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQExCdkDlIwywz4O++e6fJGgSBkGKOClGUETJqG7ogVIMSn66FWrjO\
            hZlkCLoq1Xiynx9BtKi3tK4RbPSIOcv8buv8u2bI0gES62AJnoHBI0n7x6LiF8lIs8TEbyI+1RP4J1m/hoJkDXwoUuIzPur1riIJ4PZfyi10\
            /6P6Csa/x1TgIQYg4bGaF7HtmYZYH1sa83eCdwtKh/iMv5zjm2qpwyvZFjElMCMGCSqGSIb3DQEJFTEWBBRN2yasBfoQyMfs3mY8iZ2YbI+m\
            STBRMEEwDQYJYIZIAWUDBAICBQAEMO+MeUo4R2SX0PBkL260zkipijbKhtEncilJ2tTM6luOr2vCHkT+6OiHhU7h2x967wQIQth0uhPUuokC\
            AggA
            """

        /// The same format with an invalid certificate.
        private let fileWithoutCertificate = """
            MIIBTQIBAzCCAQQGCSqGSIb3DQEHAaCB9gSB8zCB8DCB7QYJKoZIhvcNAQcBoIHfBIHcMIHZMIGuBgsqhkiG9w0BDAoBAaCBijCBhwIBADAT\
            BgcqhkjOPQIBBggqhkjOPQMBBwRtMGsCAQEEIEZHQXSfCV+OR/Lg+39Zo4LzajkWdR8f4F7ZYl5o1j2JoUQDQgAEM2L+xHNFfCjbZ2sGHakb\
            TP43qeBOCr6HNWNoZy9RaBa4IDB2TP4hMJp2oe/D4wXa13ddzexdX7FdC4jirVc3fDESMBAGCSqGSIb3DQEJFTEDBAExMCYGCyqGSIb3DQEM\
            CgEDoBcwFQYKKoZIhvcNAQkWAaAHBAUwAwIBATBAMDEwDQYJYIZIAWUDBAIBBQAEIKbX+4TsegRegHdgNFEPi/jnw+SQhFMsfDTrELaqtGPu\
            BAgAAQIDBAUGBwIBCA==
            """
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Measuring
import Security

/// Searches for an identity among certificates and keys, most of which are not part of an identity.
enum Identities {
    /// The kind of search.
    enum Search: String, CaseIterable {
        case label = "by label"
        case serialNumber = "by issuer and serial number"
        case publicKey = "by the hash of its key"
        /// The keychain chooses which identity it returns.
        case any = "without saying which"
    }

    /// Adds half as many certificates and half as many private keys. In each class, every second item has no partner.
    ///
    /// All have the bytes of one pair, so that references can be created from them, and separate hashes.
    static func fill(_ count: Int) throws {
        let (certificate, key) = try pair()
        for index in 0..<count / 2 {
            try add([
                kSecValueRef: certificate, kSecAttrLabel: "Identity \(index)", kSecAttrSerialNumber: bytes(index),
                kSecAttrPublicKeyHash: hash(index),
            ])
            // The keys of the second half match no certificate.
            try add([kSecValueRef: key, kSecAttrApplicationLabel: hash(index + count / 4)])
        }
    }

    /// Searches for an identity that ``fill(_:)`` added, and reads its certificate and its key.
    static func search(_ search: Search, among count: Int) throws -> MeasuredOperation {
        var generator = SystemRandomNumberGenerator()
        let (certificate, _) = try pair()
        guard let issuer = SecCertificateCopyNormalizedIssuerSequence(certificate) else {
            throw BenchmarkFailure("the certificate has no issuer")
        }
        return MeasuredOperation("identity \(search.rawValue), among \(count) certificates and keys") { _ in
            let index = Int.random(in: count / 4..<count / 2, using: &generator)
            var query: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecReturnRef: true]
            switch search {
            case .label: query[kSecAttrLabel] = "Identity \(index)"
            case .serialNumber:
                query[kSecAttrIssuer] = issuer
                query[kSecAttrSerialNumber] = bytes(index)
            case .publicKey: query[kSecAttrApplicationLabel] = hash(index)
            case .any: break
            }
            let dictionary = query as CFDictionary
            var result: CFTypeRef?
            let start = Timing.now()
            let status = SecItemCopyMatching(dictionary, &result)
            let time = Timing.now() - start
            guard status == errSecSuccess, result is SecIdentity else {
                throw BenchmarkFailure("identity \(index) \(search.rawValue): status \(status)")
            }
            return time
        }
    }

    private static func add(_ item: [CFString: Any]) throws {
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw BenchmarkFailure("adding a half of an identity: status \(status)") }
    }

    private static func bytes(_ number: Int) -> Data {
        withUnsafeBytes(of: UInt64(number).bigEndian) { Data($0) }
    }

    /// Replaces the hash of a public key: 20 bytes.
    private static func hash(_ number: Int) -> Data { Data(repeating: 0x53, count: 12) + bytes(number) }

    /// Returns O=Example, CN=Ann Example, on P-256, and its private key.
    static func pair() throws -> (SecCertificate, SecKey) {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        guard let certificate = Data(base64Encoded: certificateText), let key = Data(base64Encoded: keyText),
            let first = SecCertificateCreateWithData(nil, certificate as CFData),
            let second = SecKeyCreateWithData(key as CFData, parameters as CFDictionary, nil)
        else { throw BenchmarkFailure("the certificate cannot be read") }
        return (first, second)
    }

    private static let certificateText = """
        MIIBaDCCAQ6gAwIBAgIBAzAKBggqhkjOPQQDAjAxMRAwDgYDVQQKDAdFeGFtcGxlMR0wGwYDVQQDDBRFeGFtcGxlIEludGVybWVk\
        aWF0ZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKDEQMA4GA1UECgwHRXhhbXBsZTEUMBIGA1UEAwwLQW5uIEV4\
        YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQJNDIZrFXCSTDhp1hfy8jiACGc5zVYQzfDZ73d4QPoiMDRI9s4mvnm7ltU\
        sJ9rhxwuhPQAf3YA7vWy6Ybc5WmJox4wHDAaBgNVHREEEzARgQ9hbm5AZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDSAAwRQIhAM6W\
        7Sa0uWmldSlG0mYumMsPHRFgYZYzGkwTD8vv9uGIAiAr6QnW6kPr9mDrnxhLnL18ukhSGnywSYYQcnat7lKV0A==
        """
    private static let keyText = """
        BAk0MhmsVcJJMOGnWF/LyOIAIZznNVhDN8Nnvd3hA+iIwNEj2zia+ebuW1Swn2uHHC6E9AB/dgDu9bLphtzlaYkXBZTGO8IP/ne6\
        BtZxUWOw8TWVvrfXk73nS+uCW37OjA==
        """
}

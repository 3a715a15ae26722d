// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A certificate, a second one of the same key, and that key.
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
    /// The same, with another serial number.
    static let renewed = certificate(
        """
        MIIBZzCCAQ6gAwIBAgIBBDAKBggqhkjOPQQDAjAxMRAwDgYDVQQKDAdFeGFtcGxlMR0wGwYDVQQDDBRFeGFtcGxlIEludGVybWVk\
        aWF0ZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKDEQMA4GA1UECgwHRXhhbXBsZTEUMBIGA1UEAwwLQW5uIEV4\
        YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQJNDIZrFXCSTDhp1hfy8jiACGc5zVYQzfDZ73d4QPoiMDRI9s4mvnm7ltU\
        sJ9rhxwuhPQAf3YA7vWy6Ybc5WmJox4wHDAaBgNVHREEEzARgQ9hbm5AZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDRwAwRAIgdSWc\
        zYHfr25MoavvEAQ0sBoA463YZtbAPJJ/ZBoFcXwCIFKm2IVgmZdsORE6tnw60YMoMYNsih6wbSOpUVAfHdx5
        """)
    /// The private key of both.
    static let leafKey = privateKey(
        """
        BAk0MhmsVcJJMOGnWF/LyOIAIZznNVhDN8Nnvd3hA+iIwNEj2zia+ebuW1Swn2uHHC6E9AB/dgDu9bLphtzlaYkXBZTGO8IP/ne6\
        BtZxUWOw8TWVvrfXk73nS+uCW37OjA==
        """)

    private static func certificate(_ text: String) -> SecCertificate {
        SecCertificateCreateWithData(nil, Data(base64Encoded: text)! as CFData)!
    }

    private static func privateKey(_ text: String) -> SecKey {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ]
        return SecKeyCreateWithData(Data(base64Encoded: text)! as CFData, attributes as CFDictionary, nil)!
    }
}

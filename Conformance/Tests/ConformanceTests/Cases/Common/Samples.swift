// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Matching certificates and private keys.
enum Samples {
    /// O=Example, CN=Example Root, valid from 2020 to 2120. All certificates without another validity have this one.
    static let root = certificate(
        """
        MIIBQDCB56ADAgECAgEBMAoGCCqGSM49BAMCMCkxEDAOBgNVBAoMB0V4YW1wbGUxFTATBgNVBAMMDEV4YW1wbGUgUm9vdDAgFw0y\
        MDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKTEQMA4GA1UECgwHRXhhbXBsZTEVMBMGA1UEAwwMRXhhbXBsZSBSb290MFkw\
        EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE6nqb2qLAgcmmh0EdUBxKDKfEjWdizRoaRCG+ceFK+G2sPdmCz11KGxE8YR8Uv1+HqRTJ\
        BnbnKdN1DYu9e+OgzzAKBggqhkjOPQQDAgNIADBFAiEA81Drvh7oKctfDeJb+NST+Acw//DhX3TtUcSESvdZCfgCICPVG+yuaxJ0\
        z+tN+Ay6hAgY8U5CMIWqzLw3BckThuRE
        """)
    /// CN=Example Intermediate, issued by the root.
    static let intermediate = certificate(
        """
        MIIBSTCB76ADAgECAgECMAoGCCqGSM49BAMCMCkxEDAOBgNVBAoMB0V4YW1wbGUxFTATBgNVBAMMDEV4YW1wbGUgUm9vdDAgFw0y\
        MDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowMTEQMA4GA1UECgwHRXhhbXBsZTEdMBsGA1UEAwwURXhhbXBsZSBJbnRlcm1l\
        ZGlhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASXRjfcFY79iEUMA6iEOUVPYGTQAd74PhMoou9SroyYWI0mbBqT0ckk+4Xq\
        TcaiG408Qtm/pBIQhNANs8EcszZUMAoGCCqGSM49BAMCA0kAMEYCIQCXBz0S58xIx2XaUuJIciSfc+3ZuZoy2nQ1G3c69Y56ZgIh\
        AOctoMSmVDKNhNzDvDy6zcBi6Uau8nvbfQeMknzu+b+a
        """)
    /// CN=Ann Example, ann@example.com, issued by the intermediate.
    static let leaf = certificate(
        """
        MIIBaDCCAQ6gAwIBAgIBAzAKBggqhkjOPQQDAjAxMRAwDgYDVQQKDAdFeGFtcGxlMR0wGwYDVQQDDBRFeGFtcGxlIEludGVybWVk\
        aWF0ZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKDEQMA4GA1UECgwHRXhhbXBsZTEUMBIGA1UEAwwLQW5uIEV4\
        YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQJNDIZrFXCSTDhp1hfy8jiACGc5zVYQzfDZ73d4QPoiMDRI9s4mvnm7ltU\
        sJ9rhxwuhPQAf3YA7vWy6Ybc5WmJox4wHDAaBgNVHREEEzARgQ9hbm5AZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDSAAwRQIhAM6W\
        7Sa0uWmldSlG0mYumMsPHRFgYZYzGkwTD8vv9uGIAiAr6QnW6kPr9mDrnxhLnL18ukhSGnywSYYQcnat7lKV0A==
        """)
    /// The same name and key, with another serial number.
    static let renewed = certificate(
        """
        MIIBZzCCAQ6gAwIBAgIBBDAKBggqhkjOPQQDAjAxMRAwDgYDVQQKDAdFeGFtcGxlMR0wGwYDVQQDDBRFeGFtcGxlIEludGVybWVk\
        aWF0ZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowKDEQMA4GA1UECgwHRXhhbXBsZTEUMBIGA1UEAwwLQW5uIEV4\
        YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQJNDIZrFXCSTDhp1hfy8jiACGc5zVYQzfDZ73d4QPoiMDRI9s4mvnm7ltU\
        sJ9rhxwuhPQAf3YA7vWy6Ybc5WmJox4wHDAaBgNVHREEEzARgQ9hbm5AZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDRwAwRAIgdSWc\
        zYHfr25MoavvEAQ0sBoA463YZtbAPJJ/ZBoFcXwCIFKm2IVgmZdsORE6tnw60YMoMYNsih6wbSOpUVAfHdx5
        """)
    /// O=Example, CN=Bob Straße, Bob@Example.com, valid in 2020 only. The issuer has the name of the intermediate and another key.
    static let bob = certificate(
        """
        MIIBZjCCAQygAwIBAgIBAzAKBggqhkjOPQQDAjAxMRAwDgYDVQQKDAdFeGFtcGxlMR0wGwYDVQQDDBRFeGFtcGxlIEludGVybWVk\
        aWF0ZTAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMCgxEDAOBgNVBAoMB0V4YW1wbGUxFDASBgNVBAMMC0JvYiBTdHJh\
        w59lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEl/Wcy01SjklMN+J8Li3tlnnTa23vqQ522DEAw01aNONglifj3u0sguQtThir\
        M/EFmFeahs/Az9OUr76phBh8mqMeMBwwGgYDVR0RBBMwEYEPQm9iQEV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIQDV76m4\
        R2b2BEhHaQ2axDoq67ia5RU+Fw9C+oRq1LuZfAIgKZFnO+Vn/wU86qdrvA1iSX4L1FDltfY3hECEM7DXYgg=
        """)
    /// C=CH, O=Example House, CN=Ann Example, ann@example.com, self-signed, with the serial number 12 34 56 78 90.
    static let selfSigned = certificate(
        """
        MIIB2TCCAYCgAwIBAgIFEjRWeJAwCgYIKoZIzj0EAwIwOzELMAkGA1UEBhMCQ0gxFjAUBgNVBAoMDUV4YW1wbGUgSG91c2UxFDAS\
        BgNVBAMMC0FubiBFeGFtcGxlMCAXDTI2MTEyMTE2MTYwMloYDzIxMjYxMDI4MTYxNjAyWjA7MQswCQYDVQQGEwJDSDEWMBQGA1UE\
        CgwNRXhhbXBsZSBIb3VzZTEUMBIGA1UEAwwLQW5uIEV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQcI2mW9UiyyYMY\
        MGfjH9GGPvhcNvfhbLlFFMCnRstHipMcUF8Yp6CCejQ7AAXAZVuBOfRdqSmXJYUWrenOlws5o28wbTAdBgNVHQ4EFgQUZx/2ke9I\
        EfSH/6l7VNazkel9EDEwHwYDVR0jBBgwFoAUZx/2ke9IEfSH/6l7VNazkel9EDEwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzAR\
        gQ9hbm5AZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDRwAwRAIgEsplHdhwNC5/GO/5oMnxhW7PWRziohnHiPVuadvvcQACIH5rknnv\
        FGPhpYbMLc3jiagX8kvOvSZKkfYfrF+qjq7U
        """)
    /// The private key of the intermediate.
    static let intermediateKey = privateKey(
        """
        BJdGN9wVjv2IRQwDqIQ5RU9gZNAB3vg+Eyii71KujJhYjSZsGpPRyST7hepNxqIbjTxC2b+kEhCE0A2zwRyzNlRw9nZX1TV4h1BW\
        XrpNCApZW6FPxYFQ8WWSOmPqijwnAw==
        """)
    /// The private key of both certificates of Ann Example.
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

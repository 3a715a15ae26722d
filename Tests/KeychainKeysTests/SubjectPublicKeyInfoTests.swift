// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import FoundationEssentials
import KeychainKeys
import SwiftASN1
import Testing

struct SubjectPublicKeyInfoTests {
    @Test func `keys are read as swift-crypto writes them`() throws {
        let rsa = try _RSA.Signing.PrivateKey(derRepresentation: SampleKeys.rsa.externalRepresentation)
        #expect(try PublicKey(subjectPublicKeyInfo: rsa.publicKey.derRepresentation) == SampleKeys.rsa.publicKey)
        func point(_ key: PrivateKey) -> Data { key.publicKey.externalRepresentation }
        let p256 = try P256.Signing.PublicKey(x963Representation: point(SampleKeys.p256)).derRepresentation
        #expect(try PublicKey(subjectPublicKeyInfo: p256) == SampleKeys.p256.publicKey)
        let p384 = try P384.Signing.PublicKey(x963Representation: point(SampleKeys.p384)).derRepresentation
        #expect(try PublicKey(subjectPublicKeyInfo: p384) == SampleKeys.p384.publicKey)
        let p521 = try P521.Signing.PublicKey(x963Representation: point(SampleKeys.p521)).derRepresentation
        #expect(try PublicKey(subjectPublicKeyInfo: p521) == SampleKeys.p521.publicKey)
    }

    @Test func `the example of RFC 8410 is read`() throws {
        let info = bytes("302a300506032b657003210019bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")
        let key = try PublicKey(subjectPublicKeyInfo: info)
        #expect(key.type == .ed25519)
        #expect(Array(key.externalRepresentation) == Array(info.suffix(32)))
        var agreement = info
        agreement[8] = 0x6E
        #expect(try PublicKey(subjectPublicKeyInfo: agreement).type == .x25519)
    }

    @Test func `algorithms and curves that are not here are named as such`() throws {
        let secp256k1: ASN1ObjectIdentifier = [1, 3, 132, 0, 10]
        let point = SampleKeys.p256.publicKey.externalRepresentation
        #expect(try kind(ecPublicKey, parameters: secp256k1, point) == .unsupportedAlgorithm)
        #expect(try kind(ecPublicKey, parameters: nil, point) == .unsupportedAlgorithm)
        #expect(try kind([1, 2, 840, 10040, 4, 1], parameters: nil, Data([2, 1, 1])) == .unsupportedAlgorithm)
        #expect(try kind([1, 3, 101, 113], parameters: nil, Data(count: 57)) == .unsupportedAlgorithm)
    }

    @Test func `parameters that do not fit are refused`() throws {
        let p256: ASN1ObjectIdentifier = [1, 2, 840, 10045, 3, 1, 7]
        let p384: ASN1ObjectIdentifier = [1, 3, 132, 0, 34]
        let point = SampleKeys.p256.publicKey.externalRepresentation
        #expect(try kind(ecPublicKey, parameters: p256, point) == nil)
        #expect(try kind(ecPublicKey, parameters: p384, point) == .invalid)
        #expect(try kind([1, 3, 101, 112], parameters: p256, Data(count: 32)) == .invalid)
        let rsa = SampleKeys.rsa.publicKey.externalRepresentation
        #expect(try kind([1, 2, 840, 113549, 1, 1, 1], parameters: p256, rsa) == .invalid)
    }

    @Test func `no beginning and no longer form is read`() throws {
        let point = SampleKeys.p256.publicKey.externalRepresentation
        let info = try P256.Signing.PublicKey(x963Representation: point).derRepresentation
        for count in 0..<info.count {
            #expect(
                KeyError.Kind { () throws(KeyError) in try PublicKey(subjectPublicKeyInfo: info.prefix(count)) }
                    == .invalid)
        }
        #expect(KeyError.Kind { () throws(KeyError) in try PublicKey(subjectPublicKeyInfo: info + [0]) } == .invalid)
    }

    @Test func `a key of some bits is refused`() throws {
        var info = bytes("302a300506032b657003210019bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e0")
        info[11] = 1
        #expect(KeyError.Kind { () throws(KeyError) in try PublicKey(subjectPublicKeyInfo: info) } == .invalid)
    }

    private let ecPublicKey: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]

    private func kind(
        _ algorithm: ASN1ObjectIdentifier, parameters: ASN1ObjectIdentifier?, _ bits: Data
    ) throws -> KeyError.Kind? {
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { info in
            try info.appendConstructedNode(identifier: .sequence) { identifier in
                try algorithm.serialize(into: &identifier)
                try parameters?.serialize(into: &identifier)
            }
            try ASN1BitString(bytes: ArraySlice(bits)).serialize(into: &info)
        }
        let der = serializer.serializedBytes
        return KeyError.Kind { () throws(KeyError) in try PublicKey(subjectPublicKeyInfo: der) }
    }
}

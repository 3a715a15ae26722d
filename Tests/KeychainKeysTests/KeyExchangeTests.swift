// SPDX-License-Identifier: Apache-2.0

import Crypto
import FoundationEssentials
import KeychainKeys
import Testing

struct KeyExchangeTests {
    private static let agreeing = SampleKeys.all.filter { $0.canAgree(using: .keyExchange(.standard, nil)) }

    @Test func `the example of RFC 5903 agrees as it says`() throws {
        let mine = try PrivateKey(
            type: .ellipticCurve,
            externalRepresentation: bytes(
                """
                04 DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C3772581180
                5271A0461CDB8252D61F1C456FA3E59AB1F45B33ACCF5F58389E0577B8990BB3
                C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433
                """))
        let peer = try PublicKey(
            type: .ellipticCurve,
            externalRepresentation: bytes(
                """
                04 D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF63
                56FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB
                """))
        #expect(
            Array(try mine.agree(with: peer, using: .keyExchange(.standard, nil), .init()))
                == bytes("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE"))
    }

    @Test func `a derivation is X9.63's`() throws {
        let secret = try SampleKeys.p256.agree(with: peer, using: .keyExchange(.standard, nil), .init())
        let info = Data("shared info".utf8)
        func block(_ counter: UInt8) -> Data { Data(Array(SHA384.hash(data: secret + [0, 0, 0, counter] + info))) }
        for size in [1, 47, 48, 49, 96, 100] {
            let expected = (block(1) + block(2) + block(3)).prefix(size)
            for mode in KeyAlgorithm.CofactorMode.allCases {
                let derived = try SampleKeys.p256.agree(
                    with: peer, using: .keyExchange(mode, .sha384), .init(requestedSize: size, sharedInfo: info))
                #expect(derived == expected)
            }
        }
    }

    @Test(arguments: [nil, Int.min, -1, 0, 1_048_577, Int.max])
    func `a derivation needs a size that can be`(size: Int?) {
        #expect(
            KeyError.Kind { () throws(KeyError) in
                try SampleKeys.p256.agree(
                    with: peer, using: .keyExchange(.standard, .sha256), .init(requestedSize: size))
            } == .invalid)
    }

    @Test func `both have keys of one family and curve`() throws {
        for mine in Self.agreeing {
            for other in SampleKeys.all
            where other.type != mine.type || other.publicKey.sizeInBits != mine.publicKey.sizeInBits {
                #expect(
                    KeyError.Kind { () throws(KeyError) in
                        try mine.agree(with: other.publicKey, using: .keyExchange(.standard, nil), .init())
                    } == .invalid)
            }
        }
    }

    @Test func `points of small order give no secret`() throws {
        let smallOrder = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ]
        for text in smallOrder {
            let peer = try PublicKey(type: .x25519, externalRepresentation: bytes(text))
            #expect(
                KeyError.Kind { () throws(KeyError) in
                    try SampleKeys.x25519.agree(with: peer, using: .keyExchange(.standard, nil), .init())
                } == .invalid)
        }
    }

    private let peer = SampleKeys.make(.ellipticCurve, 256).publicKey
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TPM

/// Known answers: from NIST SP 800-38A for the cipher, from a second implementation (Python's hmac and hashlib) for the
/// derivations.
struct CryptographyTests {
    private let key = (0..<32).map { UInt8($0) }
    private let u = [UInt8](repeating: 1, count: 16)
    private let v = [UInt8](repeating: 2, count: 16)

    @Test func `KDFa gives the bytes of another implementation`() {
        #expect(
            hex(TPMCryptography.kdfa(key, "CFB", contextU: u, contextV: v, bits: 256))
                == "456d8137fd4ccfc59a6d883c1e79f676530aa3debe1139c3cfb5cd85b7c47491")
        #expect(
            hex(TPMCryptography.kdfa(key, "ATH", contextU: u, contextV: v, bits: 512))
                == "02c5cc99cc8db554fcb0b56745a8319f26d33786aa14feed58cdbcd5f1db3771"
                + "3186b882009e0e70dbcfe791dfadcbb196312bc9b7ca065464d168d42a5677be")
    }

    @Test func `KDFe gives the bytes of another implementation`() {
        let (x, y) = ([UInt8](repeating: 3, count: 32), [UInt8](repeating: 4, count: 32))
        #expect(
            hex(TPMCryptography.kdfe(key, "SECRET", partyU: x, partyV: y, bits: 256))
                == "9b51d7fb4295c933799350448a1bb4d54ae5f1ced6c4c4818341c0856f4c177f")
    }

    /// SP 800-38A, F.3.13 and F.3.14.
    @Test func `CFB gives the bytes of the standard, in both directions and for parts of a block`() throws {
        let keyAndVector = bytes("2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f")
        let plain = bytes("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        let secret = bytes("3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b")
        for count in [0, 1, 15, 16, 17, 31, 32] {
            let (plain, secret) = (Array(plain.prefix(count)), Array(secret.prefix(count)))
            #expect(try TPMCryptography.cfb(plain, encrypting: true, keyAndVector) == secret)
            #expect(try TPMCryptography.cfb(secret, encrypting: false, keyAndVector) == plain)
        }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).map { offset in
            let start = hex.index(hex.startIndex, offsetBy: offset)
            return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)!
        }
    }
}

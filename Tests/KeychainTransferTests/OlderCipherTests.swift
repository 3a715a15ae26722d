// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainTransfer
import Synchronization
import Testing

/// Files with Triple DES and RC2, whose decryption is another library's.
struct OlderCipherTests {
    private let vector = TransferVector.about("PKCS #12 as OpenSSL wrote it before, with RC2")

    private func reader(_ decrypt: @escaping OlderCiphers.Decrypt) -> TransferReader {
        TransferReader(passphrase: vector.passphrase.map { Passphrase($0) }, ciphers: OlderCiphers(decrypt))
    }

    @Test func `the library gets the algorithm, the passphrase and the ciphertext of the file`() {
        let calls = Mutex<[[[UInt8]]]>([])
        let error = #expect(throws: TransferError.self) {
            try reader { algorithm, passphrase, ciphertext throws(TransferError) in
                calls.withLock { $0.append([algorithm, passphrase, ciphertext]) }
                return nil
            }.contents(of: vector.bytes)
        }
        #expect(error?.kind == .wrongPassphrase)
        let call = calls.withLock { $0.first ?? [] }
        // SEQUENCE, then pbeWithSHAAnd40BitRC2-CBC.
        #expect(
            call.first?.contains([0x06, 0x0A, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x01, 0x06][...]) == true)
        #expect(call.first?.first == 0x30)
        #expect(call.dropFirst().first == Array((vector.passphrase ?? "").utf8))
        #expect(call.last.map { !$0.isEmpty && $0.count.isMultiple(of: 8) } == true)
    }

    @Test func `what the library returns is read as the contents`() throws {
        // A wrong key can give a value of another type.
        #expect(throws: TransferError.self) {
            try reader { _, _, _ throws(TransferError) in [0x04, 0x00] }.contents(of: vector.bytes)
        }
        let keyOnly = TransferVector.about(
            "PKCS #12 with Triple DES for a key that is not RSA's, and AES for the certificate")
        let key = try TransferVector.privateKey("PKCS #8 of P-256")
        let contents = try TransferReader(
            passphrase: keyOnly.passphrase.map { Passphrase($0) },
            ciphers: OlderCiphers { _, _, _ throws(TransferError) in key.pkcs8 }
        ).contents(of: keyOnly.bytes)
        #expect(contents.pkcs12?.keys.map(\.content) == [key])
    }

    @Test func `a failure of the library is the failure of reading`() {
        let error = #expect(throws: TransferError.self) {
            try reader { _, _, _ throws(TransferError) in
                throw TransferError(.unsupported, "chatelaine-crypto ended without an answer")
            }.contents(of: vector.bytes)
        }
        #expect(error?.reason == "chatelaine-crypto ended without an answer")
    }

    @Test func `a file that requires more work than the limit does not reach the library`() {
        var reader = reader { _, _, _ throws(TransferError) in
            Issue.record("the library was called")
            return nil
        }
        // The authentication of this file costs 4,096; its first part costs six times 2,048.
        reader.limits.maximumRepetitions = 5_000
        let error = #expect(throws: TransferError.self) { try reader.contents(of: vector.bytes) }
        #expect(error?.kind == .tooExpensive)
    }

    @Test func `a file with AES does not need the library`() throws {
        let modern = TransferVector.about("PKCS #12 as OpenSSL 3 writes it")
        let reader = reader { _, _, _ throws(TransferError) in
            Issue.record("the library was called")
            return nil
        }
        #expect(try reader.contents(of: modern.bytes).items.count > 0)
    }
}

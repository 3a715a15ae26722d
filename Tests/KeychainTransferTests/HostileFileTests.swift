// SPDX-License-Identifier: Apache-2.0

import KeychainTransfer
import Testing

@Suite struct HostileFileTests {
    /// Reading ends in an error or in contents, and takes little time.
    private func read(_ bytes: some Collection<UInt8>, _ vector: TransferVector) {
        var reader = vector.reader
        reader.limits.maximumRepetitions = 1000
        reader.limits.maximumMemory = 1 << 20
        // Any error is acceptable; the vectors specify which one.
        _ = try? reader.contents(of: bytes)
    }

    /// One of each form, those without thousands of repetitions whole.
    private static let vectors = TransferVector.read.filter { $0.file.count < 4000 }

    @Test(arguments: vectors)
    func `no beginning of a file is a file`(_ vector: TransferVector) {
        let bytes = vector.bytes
        // Of long files, which are long for their certificates, every seventh.
        for count in stride(from: 0, to: bytes.count, by: bytes.count < 400 ? 1 : 7) {
            let part = bytes.prefix(count)
            // A text without its last line end, or with fewer lines, may well be one.
            if part.first == 0x30 {
                #expect(throws: TransferError.self) { try vector.reader.contents(of: part) }
            } else {
                read(part, vector)
            }
        }
    }

    @Test(arguments: vectors)
    func `whatever is changed in a file, reading it ends`(_ vector: TransferVector) {
        var generator = SteadyGenerator(seed: 7)
        let bytes = vector.bytes
        for _ in 0..<60 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                changed[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            read(changed, vector)
        }
    }

    @Test(arguments: vectors)
    func `whatever lengths say, reading ends`(_ vector: TransferVector) {
        let bytes = vector.bytes
        for place in stride(from: 1, to: min(bytes.count, 300), by: 5) {
            for length: [UInt8] in [[0x80], [0x84, 0x7F, 0xFF, 0xFF, 0xFF], [0x88] + Array(repeating: 0xFF, count: 8)] {
                read(bytes[..<place] + length + bytes[(place + 1)...], vector)
            }
        }
    }

    @Test func `values in each other a thousand deep are refused`() {
        var bytes: [UInt8] = [0x05, 0x00]
        for _ in 0..<1000 { bytes = [0x30, 0x80] + bytes + [0x00, 0x00] }
        let error = #expect(throws: TransferError.self) { try TransferReader().contents(of: bytes) }
        #expect(error?.kind == .unknownFormat)
    }

    @Test func `a string in pieces of pieces is put together or refused`() {
        var string: [UInt8] = [0x04, 0x01, 0x00]
        for _ in 0..<40 { string = [0x24, 0x80] + string + [0x00, 0x00] }
        let data: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
        let file: [UInt8] = [0x30, 0x80, 0x02, 0x01, 0x03, 0x30, 0x80] + data + [0xA0, 0x80] + string
        let error = #expect(throws: TransferError.self) {
            try TransferReader(passphrase: Passphrase("")).contents(of: file + Array(repeating: 0, count: 6))
        }
        #expect(error?.kind == .malformed)
    }

    /// EncryptedPrivateKeyInfo with PBKDF2 and AES of 128 bits.
    private func encryptedKey(salt: [UInt8], vector: [UInt8], ciphertext: [UInt8]) -> [UInt8] {
        func value(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
            let content = parts.flatMap { $0 }
            return [tag, UInt8(content.count)] + content
        }
        let pbkdf2 = value(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C])
        let pbes2 = value(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D])
        let aes = value(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x02])
        let derivation = value(0x30, pbkdf2, value(0x30, value(0x04, salt), [0x02, 0x01, 0x01]))
        let encryption = value(0x30, aes, value(0x04, vector))
        return value(0x30, value(0x30, pbes2, value(0x30, derivation, encryption)), value(0x04, ciphertext))
    }

    @Test func `nothing where bytes should be is an error like another`() {
        let block: [UInt8] = Array(repeating: 7, count: 16)
        let cases: [([UInt8], TransferError.Kind)] = [
            (encryptedKey(salt: [], vector: block, ciphertext: block), .wrongPassphrase),
            (encryptedKey(salt: [1], vector: block, ciphertext: block), .wrongPassphrase),
            (encryptedKey(salt: [1], vector: block, ciphertext: []), .malformed),
            (encryptedKey(salt: [1], vector: [], ciphertext: block), .malformed),
            (encryptedKey(salt: [1], vector: block, ciphertext: [1]), .malformed),
        ]
        for (bytes, kind) in cases {
            for passphrase in ["", "p"] {
                let reader = TransferReader(passphrase: Passphrase(passphrase))
                let error = #expect(throws: TransferError.self) { try reader.contents(of: bytes) }
                #expect(error?.kind == kind)
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import KeychainLogin
import SecretMemory
import Testing

/// What the PAM module passes on.
struct LoginPasswordsTests {
    private func input(old: [UInt8] = [], _ current: [UInt8]) -> [UInt8] {
        let sizes = [old.count, current.count].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        return sizes + old + current
    }

    private func bytes(_ secret: SecretBytes) -> [UInt8] { Array(secret.bytes) }

    @Test func `a login has one password, and a change has the old one first`() throws {
        let login = try LoginPasswords([0, 0, 2, 0, 0x61, 0x62])
        #expect(login.old == nil)
        #expect(bytes(login.current) == [0x61, 0x62])
        let change = try LoginPasswords([1, 0, 2, 0, 0x6F, 0x61, 0x62])
        #expect(change.old.map(bytes) == [0x6F])
        #expect(bytes(change.current) == [0x61, 0x62])
    }

    @Test func `the longest passwords are read`() throws {
        let (old, current) = ([UInt8](repeating: 1, count: 1024), [UInt8](repeating: 2, count: 1024))
        let input = input(old: old, current)
        #expect(input.count == LoginPasswords.inputBytes)
        let passwords = try LoginPasswords(input)
        #expect(passwords.old.map(bytes) == old)
        #expect(bytes(passwords.current) == current)
    }

    @Test func `each input that is cut, and each with a byte more, is rejected`() {
        let whole = input(old: Array("old".utf8), Array("new".utf8))
        for count in 0..<whole.count {
            #expect(throws: LoginPasswords.Malformed.self, "\(count)") { try LoginPasswords(Array(whole[..<count])) }
        }
        #expect(throws: LoginPasswords.Malformed.self) { try LoginPasswords(whole + [0]) }
    }

    @Test(arguments: [(0, 0), (3, 0), (0, 1025), (1025, 3), (65535, 65535)])
    func `an empty password and sizes beyond the limit are rejected from the first bytes on`(old: Int, current: Int) {
        let input = input(old: .init(repeating: 1, count: old), .init(repeating: 1, count: current))
        #expect(throws: LoginPasswords.Malformed.self) { try LoginPasswords.size(of: Array(input.prefix(4))) }
        #expect(throws: LoginPasswords.Malformed.self) { try LoginPasswords(input) }
    }

    @Test func `the size is known from the first four bytes on`() throws {
        #expect(try LoginPasswords.size(of: []) == 4)
        #expect(try LoginPasswords.size(of: [1, 0, 2]) == 4)
        #expect(try LoginPasswords.size(of: [1, 0, 2, 1]) == 4 + 1 + 258)
    }
}

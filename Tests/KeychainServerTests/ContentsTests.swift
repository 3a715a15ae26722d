// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainTesting
import KeychainWire
import SecretMemory
import Testing

@Suite struct `The state of the contents` {
    @Test func `is told to the administration tool alone`() throws {
        let keychain = try InMemoryKeychain()
        #expect(try keychain.administrationClient().status().contents == .unknown)
        #expect(try keychain.client.status().contents == nil)
    }

    @Test func `is accepted by the administration tool alone, with a line in the audit log`() throws {
        let keychain = try InMemoryKeychain()
        #expect(throws: ClientError.refused(Refusal(.missingEntitlement, .administrationOnly))) {
            try keychain.client.acceptContents(proof: nil)
        }
        #expect(try keychain.administrationClient().status().contents == .unknown)
        try keychain.administrationClient().acceptContents(proof: nil)
        #expect(try keychain.administrationClient().status().contents == .asLeft)
        let lines = keychain.auditLog.filter { $0.contains("\"accept-contents\"") }
        #expect(lines.count == 2 && lines[0].contains("refused") && lines[1].contains("granted"))
    }

    @Test func `is accepted with the owner's proof alone where a passcode is set`() throws {
        let keychain = try InMemoryKeychain()
        let command = keychain.administrationClient()
        try command.setPasscode(SecretBytes(copying: Array("1234".utf8)), proof: nil)
        func accept(_ proof: ProtectorSecret<SecretBytes>?) throws -> Refusal.Reason? {
            do throws(ClientError) {
                try command.acceptContents(proof: proof)
                return nil
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                return refusal.reason
            }
        }
        #expect(try accept(nil) == .proofRequired)
        #expect(try accept(ProtectorSecret(.passcode, SecretBytes(copying: Array("4321".utf8)))) == .wrongSecret)
        #expect(try command.status().contents == .unknown)
        #expect(try accept(ProtectorSecret(.passcode, SecretBytes(copying: Array("1234".utf8)))) == nil)
        #expect(try command.status().contents == .asLeft)
    }
}

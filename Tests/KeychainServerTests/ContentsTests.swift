// SPDX-License-Identifier: Apache-2.0

import KeychainClient
import KeychainModel
import KeychainTesting
import KeychainWire
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
            try keychain.client.acceptContents()
        }
        #expect(try keychain.administrationClient().status().contents == .unknown)
        try keychain.administrationClient().acceptContents()
        #expect(try keychain.administrationClient().status().contents == .asLeft)
        let lines = keychain.auditLog.filter { $0.contains("\"accept-contents\"") }
        #expect(lines.count == 2 && lines[0].contains("refused") && lines[1].contains("granted"))
    }
}

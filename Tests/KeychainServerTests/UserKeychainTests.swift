// SPDX-License-Identifier: Apache-2.0

import Keychain
import Testing

/// The typed API over a socket: client and service in one process.
struct UserKeychainTests {
    private let running: RunningService
    private let keychain: UserKeychain

    init() throws {
        running = try RunningService()
        keychain = UserKeychain(running.client())
    }

    @Test func `passwords of both classes are stored, found, changed and deleted`() async throws {
        defer { running.stop() }
        let mail = GenericPassword(service: "com.example.mail", account: "Ann")
        let site = InternetPassword(
            server: "mail.example.com", account: "Ann", protocol: .https, port: 8443, path: "/in",
            securityDomain: "d", authenticationType: .htmlForm)
        let reference = try await keychain.store(mail, secret: SecretData(utf8: "1"))
        try await keychain.store(site, secret: SecretData(utf8: "2"))
        let generic = GenericPassword.Query(account: "ann", matching: .caseInsensitive)
        let internet = InternetPassword.Query(
            hostOrSubdomainOf: "example.com", account: "ANN", matching: .caseInsensitive)
        #expect(try await keychain.secret(for: generic)?.utf8String == "1")
        #expect(try await keychain.reveal(internet)?.secret?.utf8String == "2")
        #expect(try await keychain.find(internet)?.port == 8443)
        try await keychain.update(site, .init(path: "/out"), secret: SecretData(utf8: "3"))
        #expect(try await keychain.revealAll(internet).map(\.path) == ["/out"])
        #expect(try await keychain.delete(reference))
        #expect(try await !keychain.contains(mail))
        #expect(try await keychain.deleteAll(internet))
    }

    @Test func `a query is observed until the service is gone`() async throws {
        let query = InternetPassword.Query(server: "example.com")
        var observed = keychain.observe(query).makeAsyncIterator()
        var changes = keychain.changes(of: InternetPassword.self).makeAsyncIterator()
        #expect(try await observed.next() == [])
        let keychain = keychain
        let probe = Task {
            // The stream of changes begins with the call of next below: until it has seen one of these.
            var number = 0
            while !Task.isCancelled {
                number += 1
                try await keychain.add(InternetPassword(server: "probe", account: "\(number)"), secret: nil)
            }
        }
        #expect(try await changes.next()?.kind == .added)
        probe.cancel()
        try await probe.value
        try await keychain.add(InternetPassword(server: "example.com"), secret: nil)
        #expect(try await observed.next()?.map(\.server) == ["example.com"])
        running.stop()
        do throws(KeychainError) {
            while try await changes.next() != nil {}
            Issue.record("the stream ended without an error")
        } catch {
            #expect(error.code == .notAvailable)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import Keychain
import KeychainModel
import KeychainWire
import Synchronization
import Testing

@testable import KeychainClient

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
        try await keychain.update(site, applying: .init(path: "/out"), secret: SecretData(utf8: "3"))
        #expect(try await keychain.revealAll(internet).map(\.path) == ["/out"])
        #expect(try await keychain.delete(reference))
        #expect(try await !keychain.contains(mail))
        #expect(try await keychain.deleteAll(internet))
    }

    @Test func `names that are too long are refused, and the next call is served`() async throws {
        defer { running.stop() }
        let long = String(repeating: "x", count: 1025)
        for query in [InternetPassword.Query(hostOrSubdomainOf: long), InternetPassword.Query(accessGroup: long)] {
            do throws(KeychainError) {
                _ = try await keychain.find(query)
                Issue.record("no error")
            } catch {
                #expect(error.code == .tooLarge)
            }
        }
        #expect(try await keychain.find(InternetPassword.Query()) == nil)
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

/// Events between the requests of one call.
struct StoringTests {
    /// Storing an existing item takes three requests: the addition, which is rejected, the search for the existing
    /// item, the update.
    @Test(arguments: [2, 3])
    func `an item that another program deletes while it is being stored is added anew`(_ request: Int) async throws {
        let running = try RunningService()
        defer { running.stop() }
        let mail = GenericPassword(service: "com.example.mail", account: "ann")
        let first = try await UserKeychain(running.client()).add(mail, secret: SecretData(utf8: "1"))
        let other = running.client()
        let query = try query(service: mail.service)
        let interrupted = InterruptedTransport(SocketTransport(running.directories)) { number in
            if number == request { try? other.delete(query) }
        }
        let keychain = UserKeychain(KeychainClient(interrupted))
        let second = try await keychain.store(mail, secret: SecretData(utf8: "2"))
        #expect(interrupted.count == request + 1)
        #expect(first != second)
        #expect(try await keychain.secret(for: second)?.utf8String == "2")
    }

    @Test func `an item that comes and goes all the time is given up in the end`() async throws {
        let running = try RunningService()
        defer { running.stop() }
        let mail = GenericPassword(service: "com.example.mail", account: "ann")
        let other = running.client()
        let query = try query(service: mail.service)
        // There when it is to be added, gone when it is to be updated.
        let interrupted = InterruptedTransport(SocketTransport(running.directories)) { number in
            switch number % 3 {
            case 1: _ = try? other.addPassword(service: mail.service, account: mail.account)
            case 0: try? other.delete(query)
            default: break
            }
        }
        do throws(KeychainError) {
            try await UserKeychain(KeychainClient(interrupted)).store(mail, secret: SecretData(utf8: "2"))
            Issue.record("stored after all")
        } catch {
            #expect(error.code == .duplicateItem)
        }
    }
}

/// A program that ends while it moves an item.
struct InterruptedMigrationTests {
    /// A migration takes four requests: reading the item, adding the new one, reading that, deleting the old one.
    @Test(arguments: 1...4)
    func `an item is in one place if the program ends before a request, and the next run moves it`(
        _ request: Int
    ) async throws {
        let running = try RunningService()
        defer { running.stop() }
        let (old, new) = (GenericPassword(service: "Mail"), GenericPassword(service: "com.example.mail"))
        let keychain = UserKeychain(running.client())
        try await keychain.add(old, secret: SecretData(utf8: "1"))
        let ending = InterruptedTransport(SocketTransport(running.directories)) { number throws(ClientError) in
            if number == request { throw .unavailable("the program ends, because a test requested it") }
        }
        await #expect(throws: KeychainError.self) {
            try await UserKeychain(KeychainClient(ending)).migrate(old, to: new)
        }
        #expect(ending.count == request)
        #expect(try await keychain.secret(for: old)?.utf8String == "1")
        #expect(try await keychain.migrate(old, to: new))
        #expect(try await keychain.secret(for: new)?.utf8String == "1")
        #expect(try await !keychain.contains(old))
        #expect(try await !keychain.migrate(old, to: new))
    }
}

/// Does something before each request; if that fails, the request is not sent.
private final class InterruptedTransport: KeychainTransport {
    private let inner: any KeychainTransport
    private let before: @Sendable (_ number: Int) throws(ClientError) -> Void
    private let requests = Mutex(0)

    init(
        _ inner: any KeychainTransport, before: @escaping @Sendable (_ number: Int) throws(ClientError) -> Void
    ) {
        self.inner = inner
        self.before = before
    }

    var count: Int { requests.withLock { $0 } }

    func exchange(
        _ request: (_ nonce: [UInt8]) -> [UInt8], isRepeatable: Bool,
        receive: (Frame) throws(WireError) -> AnswerProgress
    ) throws(ClientError) {
        try before(
            requests.withLock { requests in
                requests += 1
                return requests
            })
        try inner.exchange(request, isRepeatable: isRepeatable, receive: receive)
    }

    func watch() throws(ClientError) -> any ChangeStream { try inner.watch() }

    func watchKeychains(_ filter: KeychainNoticeFilter) throws(ClientError) -> any KeychainNoticeStream {
        try inner.watchKeychains(filter)
    }
    func followLog() throws(ClientError) -> any LogStream { try inner.followLog() }
}

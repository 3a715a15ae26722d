// SPDX-License-Identifier: Apache-2.0

import Dispatch
import KeychainModel
import KeychainServer
import SecretMemory
import Synchronization
import Testing

@testable import KeychainClient

/// Several threads of a program on one client, some of which wait for a person.
struct ConcurrentCallTests {
    /// A simulated user who types the password of an item when the test triggers it.
    private final class SlowPerson: Sendable {
        let isAsked = DispatchSemaphore(value: 0)
        let mayAnswer = DispatchSemaphore(value: 0)
        private let counts = Mutex((now: 0, most: 0))

        var mostAtOnce: Int { counts.withLock(\.most) }

        var prompter: Prompter {
            Prompter { [self] _, _, _ in
                counts.withLock { counts in
                    counts.now += 1
                    counts.most = max(counts.most, counts.now)
                }
                isAsked.signal()
                mayAnswer.wait()
                counts.withLock { $0.now -= 1 }
                return .secret(SecretBytes(copying: "own".utf8))
            }
        }
    }

    /// Runs a blocking test on its own thread, with an item that prompts the user and an item that does not.
    private func withService(
        _ body: @escaping @Sendable (SlowPerson, RunningService, KeychainClient) throws -> Void
    ) async throws {
        let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "test").async {
                continuation.resume(
                    returning: Result {
                        let person = SlowPerson()
                        let service = try RunningService(prompter: person.prompter)
                        defer { service.stop() }
                        let client = service.client()
                        let context = AuthenticationContextState()
                        #expect(context.setApplicationPassword(SecretBytes(copying: "own".utf8)))
                        let control = AccessControl(protection: .whenUnlocked, flags: .applicationPassword)!
                        try client.authenticating(context.authentication()).add(
                            try attributes([
                                (.service, .string("protected")), (.accessControl, .accessControl(control)),
                            ]), secret: [1])
                        try client.addPassword(service: "mail", secret: "open")
                        try body(person, service, client)
                    })
            }
        }
        try result.get()
    }

    /// Reads the item that needs a prompt, on its own thread.
    private static func readProtected(
        _ client: KeychainClient, _ end: @escaping @Sendable (Result<[String?], any Error>) -> Void
    ) {
        DispatchQueue(label: "reader").async {
            end(Result { try client.secrets(try query(service: "protected")) })
        }
    }

    @Test func `a lookup is answered while another thread waits for a person`() async throws {
        try await withService { person, _, client throws in
            let hasEnded = DispatchSemaphore(value: 0)
            Self.readProtected(client) { result in
                #expect((try? result.get()) == ["\u{1}"])
                hasEnded.signal()
            }
            person.isAsked.wait()
            for _ in 0..<3 { #expect(try client.secrets(try query(service: "mail")) == ["open"]) }
            person.mayAnswer.signal()
            hasEnded.wait()
        }
    }

    @Test func `eight requests are under way at once, and those beyond wait for their turn`() async throws {
        try await withService { person, _, client throws in
            let hasEnded = DispatchSemaphore(value: 0)
            for _ in 0..<12 {
                Self.readProtected(client) { result in
                    #expect((try? result.get()) == ["\u{1}"])
                    hasEnded.signal()
                }
            }
            for _ in 0..<8 { person.isAsked.wait() }
            for _ in 0..<12 { person.mayAnswer.signal() }
            for _ in 0..<12 { hasEnded.wait() }
            #expect(person.mostAtOnce == 8)
            #expect(try client.secrets(try query(service: "mail")) == ["open"])
        }
    }

    @Test func `a request that waits for a person is ended by interrupting its client, and others are not`()
        async throws
    {
        try await withService { person, _, client throws in
            let separate = client.separate()
            let hasEnded = DispatchSemaphore(value: 0)
            Self.readProtected(separate) { result in
                #expect(throws: ClientError.self) { try result.get() }
                hasEnded.signal()
            }
            person.isAsked.wait()
            separate.interrupt()
            hasEnded.wait()
            #expect(throws: ClientError.self) { try separate.status() }
            separate.interrupt()
            client.interrupt()
            #expect(try client.secrets(try query(service: "mail")) == ["open"])
            person.mayAnswer.signal()
        }
    }
}

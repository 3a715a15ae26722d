// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEndpoint
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainSealing
import Logging
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import KeychainServer

/// Fingers in a system service: each user has separate fingers and a separate count of wrong fingers.
@Suite struct `Fingers of many users` {
    /// A reader that knows a finger of everybody, each by the number of its user.
    private final class Reader: Sendable {
        struct Question: Hashable {
            let keychain: UInt32
            let user: UInt32
        }

        private let asked = Mutex<[Question]>([])
        var questions: [Question] { asked.withLock { $0 } }

        func reader(of keychain: UInt32) -> BiometryReader {
            BiometryReader(
                of: keychain,
                enrolment: { [self] user in
                    asked.withLock { $0.append(Question(keychain: keychain, user: user)) }
                    return .init(reader: "R", digest: [UInt8](repeating: UInt8(user), count: 32))
                }, look: { _, _ in .noMatch })
        }
    }

    private static let passcode: [UInt8] = Array("correct horse".utf8)

    private let root: String
    private let directories: SystemDirectories
    private let keychains: UserKeychains
    private let reader = Reader()

    init() throws {
        root = try makeScratchFolder("ck")
        directories = SystemDirectories(runtime: root + "/run", state: root + "/state")
        try directories.prepare()
        let reader = reader
        keychains = UserKeychains(
            directories, protections: [], biometry: { reader.reader(of: $0) },
            logger: Logger(label: "") { _ in SwiftLogNoOpLogHandler() })
    }

    private func remove() {
        keychains.closeAll()
        try? FileManager.default.removeItem(atPath: root)
    }

    /// The keychain of a user who connects.
    private func begin(_ user: UInt32) throws -> ServiceState {
        let caller = Caller(
            userID: user, processID: 1, tier: .unsigned, identity: .installed(path: "/p"), accessGroups: ["g"],
            displayPath: "/p")
        guard case .open(let pipeline) = try keychains.source.begin(caller) else {
            throw Refusal(.notAvailable, .storeUnavailable)
        }
        return pipeline.service
    }

    private static func setPasscode(_ keychain: ServiceState) throws {
        try keychain.lock.setPasscode(SecretBytes(copying: passcode), proof: nil)
    }

    private static func verify(_ keychain: ServiceState) throws {
        try keychain.lock.verify(ProtectorSecret(.passcode, SecretBytes(copying: passcode)))
    }

    @Test func `each user's keychain has a reader of that user's fingers`() throws {
        defer { remove() }
        let (ann, bob) = (try begin(7), try begin(8))
        #expect(ann.authenticator.state(of: 7).enrolment == [UInt8](repeating: 7, count: 32))
        #expect(bob.authenticator.state(of: 8).enrolment == [UInt8](repeating: 8, count: 32))
        #expect(reader.questions == [.init(keychain: 7, user: 7), .init(keychain: 8, user: 8)])
    }

    @Test func `no finger counts before its user's passcode was entered, whichever other passcode was entered`() throws
    {
        defer { remove() }
        let (ann, bob) = (try begin(7), try begin(8))
        #expect(ann.authenticator.state(of: 7).biometry == .lockedOut)
        try Self.setPasscode(ann)
        #expect(ann.authenticator.state(of: 7).biometry == .enrolled)
        #expect(bob.authenticator.state(of: 8).biometry == .lockedOut)
    }

    @Test func `wrong fingers of one user lock out that user alone, until that user's passcode is given`() throws {
        defer { remove() }
        let (ann, bob) = (try begin(7), try begin(8))
        for keychain in [ann, bob] { try Self.setPasscode(keychain) }
        for _ in 0..<BiometryGate.limit { ann.authenticator.gate.noteFailure() }
        #expect(ann.authenticator.state(of: 7).biometry == .lockedOut)
        #expect(bob.authenticator.state(of: 8).biometry == .enrolled)
        try Self.verify(bob)
        #expect(ann.authenticator.state(of: 7).biometry == .lockedOut)
        try Self.verify(ann)
        #expect(ann.authenticator.state(of: 7).biometry == .enrolled)
    }
}

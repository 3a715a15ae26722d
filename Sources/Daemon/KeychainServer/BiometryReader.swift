// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A reader of fingers, and whoever knows which are the owner's.
public struct BiometryReader: Sendable {
    /// What can be said of a user's fingers without any being shown.
    public struct Enrolment: Hashable, Sendable {
        /// What the reader is called.
        public var reader: String
        /// 32 bytes that name the enrolled fingers; nil where none is.
        public var digest: [UInt8]?

        public init(reader: String, digest: [UInt8]?) {
            self.reader = reader
            self.digest = digest
        }
    }

    /// What came of one look at a finger.
    public enum Result: Hashable, Sendable {
        case match
        case noMatch
        /// No reader any more, or none that answers.
        case unavailable
        /// The look was withdrawn, or nobody touched the reader in time.
        case withdrawn
    }

    /// The user whose keychain it is for.
    let owner: UInt32
    let enrolment: @Sendable (_ user: UInt32) -> Enrolment?
    let look: @Sendable (_ user: UInt32, Withdrawal?) -> Result

    /// - Parameters:
    ///   - owner: the user whose keychain it is for.
    ///   - enrolment: nil where there is no reader. Answers in bounded time.
    ///   - look: waits for a finger, for a bounded time; stops waiting when the withdrawal says so.
    public init(
        of owner: UInt32, enrolment: @escaping @Sendable (_ user: UInt32) -> Enrolment?,
        look: @escaping @Sendable (_ user: UInt32, Withdrawal?) -> Result
    ) {
        self.owner = owner
        self.enrolment = enrolment
        self.look = look
    }

    /// There is no reader.
    public static let none = BiometryReader(of: .max, enrolment: { _ in nil }, look: { _, _ in .unavailable })
}

/// When biometry counts: not before the passcode was given once since the service began, and not after too many fingers that
/// were none of the owner's, until it is given again.
public final class BiometryGate: Sendable {
    /// As many as Apple's readers take.
    public static let limit = 5

    private let failures = Mutex(BiometryGate.limit)

    public init() {}

    public var isLockedOut: Bool { failures.withLock { $0 >= Self.limit } }

    func noteFailure() { failures.withLock { $0 = min($0 + 1, Self.limit) } }

    /// A finger was the owner's.
    ///
    /// - Returns: whether it counts. Another request may have locked biometry out while the reader waited.
    func noteMatch() -> Bool {
        failures.withLock { failures in
            guard failures < Self.limit else { return false }
            failures = 0
            return true
        }
    }

    /// The passcode was given.
    func notePasscode() { failures.withLock { $0 = 0 } }
}

// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A fingerprint reader, and the source of its owner's enrolment.
public struct BiometryReader: Sendable {
    /// The facts about a user's fingers that are known without reading a finger.
    public struct Enrolment: Hashable, Sendable {
        /// The name of the reader.
        public var reader: String
        /// 32 bytes that identify the enrolled fingers; nil if none is enrolled.
        public var digest: [UInt8]?

        public init(reader: String, digest: [UInt8]?) {
            self.reader = reader
            self.digest = digest
        }
    }

    /// The result of one reading.
    public enum Result: Hashable, Sendable {
        case match
        case noMatch
        /// The reader no longer exists or does not answer.
        case unavailable
        /// The reading was withdrawn, or the reader was not touched in time.
        case withdrawn
    }

    /// The user who owns the keychain.
    let owner: UInt32
    let enrolment: @Sendable (_ user: UInt32) -> Enrolment?
    let look: @Sendable (_ user: UInt32, Withdrawal?) -> Result

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - owner: the user who owns the keychain.
    ///   - enrolment: returns the enrolment, in bounded time; nil if there is no reader.
    ///   - look: waits for a finger, for a bounded time; stops waiting when the reading is withdrawn.
    public init(
        of owner: UInt32, enrolment: @escaping @Sendable (_ user: UInt32) -> Enrolment?,
        look: @escaping @Sendable (_ user: UInt32, Withdrawal?) -> Result
    ) {
        self.owner = owner
        self.enrolment = enrolment
        self.look = look
    }

    /// A reader for machines without one.
    public static let none = BiometryReader(of: .max, enrolment: { _ in nil }, look: { _, _ in .unavailable })
}

/// The state of biometry: a finger does not count before the passcode was entered once since the service began, nor
/// after too many wrong fingers, until the passcode is entered again.
public final class BiometryGate: Sendable {
    /// The same limit as Apple's readers.
    public static let limit = 5

    private let failures = Mutex(BiometryGate.limit)

    public init() {}

    public var isLockedOut: Bool { failures.withLock { $0 >= Self.limit } }

    func noteFailure() { failures.withLock { $0 = min($0 + 1, Self.limit) } }

    /// Records that a finger matched.
    ///
    /// - Returns: whether it counts. Another request may have locked biometry out while the reader waited.
    func noteMatch() -> Bool {
        failures.withLock { failures in
            guard failures < Self.limit else { return false }
            failures = 0
            return true
        }
    }

    /// Records that the passcode was entered.
    func notePasscode() { failures.withLock { $0 = 0 } }
}

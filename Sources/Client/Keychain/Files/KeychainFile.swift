// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A keychain in a file with a password of its own, in the state in which ``KeychainFiles`` found it.
///
/// The value is not an open file. The state may have changed since.
public struct KeychainFile: Hashable, Sendable {
    /// The states of a keychain file.
    public enum State: Hashable, Sendable, CaseIterable {
        /// The file does not exist.
        case missing
        case locked
        case unlocked
        /// The file exists, but it is not a keychain, or it is a keychain of another device.
        case unusable
    }

    let report: FileKeychainReport

    init(_ report: FileKeychainReport) {
        self.report = report
    }

    /// The absolute path of the file, whether it exists or not. The same file always has the same path.
    public var path: String { report.path }

    public var state: State {
        switch report.state {
        case .missing: .missing
        case .locked: .locked
        case .unlocked: .unlocked
        case .unusable: .unusable
        }
    }

    /// Whether the keychain locks before the machine suspends; nil if the file is missing or unusable.
    public var locksOnSleep: Bool? { report.settings?.locksOnSleep }

    /// The time without a use of an item after which the keychain locks; nil for never, and if the file is missing or
    /// unusable.
    public var idleTimeBeforeLock: Duration? { report.settings?.idleLockSeconds.map { Duration.seconds(Int64($0)) } }

    /// Whether the service found the database damaged. False until the service has opened the file.
    public var isDamaged: Bool { report.isDamaged }
}

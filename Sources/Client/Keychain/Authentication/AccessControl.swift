// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The authentication that is required before an item is read or changed, or a private key is used, in addition to its
/// accessibility.
///
/// ```swift
/// let card = GenericPassword(service: "com.example.pay", account: "card", accessControl: .userPresence)
/// try await keychain.store(card, secret: SecretData(utf8: "4111 1111 1111 1111"))
/// ```
///
/// Combinations without a meaning cannot be expressed. Storing an item does not prompt, unless the user must choose an
/// application password. Deleting an item does not prompt either.
public struct AccessControl: Hashable, Sendable {
    let flags: KeychainModel.AccessControl.Flags

    private init(_ flags: KeychainModel.AccessControl.Flags) {
        self.flags = flags
    }

    /// The fingerprints that are accepted.
    public enum Biometry: Hashable, Sendable, CaseIterable {
        /// Any fingerprint that is enrolled at the time of use.
        case any
        /// The fingerprints that are enrolled when the item is stored. If the enrolment changes, the item is
        /// permanently unreadable.
        case currentSet

        fileprivate var flag: KeychainModel.AccessControl.Flags {
            switch self {
            case .any: .biometryAny
            case .currentSet: .biometryCurrentSet
            }
        }
    }

    /// Fingerprint, or the passcode if no reader is available or the fingerprint fails
    /// (`kSecAccessControlUserPresence`).
    public static let userPresence = AccessControl(.userPresence)
    /// The passcode.
    public static let devicePasscode = AccessControl(.devicePasscode)
    /// Any enrolled fingerprint.
    public static let biometryAny = AccessControl(.biometryAny)
    /// A fingerprint of the current enrolment.
    public static let biometryCurrentSet = AccessControl(.biometryCurrentSet)
    /// An application password, without owner authentication.
    public static let applicationPassword = AccessControl(.applicationPassword)

    /// Fingerprint or passcode: either is sufficient.
    public static func biometryOrPasscode(_ biometry: Biometry) -> AccessControl {
        AccessControl([biometry.flag, .or, .devicePasscode])
    }

    /// Fingerprint and passcode: both are required.
    public static func biometryAndPasscode(_ biometry: Biometry) -> AccessControl {
        AccessControl([biometry.flag, .and, .devicePasscode])
    }

    /// The same access control, and an application password, which is part of the key that encrypts the item. The
    /// ``AuthenticationContext`` provides it, or the user types it.
    public func withApplicationPassword() -> AccessControl { AccessControl(flags.union(.applicationPassword)) }

    /// The access control together with the accessibility of the item.
    func content(_ accessibility: Accessibility, forKeyUse: Bool = false) -> KeychainModel.AccessControl {
        let flags = forKeyUse ? flags.union(.privateKeyUsage) : flags
        guard let content = KeychainModel.AccessControl(protection: accessibility, flags: flags) else {
            preconditionFailure("a combination that its initialisers do not make")
        }
        return content
    }

    /// Nil for an access control without constraints.
    init?(_ content: KeychainModel.AccessControl) {
        let flags = content.flags.subtracting(.privateKeyUsage)
        if flags.isEmpty { return nil }
        self.flags = flags
    }
}

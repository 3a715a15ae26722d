// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What has to be shown before an item is read or changed, or a private key is used; beside its accessibility.
///
/// ```swift
/// let card = GenericPassword(service: "com.example.pay", account: "card", accessControl: .userPresence)
/// try await keychain.store(card, secret: SecretData(utf8: "4111 1111 1111 1111"))
/// ```
///
/// Combinations that mean nothing cannot be written. Storing an item asks nobody, unless a password of the item's own has to be
/// chosen; deleting one asks nobody either.
public struct AccessControl: Hashable, Sendable {
    let flags: KeychainModel.AccessControl.Flags

    private init(_ flags: KeychainModel.AccessControl.Flags) {
        self.flags = flags
    }

    /// Which fingers count.
    public enum Biometry: Hashable, Sendable, CaseIterable {
        /// Any that is enrolled, now or later.
        case any
        /// Those that are enrolled when the item is stored. Another enrolment makes the item unreadable for good.
        case currentSet

        fileprivate var flag: KeychainModel.AccessControl.Flags {
            switch self {
            case .any: .biometryAny
            case .currentSet: .biometryCurrentSet
            }
        }
    }

    /// A finger, or the passcode where there is none or it fails (`kSecAccessControlUserPresence`).
    public static let userPresence = AccessControl(.userPresence)
    /// The passcode.
    public static let devicePasscode = AccessControl(.devicePasscode)
    /// Any enrolled finger.
    public static let biometryAny = AccessControl(.biometryAny)
    /// A finger that is enrolled now.
    public static let biometryCurrentSet = AccessControl(.biometryCurrentSet)
    /// A password of the item's own, without anybody showing to be there.
    public static let applicationPassword = AccessControl(.applicationPassword)

    /// A finger or the passcode: one is enough.
    public static func biometryOrPasscode(_ biometry: Biometry) -> AccessControl {
        AccessControl([biometry.flag, .or, .devicePasscode])
    }

    /// A finger and the passcode: both are needed.
    public static func biometryAndPasscode(_ biometry: Biometry) -> AccessControl {
        AccessControl([biometry.flag, .and, .devicePasscode])
    }

    /// The same, and a password of the item's own, which goes into the key that encrypts it: ``AuthenticationContext`` has it, or
    /// the person types it.
    public func withApplicationPassword() -> AccessControl { AccessControl(flags.union(.applicationPassword)) }

    /// With the accessibility that goes with it.
    func content(_ accessibility: Accessibility, forKeyUse: Bool = false) -> KeychainModel.AccessControl {
        let flags = forKeyUse ? flags.union(.privateKeyUsage) : flags
        guard let content = KeychainModel.AccessControl(protection: accessibility, flags: flags) else {
            preconditionFailure("a combination that its initialisers do not make")
        }
        return content
    }

    /// Nil for one without constraints.
    init?(_ content: KeychainModel.AccessControl) {
        let flags = content.flags.subtracting(.privateKeyUsage)
        if flags.isEmpty { return nil }
        self.flags = flags
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The conditions for the use of an item: the content of a `SecAccessControl`.
///
/// Made only by the checked initialiser, so a value of this type satisfies the rules of
/// `SecAccessControlCreateWithFlags`.
public struct AccessControl: Hashable, Sendable {
    public let protection: Accessibility
    public let flags: Flags

    /// Apple's `SecAccessControlCreateFlags`, same bits.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let userPresence = Flags(rawValue: 1 << 0)
        public static let biometryAny = Flags(rawValue: 1 << 1)
        public static let biometryCurrentSet = Flags(rawValue: 1 << 3)
        public static let devicePasscode = Flags(rawValue: 1 << 4)
        public static let companion = Flags(rawValue: 1 << 5)
        public static let or = Flags(rawValue: 1 << 14)
        public static let and = Flags(rawValue: 1 << 15)
        public static let privateKeyUsage = Flags(rawValue: 1 << 30)
        public static let applicationPassword = Flags(rawValue: 1 << 31)

        static let known: Flags = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and,
            .privateKeyUsage, .applicationPassword,
        ]
    }

    /// Creates an access control object. Nil if the flags contradict each other (semantics 5.2): `or` with `and`, any
    /// biometry with the current set, user presence with anything but an application password or private key usage, or
    /// unknown bits.
    public init?(protection: Accessibility, flags: Flags) {
        guard flags.isSubset(of: .known),
            !flags.isSuperset(of: [.or, .and]),
            !flags.isSuperset(of: [.biometryAny, .biometryCurrentSet]),
            !flags.contains(.userPresence)
                || flags.subtracting([.userPresence, .applicationPassword, .privateKeyUsage]).isEmpty
        else { return nil }
        self.protection = protection
        self.flags = flags
    }

    /// Creates an object without constraints beyond the accessibility class.
    public init(protection: Accessibility) {
        self.protection = protection
        self.flags = []
    }
}

extension ItemAttributes {
    /// The constraints of the access control object; empty if the item has none.
    public var constraints: AccessControl.Flags {
        if case .accessControl(let control) = self[.accessControl] { control.flags } else { [] }
    }
}

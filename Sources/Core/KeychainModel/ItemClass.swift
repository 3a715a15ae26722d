// SPDX-License-Identifier: Apache-2.0

/// The kind of a keychain item: the value of `kSecClass`.
///
/// The raw value is the class's number on the wire and in the database; it never changes.
public enum ItemClass: UInt8, CaseIterable, Hashable, Sendable {
    /// `kSecClassGenericPassword`
    case genericPassword = 1
    /// `kSecClassInternetPassword`
    case internetPassword = 2
    /// `kSecClassCertificate`
    case certificate = 3
    /// `kSecClassKey`
    case key = 4
    /// `kSecClassIdentity`: a certificate and a private key that belong together; it has no table.
    case identity = 5

    /// Finds the class with Apple's four-character name, such as `"genp"`; nil for any other string.
    public init?(code: String) {
        guard let match = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = match
    }

    /// Apple's four-character name: the string value of the `kSecClass…` constant.
    public var code: String {
        switch self {
        case .genericPassword: "genp"
        case .internetPassword: "inet"
        case .certificate: "cert"
        case .key: "keys"
        case .identity: "idnt"
        }
    }

    /// The accessibility of an item that does not name one. Certificates are public, and are needed while the keychain
    /// is locked (semantics 4.1, after Apple's source).
    public var defaultAccessibility: Accessibility { self == .certificate ? .always : .whenUnlocked }
}

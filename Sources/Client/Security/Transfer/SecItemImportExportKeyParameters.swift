// SPDX-License-Identifier: Apache-2.0

public import CFTypes

/// How a file is written. Apple's names and bits.
public struct SecItemImportExportFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// In PEM: base64 between lines.
    public static let pemArmour = Self(rawValue: 1 << 0)
}

/// What holds for the keys in a file. Apple's names and bits.
public struct SecKeyImportExportFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// More than one private key is refused.
    public static let importOnlyOne = Self(rawValue: 1 << 0)
    /// A person is asked for the passphrase. There are no prompts: where a passphrase is needed and not given, the call is refused.
    public static let securePassphrase = Self(rawValue: 1 << 1)
    /// All programs may use the private keys that are put into a keychain file. Not beside `accessRef`.
    public static let noAccessControl = Self(rawValue: 1 << 2)
}

/// The version of ``SecItemImportExportKeyParameters``.
public var SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: UInt32 { 0 }

/// What ``SecItemImport(_:_:_:_:_:_:_:_:)`` and ``SecItemExport(_:_:_:_:_:)`` have to know of keys.
///
/// The objects are not retained by it, as in C: whoever makes one keeps them until the call has returned.
@unsafe public struct SecItemImportExportKeyParameters {
    /// ``SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION``.
    public var version: UInt32
    public var flags: SecKeyImportExportFlags
    /// CFString, or CFData with the bytes of a passphrase.
    public var passphrase: Unmanaged<CFTypeRef>!
    /// For a prompt; ignored.
    public var alertTitle: Unmanaged<CFString>!
    /// For a prompt; ignored.
    public var alertPrompt: Unmanaged<CFString>!
    /// Who may use the private keys that are put into a keychain file. Without it, the calling program.
    public var accessRef: Unmanaged<SecAccess>!
    /// What imported private keys may be used for: `kSecAttrCanSign` and its like. Without it, for everything that they can do.
    public var keyUsage: Unmanaged<CFArray>!
    /// What imported private keys are: `kSecAttrIsExtractable`, `kSecAttrIsSensitive`. Without it, they may be exported in clear.
    public var keyAttributes: Unmanaged<CFArray>!

    /// Nothing given.
    public init() {
        unsafe version = SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION
        unsafe flags = []
    }

    public init(
        version: UInt32, flags: SecKeyImportExportFlags, passphrase: Unmanaged<CFTypeRef>!,
        alertTitle: Unmanaged<CFString>!, alertPrompt: Unmanaged<CFString>!, accessRef: Unmanaged<SecAccess>!,
        keyUsage: Unmanaged<CFArray>!, keyAttributes: Unmanaged<CFArray>!
    ) {
        unsafe self.version = version
        unsafe self.flags = flags
        unsafe self.passphrase = passphrase
        unsafe self.alertTitle = alertTitle
        unsafe self.alertPrompt = alertPrompt
        unsafe self.accessRef = accessRef
        unsafe self.keyUsage = keyUsage
        unsafe self.keyAttributes = keyAttributes
    }
}

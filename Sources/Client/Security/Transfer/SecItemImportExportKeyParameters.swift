// SPDX-License-Identifier: Apache-2.0

public import CFTypes

/// Options for the output of an export. Apple's names and bits.
public struct SecItemImportExportFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// PEM: base64 between header and footer lines.
    public static let pemArmour = Self(rawValue: 1 << 0)
}

/// Options for the keys in a file. Apple's names and bits.
public struct SecKeyImportExportFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// More than one private key is rejected.
    public static let importOnlyOne = Self(rawValue: 1 << 0)
    /// Prompt for the passphrase. Not supported: if a passphrase is required and missing, the call fails.
    public static let securePassphrase = Self(rawValue: 1 << 1)
    /// All programs may use the private keys that are added to a keychain file. Cannot be combined with `accessRef`.
    public static let noAccessControl = Self(rawValue: 1 << 2)
}

/// The version of ``SecItemImportExportKeyParameters``.
public var SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: UInt32 { 0 }

/// The key parameters of ``SecItemImport(_:_:_:_:_:_:_:_:)`` and ``SecItemExport(_:_:_:_:_:)``.
///
/// The structure does not retain its objects, as in C: its creator retains them until the call has returned.
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
    /// The access object of private keys that are added to a keychain file. Nil: for the calling program only.
    public var accessRef: Unmanaged<SecAccess>!
    /// The permitted uses of imported private keys: `kSecAttrCanSign` and so on. Nil: all uses that they support.
    public var keyUsage: Unmanaged<CFArray>!
    /// The attributes of imported private keys: `kSecAttrIsExtractable`, `kSecAttrIsSensitive`, and
    /// `kSecAttrIsPermanent`, which requires a keychain and has no further effect: keys are stored in the keychain of
    /// the call, if it has one. Nil: they may be exported without encryption.
    public var keyAttributes: Unmanaged<CFArray>!

    /// No parameters.
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

// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainKeys
internal import KeychainModel
internal import KeychainWire
internal import SecurityValues

/// A public or a private key.
///
/// The private half of a key is in the program's memory, or only in the keychain service, which then signs, decrypts
/// and agrees with it. The latter applies to a stored key whose `kSecAttrIsExtractable` is false or whose
/// `kSecAttrIsSensitive` is true, and to a key in a token.
///
/// Two values are equal when they are the same half of the same key, whatever their source.
public final class SecKey: Hashable, Sendable, CFTypeIdentified, CustomStringConvertible {
    let material: KeyMaterial
    let permissions: KeyPermissions
    /// The prompt settings for uses of a held key: those of the call that returned it.
    let authentication: AuthenticationOptions?
    /// The file in which the service stores a held key; nil: the data-protection keychain.
    let keychain: String?

    init(
        _ material: KeyMaterial, _ permissions: KeyPermissions = KeyPermissions(),
        _ authentication: AuthenticationOptions? = nil, keychain: String? = nil
    ) {
        self.material = material
        self.permissions = permissions
        self.authentication = authentication
        self.keychain = keychain
    }

    convenience init(_ key: PublicKey) { self.init(.publicKey(key)) }

    /// The public half of either kind.
    var publicKey: PublicKey { material.publicKey }

    var isPrivate: Bool { material.isPrivate }

    /// Whether the key is in a token, and in no keychain.
    var isUnstored: Bool { if case .heldKey(.sealed, _) = material { true } else { false } }

    /// The key without its object.
    var stored: StoredKey { StoredKey(material, permissions) }

    /// The half, the type and the size, without contents of the key.
    public var description: String {
        switch material {
        case .publicKey(let key): "<SecKey: public key (\(key.type), \(key.sizeInBits) bits)>"
        case .privateKey(let key): "<SecKey: \(key)>"
        case .heldKey(.stored, let key):
            "<SecKey: private key in the keychain (\(key.type), \(key.sizeInBits) bits)>"
        case .heldKey(.sealed, let key):
            "<SecKey: private key in a token, not stored (\(key.type), \(key.sizeInBits) bits)>"
        }
    }

    public static var cfTypeID: CFTypeID { 258 }

    public static func == (left: SecKey, right: SecKey) -> Bool {
        left.isPrivate == right.isPrivate && left.publicKey == right.publicKey
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(isPrivate)
        hasher.combine(publicKey)
    }
}

/// Returns the type identifier of ``SecKey`` objects, as `CFGetTypeID` returns it.
public func SecKeyGetTypeID() -> CFTypeID { SecKey.cfTypeID }

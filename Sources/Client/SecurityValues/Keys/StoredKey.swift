// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
package import KeychainKeys
package import KeychainModel
package import KeychainWire

/// A public or a private key: in the program's memory, or only in the keychain service.
package enum KeyMaterial: Sendable {
    case publicKey(PublicKey)
    case privateKey(PrivateKey)
    /// A key of which the program has the reference, or the sealed bytes, and the public half.
    case heldKey(UsedKey, PublicKey)

    /// The public half of each kind.
    package var publicKey: PublicKey {
        switch self {
        case .publicKey(let key), .heldKey(_, let key): key
        case .privateKey(let key): key.publicKey
        }
    }

    package var isPrivate: Bool {
        switch self {
        case .publicKey: false
        case .privateKey, .heldKey: true
        }
    }
}

/// A key with its permissions.
package struct StoredKey: Sendable {
    package let material: KeyMaterial
    package let permissions: KeyPermissions

    package init(_ material: KeyMaterial, _ permissions: KeyPermissions = KeyPermissions()) {
        (self.material, self.permissions) = (material, permissions)
    }

    /// Creates the key of a stored item; nil for invalid data, which a program may have stored.
    ///
    /// Programs may store a key without its type or class; then the bytes determine it.
    /// - Parameters:
    ///   - item: with its data and its attributes. The data of a key that the service holds is its public half.
    ///   - sealed: the sealed bytes of a key that the service made and does not store.
    package init?(_ item: ReturnedItem<some Collection<UInt8>>, sealed: [UInt8]? = nil) {
        guard let data = item.secret else { return nil }
        let permissions = KeyPermissions(item.attributes)
        if let attributes = item.attributes, attributes.isHeldKey {
            guard case .number(let code) = attributes[.type], let type = KeyType(code: code),
                let key = try? PublicKey(type: type, externalRepresentation: data)
            else { return nil }
            self.init(.heldKey(sealed.map { .sealed($0) } ?? .stored(item.reference), key), permissions)
            return
        }
        let name = item.attributes?[.type].flatMap(Self.text)
        let named = KeyType.allCases.filter { String($0.code) == name }
        let isPrivate = item.attributes?[.keyClass].flatMap(Self.text) == Self.privateClass
        for type in named.isEmpty ? KeyType.allCases : named {
            let publicKey = (try? PublicKey(type: type, externalRepresentation: data)).map(KeyMaterial.publicKey)
            let privateKey = (try? PrivateKey(type: type, externalRepresentation: data)).map(KeyMaterial.privateKey)
            // On Curve25519 both halves have 32 bytes.
            if let material = isPrivate ? privateKey ?? publicKey : publicKey ?? privateKey {
                self.init(material, isPrivate ? permissions : permissions.ofPublicHalf)
                return
            }
        }
        return nil
    }

    /// `kSecAttrKeyClassPrivate`
    private static let privateClass = "1"

    private static func text(_ value: AttributeValue) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): String(number)
        case .data, .date, .accessControl: nil
        }
    }

    /// The data of the item that stores the key; nil for a key that the service holds.
    package var data: Data? {
        switch material {
        case .publicKey(let key): key.externalRepresentation
        case .privateKey(let key): key.externalRepresentation
        case .heldKey: nil
        }
    }

    /// The attributes of the key itself, as `SecKeyCopyAttributes` returns them: for an item, and for a caller.
    ///
    /// Source: semantics 6.2.
    package var attributes: [ItemAttributes.Entry] {
        let (key, isPrivate) = (material.publicKey, material.isPrivate)
        let size = AttributeValue.number(Int64(key.sizeInBits))
        var truths: [AttributeKey: Bool] = [
            // Apple includes these three for every key, also for public keys.
            .isPermanent: true, .isPrivate: true, .isModifiable: true,
            .isSensitive: false, .wasAlwaysSensitive: false, .isExtractable: true, .wasNeverExtractable: false,
            .canEncrypt: !isPrivate, .canDecrypt: isPrivate, .canDerive: isPrivate && key.type != .rsa,
            .canSign: isPrivate, .canVerify: !isPrivate, .canSignRecover: false, .canVerifyRecover: false,
            .canWrap: !isPrivate, .canUnwrap: isPrivate,
        ]
        truths.merge(permissions.said) { $1 }
        var entries: [ItemAttributes.Entry] = [
            .init(.keyClass, .string(isPrivate ? Self.privateClass : "0")),
            .init(.type, .string(String(key.type.code))),
            .init(.keySizeInBits, size), .init(.effectiveKeySize, size),
            .init(.applicationLabel, .data(key.hash.bytes)),
        ]
        if let token = permissions.token { entries.append(.init(.tokenID, .string(token))) }
        entries += KeyPermissions.attributes.map { .init($0, .number(truths[$0] == true ? 1 : 0)) }
        return entries
    }
}

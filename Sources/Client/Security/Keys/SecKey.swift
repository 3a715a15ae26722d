// SPDX-License-Identifier: Apache-2.0

public import CFTypes
internal import KeychainKeys

/// A public or a private key.
///
/// Two are equal when they are the same half of the same key, wherever they came from.
public final class SecKey: Hashable, Sendable, CFTypeIdentified, CustomStringConvertible {
    enum Material: Hashable, Sendable {
        case publicKey(PublicKey)
        case privateKey(PrivateKey)
    }

    let material: Material

    init(_ material: Material) { self.material = material }

    init(_ key: PublicKey) { material = .publicKey(key) }

    init(_ key: PrivateKey) { material = .privateKey(key) }

    /// The public half of either.
    var publicKey: PublicKey {
        switch material {
        case .publicKey(let key): key
        case .privateKey(let key): key.publicKey
        }
    }

    /// The half, the family and the size, nothing of the key.
    public var description: String {
        switch material {
        case .publicKey(let key): "<SecKey: public key (\(key.type), \(key.sizeInBits) bits)>"
        case .privateKey(let key): "<SecKey: \(key)>"
        }
    }

    public static var cfTypeID: CFTypeID { 258 }

    public static func == (left: SecKey, right: SecKey) -> Bool { left.material == right.material }

    public func hash(into hasher: inout Hasher) { hasher.combine(material) }
}

/// The type of ``SecKey`` objects, as `CFGetTypeID` tells it.
public func SecKeyGetTypeID() -> CFTypeID { SecKey.cfTypeID }

// SPDX-License-Identifier: Apache-2.0

import Crypto
public import KeychainModel

/// The keys of a keychain, ready for use: what the service holds while it runs.
///
/// Item keys are not among them; each is unwrapped for one sealing or opening and released.
public struct UnlockedKeybag: Sendable {
    private let classKeys: [Accessibility: ClassKeys]
    private let indexKey: IndexKey

    init(classKeys: [Accessibility: ClassKeys], indexKey: IndexKey) {
        self.classKeys = classKeys
        self.indexKey = indexKey
    }

    /// The index column's content for an attribute's value.
    public func digest(of value: AttributeValue, for key: AttributeKey, in itemClass: ItemClass) -> IndexDigest {
        indexKey.digest(of: value, for: key, in: itemClass)
    }

    /// Whether items of the class can be sealed and opened now.
    public func isAvailable(_ accessibility: Accessibility) -> Bool { classKeys[accessibility] != nil }

    func keys(for accessibility: Accessibility) throws(SealingError) -> ClassKeys {
        guard let keys = classKeys[accessibility] else { throw .keyNotAvailable(accessibility) }
        return keys
    }
}

extension UnlockedKeybag: CustomStringConvertible, CustomReflectable {
    public var description: String { "UnlockedKeybag(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The two keys of one data-protection class.
struct ClassKeys: Sendable {
    /// Wraps item keys.
    let classKey: any StoredKey
    /// Encrypts attributes.
    let metadataKey: any StoredKey
}

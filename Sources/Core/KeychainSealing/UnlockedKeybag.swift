// SPDX-License-Identifier: Apache-2.0

import Crypto
public import KeychainModel

/// The keys of a keychain, ready for use: what the service holds while it runs.
///
/// Item keys are not among them; each is unwrapped for one sealing or opening and released.
public struct UnlockedKeybag: Sendable {
    /// At the place of each class's number: every opening looks here, and hashing would take longer than the look.
    private let classKeys: [ClassKeys?]
    private let indexKey: IndexKey
    /// For item keys and nonces.
    let random: RandomBytes

    init(classKeys: [Accessibility: ClassKeys], indexKey: IndexKey, random: RandomBytes) {
        let numbers = 0...(Accessibility.allCases.map(\.rawValue).max() ?? 0)
        self.classKeys = numbers.map { Accessibility(rawValue: $0).flatMap { classKeys[$0] } }
        self.indexKey = indexKey
        self.random = random
    }

    /// The index column's content for an attribute's value.
    public func digest(of value: AttributeValue, for key: AttributeKey, in itemClass: ItemClass) -> IndexDigest {
        indexKey.digest(of: value, for: key, in: itemClass)
    }

    /// Whether items of the class can be sealed and opened now.
    public func isAvailable(_ accessibility: Accessibility) -> Bool { classKeys[Int(accessibility.rawValue)] != nil }

    func keys(for accessibility: Accessibility) throws(SealingError) -> ClassKeys {
        guard let keys = classKeys[Int(accessibility.rawValue)] else { throw .keyNotAvailable(accessibility) }
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

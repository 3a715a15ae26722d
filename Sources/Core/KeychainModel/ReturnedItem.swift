// SPDX-License-Identifier: Apache-2.0

/// One item of an answer, with the parts that were asked for.
public struct ReturnedItem<Secret> {
    public let reference: PersistentReference
    public let attributes: ItemAttributes?
    /// Nil if not asked for, or if the item was stored without data.
    public let secret: Secret?

    public init(reference: PersistentReference, attributes: ItemAttributes?, secret: Secret?) {
        self.reference = reference
        self.attributes = attributes
        self.secret = secret
    }
}

extension ReturnedItem: Sendable where Secret: Sendable {}

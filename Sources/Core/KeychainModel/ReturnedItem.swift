// SPDX-License-Identifier: Apache-2.0

/// One item of a reply, with the requested parts.
public struct ReturnedItem<Secret> {
    public let reference: PersistentReference
    public let attributes: ItemAttributes?
    /// Nil if not requested, or if the item was stored without data.
    public let secret: Secret?

    public init(reference: PersistentReference, attributes: ItemAttributes?, secret: Secret?) {
        self.reference = reference
        self.attributes = attributes
        self.secret = secret
    }
}

extension ReturnedItem: Sendable where Secret: Sendable {}

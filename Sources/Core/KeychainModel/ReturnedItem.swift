// SPDX-License-Identifier: Apache-2.0

/// One item of a reply, with the requested parts.
public struct ReturnedItem<Secret> {
    public let reference: PersistentReference
    public let attributes: ItemAttributes?
    /// Nil if not requested, or if the item was stored without data.
    public let secret: Secret?
    /// Whether reading the data now would require an approval, an authentication or an unlocked keychain. False unless
    /// ``ReturnedParts/availability`` was requested.
    public let needsApproval: Bool

    public init(
        reference: PersistentReference, attributes: ItemAttributes?, secret: Secret?, needsApproval: Bool = false
    ) {
        self.reference = reference
        self.attributes = attributes
        self.secret = secret
        self.needsApproval = needsApproval
    }
}

extension ReturnedItem: Sendable where Secret: Sendable {}

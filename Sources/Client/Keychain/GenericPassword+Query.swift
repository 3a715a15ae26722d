// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

extension GenericPassword {
    /// The conditions of a search for generic passwords. Nil properties are ignored; an item must meet all others.
    ///
    /// ```swift
    /// let query = GenericPassword.Query(service: "com.example.mail", account: "Ann", matching: .caseInsensitive)
    /// ```
    public struct Query: ItemSelector, DescribedPassword {
        public typealias Item = GenericPassword

        public var service: String?
        public var account: String?
        public var label: String?
        public var itemDescription: String?
        public var comment: String?
        public var generic: [UInt8]?
        public var legacy = LegacyAttributes()
        /// Nil: all of the program's access groups.
        public var accessGroup: String?
        public var accessibility: Accessibility?
        /// By default only items that do not synchronize, as in Apple's keychain.
        public var synchronizable: SynchronizableFilter
        /// The differences between texts that are ignored; none by default. Applies to all texts except the access
        /// group.
        public var matching: TextMatching

        public init(
            service: String? = nil, account: String? = nil, label: String? = nil, comment: String? = nil,
            generic: [UInt8]? = nil, accessGroup: String? = nil, accessibility: Accessibility? = nil,
            synchronizable: SynchronizableFilter = .localOnly, matching: TextMatching = []
        ) {
            self.service = service
            self.account = account
            self.label = label
            self.comment = comment
            self.generic = generic
            self.accessGroup = accessGroup
            self.accessibility = accessibility
            self.synchronizable = synchronizable
            self.matching = matching
        }

        public var selection: ItemSelection<GenericPassword> {
            var encoded = EncodedAttributes(self)
            encoded.put(.service, service)
            encoded.put(.account, account)
            encoded.put(.generic, generic)
            encoded.put(accessibility)
            return ItemSelection(encoded, synchronizable, matching)
        }
    }

    /// New values for attributes of generic passwords. Nil leaves an attribute unchanged: a keychain cannot remove an
    /// attribute, but a text can become empty.
    public struct Changes: AttributeChanges, DescribedPassword {
        public typealias Item = GenericPassword

        public var service: String?
        public var account: String?
        public var label: String?
        public var itemDescription: String?
        public var comment: String?
        public var generic: [UInt8]?
        public var legacy = LegacyAttributes()
        /// Moves the item to another of the program's access groups.
        public var accessGroup: String?
        public var accessibility: Accessibility?
        public var isSynchronizable: Bool?

        public init(
            service: String? = nil, account: String? = nil, label: String? = nil, itemDescription: String? = nil,
            comment: String? = nil, generic: [UInt8]? = nil, accessGroup: String? = nil,
            accessibility: Accessibility? = nil, isSynchronizable: Bool? = nil
        ) {
            self.service = service
            self.account = account
            self.label = label
            self.itemDescription = itemDescription
            self.comment = comment
            self.generic = generic
            self.accessGroup = accessGroup
            self.accessibility = accessibility
            self.isSynchronizable = isSynchronizable
        }

        public var encoded: EncodedAttributes {
            var encoded = EncodedAttributes(self)
            encoded.put(.service, service)
            encoded.put(.account, account)
            encoded.put(.generic, generic)
            encoded.put(accessibility)
            encoded.put(.synchronizable, isSynchronizable)
            return encoded
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

extension InternetPassword {
    /// The conditions of a search for internet passwords. Nil properties are ignored; an item must meet all others.
    ///
    /// ```swift
    /// let query = InternetPassword.Query(hostOrSubdomainOf: "example.com", protocol: .https)
    /// ```
    public struct Query: ItemSelector, DescribedPassword {
        public typealias Item = InternetPassword

        public var server: String?
        /// `kSecMatchHostOrSubdomainOfHost`: the server is this host, or a host below it. `example.com` finds
        /// `example.com` and `mail.example.com`, not `badexample.com`. At most 1024 bytes of UTF-8.
        public var hostOrSubdomainOf: String?
        public var account: String?
        public var `protocol`: InternetProtocol?
        /// 0: items without a port.
        public var port: UInt16?
        public var path: String?
        public var securityDomain: String?
        public var authenticationType: AuthenticationType?
        public var label: String?
        public var itemDescription: String?
        public var comment: String?
        public var legacy = LegacyAttributes()
        /// Nil: all of the program's access groups.
        public var accessGroup: String?
        public var accessibility: Accessibility?
        /// By default only items that do not synchronize, as in Apple's keychain.
        public var synchronizable: SynchronizableFilter
        /// The differences between texts that are ignored; none by default. Applies to all texts except the access
        /// group and the protocol.
        public var matching: TextMatching

        public init(
            server: String? = nil, hostOrSubdomainOf: String? = nil, account: String? = nil,
            protocol: InternetProtocol? = nil, port: UInt16? = nil, path: String? = nil,
            securityDomain: String? = nil, authenticationType: AuthenticationType? = nil, label: String? = nil,
            comment: String? = nil, accessGroup: String? = nil, accessibility: Accessibility? = nil,
            synchronizable: SynchronizableFilter = .localOnly, matching: TextMatching = []
        ) {
            self.server = server
            self.hostOrSubdomainOf = hostOrSubdomainOf
            self.account = account
            self.protocol = `protocol`
            self.port = port
            self.path = path
            self.securityDomain = securityDomain
            self.authenticationType = authenticationType
            self.label = label
            self.comment = comment
            self.accessGroup = accessGroup
            self.accessibility = accessibility
            self.synchronizable = synchronizable
            self.matching = matching
        }

        public var selection: ItemSelection<InternetPassword> {
            var encoded = EncodedAttributes(self)
            encoded.put(.server, server)
            encoded.put(.account, account)
            encoded.put(`protocol`)
            encoded.put(.port, port)
            encoded.put(.path, path)
            encoded.put(.securityDomain, securityDomain)
            encoded.put(.authenticationType, authenticationType?.rawValue)
            encoded.put(accessibility)
            return ItemSelection(encoded, synchronizable, matching, hostOrSubdomain: hostOrSubdomainOf)
        }
    }

    /// New values for attributes of internet passwords. Nil leaves an attribute unchanged: a keychain cannot remove an
    /// attribute, but a text can become empty.
    public struct Changes: AttributeChanges, DescribedPassword {
        public typealias Item = InternetPassword

        public var server: String?
        public var account: String?
        public var `protocol`: InternetProtocol?
        public var port: UInt16?
        public var path: String?
        public var securityDomain: String?
        public var authenticationType: AuthenticationType?
        public var label: String?
        public var itemDescription: String?
        public var comment: String?
        public var legacy = LegacyAttributes()
        /// Moves the item to another of the program's access groups.
        public var accessGroup: String?
        public var accessibility: Accessibility?
        public var isSynchronizable: Bool?

        public init(
            server: String? = nil, account: String? = nil, protocol: InternetProtocol? = nil, port: UInt16? = nil,
            path: String? = nil, securityDomain: String? = nil, authenticationType: AuthenticationType? = nil,
            label: String? = nil, itemDescription: String? = nil, comment: String? = nil, accessGroup: String? = nil,
            accessibility: Accessibility? = nil, isSynchronizable: Bool? = nil
        ) {
            self.server = server
            self.account = account
            self.protocol = `protocol`
            self.port = port
            self.path = path
            self.securityDomain = securityDomain
            self.authenticationType = authenticationType
            self.label = label
            self.itemDescription = itemDescription
            self.comment = comment
            self.accessGroup = accessGroup
            self.accessibility = accessibility
            self.isSynchronizable = isSynchronizable
        }

        public var encoded: EncodedAttributes {
            var encoded = EncodedAttributes(self)
            encoded.put(.server, server)
            encoded.put(.account, account)
            encoded.put(`protocol`)
            encoded.put(.port, port)
            encoded.put(.path, path)
            encoded.put(.securityDomain, securityDomain)
            encoded.put(.authenticationType, authenticationType?.rawValue)
            encoded.put(accessibility)
            encoded.put(.synchronizable, isSynchronizable)
            return encoded
        }
    }
}

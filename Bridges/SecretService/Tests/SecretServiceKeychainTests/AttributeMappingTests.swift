// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import SecretServiceKeychain

/// The attributes of items that the Secret Service did not store, and the searches that find them.
@Suite struct AttributeMappingTests {
    private func item(_ itemClass: ItemClass, _ entries: [ItemAttributes.Entry]) throws -> ItemAttributes {
        try ItemAttributes(itemClass, for: .add, entries)
    }

    @Test func `a generic password has the attributes of libsecret's generic schema`() throws {
        let mail = try item(.genericPassword, [.init(.service, .string("mail")), .init(.account, .string("ann"))])
        #expect(
            AttributeMapping.attributes(of: mail) == [
                "xdg:schema": "org.freedesktop.Secret.Generic", "service": "mail", "account": "ann", "username": "ann",
            ])
        let bare = try item(.genericPassword, [.init(.account, .string("")), .init(.service, .data([0xFF]))])
        #expect(AttributeMapping.attributes(of: bare) == ["xdg:schema": "org.freedesktop.Secret.Generic"])
    }

    @Test func `an internet password has the attributes of libsecret's network schema`() throws {
        let site = try item(
            .internetPassword,
            [
                .init(.server, .string("example.org")), .init(.account, .string("ann")),
                .init(.securityDomain, .string("Staff")), .init(.path, .string("/a")),
                .init(.protocol, .string("htps")),
                .init(.authenticationType, .string("httd")), .init(.port, .number(8443)),
            ])
        #expect(
            AttributeMapping.attributes(of: site) == [
                "xdg:schema": "org.gnome.keyring.NetworkPassword", "server": "example.org", "user": "ann",
                "domain": "Staff", "object": "/a", "protocol": "https", "authtype": "digest", "port": "8443",
            ])
        // Apple's older functions store the characters of a protocol as a number.
        let old = try item(.internetPassword, [.init(.protocol, .number(0x6874_7470)), .init(.port, .number(0))])
        #expect(
            AttributeMapping.attributes(of: old) == [
                "xdg:schema": "org.gnome.keyring.NetworkPassword", "protocol": "http",
            ])
    }

    @Test func `an item of the Secret Service has the attributes that it was stored with`() throws {
        let lookup = try LookupAttributes(["user": "ann", "xdg:schema": "org.example"])
        let item = try item(
            .genericPassword, [AttributeMapping.lookupEntry(lookup), .init(.service, .string("another"))])
        #expect(AttributeMapping.attributes(of: item) == ["user": "ann", "xdg:schema": "org.example"])
        let empty = try self.item(.genericPassword, [AttributeMapping.lookupEntry(try LookupAttributes([:]))])
        #expect(AttributeMapping.attributes(of: empty) == [:])
    }

    @Test(arguments: [
        (["xdg:schema": "org.example", "user": "ann"], [false]),
        (["service": "mail", "username": "ann"], [false, true]),
        (["service": "mail", "account": "ann", "xdg:schema": "org.freedesktop.Secret.Generic"], [false, true]),
        (["username": "ann", "account": "bob"], [false]),
        (["service": ""], [false]),
        (["server": "example.org", "port": "443"], [false, false]),
        (["server": "example.org", "port": "0443"], [false]),
        (["server": "example.org", "port": "70000"], [false]),
        (["server": "example.org", "xdg:schema": "org.freedesktop.Secret.Generic"], [false]),
        (["server": "example.org", "color": "red"], [false]),
        // Nothing but a schema would read all items.
        (["xdg:schema": "org.freedesktop.Secret.Generic"], [false]),
        (["xdg:schema": "org.gnome.keyring.NetworkPassword"], [false]),
    ])
    func `a search asks for other items only if they can have the attributes`(
        _ attributes: [String: String], _ expected: [Bool]
    ) {
        let searches = AttributeMapping.searches(for: attributes)
        #expect(searches.map(\.isBroader) == expected)
        // Each of them is limited by an index, so that the search does not open all items.
        #expect(searches.allSatisfy { !$0.query.attributes.isEmpty && $0.query.textMatching.isEmpty })
    }

    @Test func `the query for an internet password has the keychain's values`() throws {
        let searches = AttributeMapping.searches(for: [
            "server": "example.org", "protocol": "https", "authtype": "basic", "port": "443", "object": "/a",
        ])
        let query = try #require(searches.last?.query)
        #expect(query.itemClass == .internetPassword)
        #expect(query.attributes[.protocol] == .string("htps"))
        #expect(query.attributes[.authenticationType] == .string("http"))
        #expect(query.attributes[.port] == .number(443))
        #expect(query.attributes[.path] == .string("/a"))
        #expect(query.attributes[.server] == .string("example.org"))
    }

    @Test(arguments: [
        (["service": "mail", "user": "ann"], "mail", "ann"),
        (["application": "chromium", "xdg:schema": "chrome"], "chromium", ""),
        (["xdg:schema": "org.example", "color": "red"], "org.example", ""),
        (["service": "", "domain": "example.org", "username": "ann"], "example.org", "ann"),
        ([:], "Secret Service", ""),
    ])
    func `a new item is listed under readable names`(
        _ attributes: [String: String], _ service: String, _ account: String
    ) throws {
        let name = try LookupAttributes(attributes).itemName
        #expect((name.service, name.account) == (service, account))
    }
}

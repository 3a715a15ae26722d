// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainTesting
import Testing

struct InternetPasswordTests {
    private let keychain: UserKeychain
    private let site = InternetPassword(server: "example.com", account: "ann", protocol: .https)

    init() throws { keychain = try InMemoryKeychain().keychain }

    private static let full: InternetPassword = {
        var item = InternetPassword(
            server: "example.com", account: "ann", protocol: .https, port: 8443, path: "/login",
            securityDomain: "members", authenticationType: .htmlForm, label: "l", itemDescription: "d", comment: "c",
            accessGroup: "tests", accessibility: .afterFirstUnlock, isSynchronizable: true)
        item.legacy = LegacyAttributes(
            creator: .max, type: 1, scriptCode: 3, alias: [1, 0], isInvisible: true, isNegative: false,
            hasCustomIcon: true)
        return item
    }()

    @Test func `all attributes come back as they were given`() async throws {
        try await keychain.add(Self.full, secret: SecretData(utf8: "1"))
        let found = try #require(try await keychain.reveal(Self.full))
        #expect(found.item.attributes == Self.full && found.secret?.utf8String == "1")
    }

    @Test func `attributes that were not given come back as not given`() async throws {
        var bare = InternetPassword(server: "", accessGroup: "tests")
        try await keychain.add(bare, secret: nil)
        #expect(try await keychain.find(bare)?.attributes == bare)
        bare.port = 1
        #expect(try await !keychain.contains(bare))
    }

    @Test func `items that differ in one thing that names them are different items`() async throws {
        for change in [
            { $0.protocol = .http }, { $0.protocol = .unspecified }, { $0.port = 443 },
            { $0.authenticationType = .httpBasic }, { $0.server = "other" }, { $0.account = "other" },
            { $0.path = "other" }, { $0.securityDomain = "other" }, { $0.isSynchronizable = true },
        ] as [(inout InternetPassword) -> Void] {
            var other = site
            change(&other)
            try await expectDifferent(other)
        }
    }

    private func expectDifferent(_ other: InternetPassword) async throws {
        try await keychain.add(site, secret: SecretData(utf8: "site"))
        try await keychain.add(other, secret: SecretData(utf8: "other"))
        #expect(try await keychain.secret(for: site)?.utf8String == "site")
        #expect(try await keychain.secret(for: other)?.utf8String == "other")
        #expect(try await keychain.delete(other))
        #expect(try await keychain.delete(site))
    }

    @Test func `items that differ in nothing that names them are the same item`() async throws {
        try await keychain.add(site, secret: nil)
        var same = site
        same.label = "l"
        same.comment = "c"
        same.accessibility = .always
        await expectError(.duplicateItem) { () throws(KeychainError) in try await keychain.add(same, secret: nil) }
        try await keychain.store(same, secret: SecretData(utf8: "1"))
        #expect(try await keychain.find(site)?.label == "l")
    }

    @Test func `a search by each attribute finds its item and no other`() async throws {
        try await keychain.add(Self.full, secret: nil)
        try await keychain.add(InternetPassword(server: "x", isSynchronizable: true), secret: nil)
        var queries = [
            InternetPassword.Query(server: "example.com"), .init(account: "ann"), .init(protocol: .https),
            .init(port: 8443), .init(path: "/login"), .init(securityDomain: "members"),
            .init(authenticationType: .htmlForm), .init(label: "l"), .init(comment: "c"),
            .init(accessibility: .afterFirstUnlock), .init(hostOrSubdomainOf: "example.com"),
        ]
        for set in [
            { $0.itemDescription = "d" }, { $0.legacy.creator = .max }, { $0.legacy.type = 1 },
            { $0.legacy.isInvisible = true }, { $0.legacy.isNegative = false }, { $0.legacy.hasCustomIcon = true },
            { $0.legacy.alias = [1, 0] }, { $0.legacy.scriptCode = 3 },
        ] as [(inout InternetPassword.Query) -> Void] {
            var query = InternetPassword.Query()
            set(&query)
            queries.append(query)
        }
        for var query in queries {
            #expect(try await keychain.findAll(query).isEmpty, "it synchronizes")
            query.synchronizable = .synchronizableOnly
            #expect(try await keychain.findAll(query).map(\.server) == ["example.com"], "\(query)")
        }
    }

    @Test func `a query can ask for items that have no port, protocol or authentication type`() async throws {
        try await keychain.add(Self.full, secret: nil)
        try await keychain.add(InternetPassword(server: "x", isSynchronizable: true), secret: nil)
        for query in [
            InternetPassword.Query(port: 0), .init(protocol: .unspecified), .init(authenticationType: .unspecified),
            .init(path: ""),
        ] {
            var query = query
            query.synchronizable = .any
            #expect(try await keychain.findAll(query).map(\.server) == ["x"], "\(query)")
        }
    }

    @Test func `every attribute can be changed`() async throws {
        let both = try InMemoryKeychain(accessGroups: ["first", "tests"]).keychain
        let reference = try await both.add(site, secret: nil)
        var changes = InternetPassword.Changes(
            server: "s", account: "a", protocol: .unspecified, port: 1, path: "p", securityDomain: "sd",
            authenticationType: .ntlm, label: "l", itemDescription: "d", comment: "c", accessGroup: "tests",
            accessibility: .always, isSynchronizable: true)
        changes.legacy = LegacyAttributes(
            creator: 1, type: 2, scriptCode: 4, alias: [2], isInvisible: true, isNegative: true, hasCustomIcon: false)
        try await both.update(reference, applying: changes)
        var expected = InternetPassword(
            server: "s", account: "a", port: 1, path: "p", securityDomain: "sd", authenticationType: .ntlm,
            label: "l", itemDescription: "d", comment: "c", accessGroup: "tests", accessibility: .always,
            isSynchronizable: true)
        expected.legacy = changes.legacy
        #expect(try await both.find(reference)?.attributes == expected)
    }

    @Test func `the two classes do not see each other`() async throws {
        try await keychain.add(site, secret: nil)
        try await keychain.add(GenericPassword(service: "s", account: "ann"), secret: nil)
        #expect(try await keychain.findAll(InternetPassword.Query(account: "ann")).count == 1)
        #expect(try await keychain.deleteAll(GenericPassword.Query()))
        #expect(try await keychain.contains(site))
    }

    @Test(arguments: [
        ("example.com", ["example.com", "a.b.example.com", "mail.example.com"]),
        ("mail.example.com", ["mail.example.com"]),
        ("com", ["com", "example.com", "a.b.example.com", "mail.example.com", "badexample.com"]), ("xample.com", []),
    ])
    func `a host matches itself and its subdomains`(_ host: String, _ servers: [String]) async throws {
        for server in ["example.com", "mail.example.com", "a.b.example.com", "badexample.com", "com", "example.org"] {
            try await keychain.add(InternetPassword(server: server), secret: nil)
        }
        let found = try await keychain.findAll(InternetPassword.Query(hostOrSubdomainOf: host))
        #expect(Set(found.map(\.server)) == Set(servers))
        #expect(try await keychain.contains(InternetPassword.Query(hostOrSubdomainOf: host)) == !servers.isEmpty)
    }

    // MARK: URLs

    @Test(
        arguments: [
            ("https://example.com", .https, 0, ""), ("https://example.com/", .https, 0, "/"),
            ("HTTP://Example.com:8080/a/b?q=1#f", .http, 8080, "/a/b"), ("ssh://example.com:22", .ssh, 22, ""),
            ("imaps://example.com/in%20box", .imaps, 0, "/in%20box"),
        ] as [(String, InternetProtocol, UInt16, String)])
    func `a URL says protocol, server, port and path`(
        _ text: String, _ expected: InternetProtocol, _ port: UInt16, _ path: String
    ) throws {
        let url = try #require(URL(string: text))
        let item = InternetPassword(url: url, account: "ann")
        #expect(
            item
                == InternetPassword(
                    server: "example.com", account: "ann", protocol: expected, port: port, path: path))
    }

    @Test(arguments: ["/only/a/path", "mailto:ann@example.com", "file:///etc/passwd", "unheard-of://example.com"])
    func `a URL without a host, or of a scheme that no protocol stands for, is none`(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(InternetPassword(url: url, account: "ann") == nil)
    }

    @Test(arguments: [
        "https://example.com", "https://example.com:8443/login", "ftp://example.com/a%20b", "http://[::1]:8080/",
    ])
    func `what was made of a URL gives it back`(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(InternetPassword(url: url, account: "ann")?.url == url)
    }

    @Test func `no URL is made where one does not say it all`() {
        #expect(InternetPassword(server: "example.com").url == nil, "no protocol")
        #expect(InternetPassword(server: "", protocol: .https).url == nil)
        #expect(InternetPassword(server: "example.com", protocol: .httpsProxy).url == nil, "there is no such scheme")
        #expect(InternetPassword(server: "a/b", protocol: .https).url == nil, "no host")
    }
}

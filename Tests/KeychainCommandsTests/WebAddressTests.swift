// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@testable import KeychainCommands

@Suite("addresses of internet passwords")
struct WebAddressTests {
    @Test(
        arguments: [
            ("https://example.org", "htps", "example.org", 0, ""),
            ("HTTPS://Example.ORG/", "htps", "example.org", 0, ""),
            ("https://example.org:443/", "htps", "example.org", 0, ""),
            ("https://example.org:", "htps", "example.org", 0, ""),
            ("https://example.org:8443/a/b?c=d#e", "htps", "example.org", 8443, "/a/b?c=d#e"),
            ("http://example.org:443", "http", "example.org", 443, ""), ("http://h?q", "http", "h", 0, "/?q"),
            ("https://h#f", "htps", "h", 0, "/#f"), ("ftp://h/", "ftp ", "h", 0, ""),
            ("ssh://h:22", "ssh ", "h", 0, ""),
            ("imaps://mail.example.org", "imps", "mail.example.org", 0, ""), ("http://[::1]:80/", "http", "::1", 0, ""),
            ("http://[fe80::1%25eth0]:81/x", "http", "fe80::1%25eth0", 81, "/x"),
            ("https://bücher.example/ä", "htps", "bücher.example", 0, "/ä"),
            ("https://h/a@b:c", "htps", "h", 0, "/a@b:c"), ("https://192.0.2.1:65535", "htps", "192.0.2.1", 65535, ""),
            ("example.org", nil, "example.org", 0, ""), ("Example.org:8080/x", nil, "example.org", 8080, "/x"),
            ("localhost", nil, "localhost", 0, ""), ("[::1]", nil, "::1", 0, ""),
            ("h:/://path", nil, "h", 0, "/://path"), ("h?a://b", nil, "h", 0, "/?a://b"),
        ] as [(String, String?, String, UInt16, String)])
    func `a URL has a protocol, a host, a port and a path`(
        url: String, code: String?, host: String, port: UInt16, path: String
    ) throws {
        let address = try WebAddress.parse(url).address
        #expect(address == WebAddress(host: host, protocolCode: code, port: port, path: path))
        #expect(address.host == host && address.port == port && address.path == path)
        // And back.
        #expect(try WebAddress.parse(address.text).address == address)
        let attributes = try ItemAttributes(.internetPassword, for: .add, address.entries)
        #expect(WebAddress(attributes) == address)
    }

    @Test(
        arguments: [
            ("https://", .noHost), ("https:///x", .noHost), ("https://:80", .noHost), ("https://a b/", .badHost),
            ("https://a<b", .badHost), ("https://[::1", .badHost), ("https://[::1]x", .badHost),
            ("https://[a/b]", .badHost), ("https://[a%25]", .badHost), ("https://[host]", .badHost),
            ("https://h:0", .badPort), ("https://h:65536", .badPort), ("https://h:8x", .badPort),
            ("https://h:-1", .badPort),
            ("https://h:+80", .badPort), ("https://h:٣", .badPort),
            ("https://u:p@h/", .holdsPassword), ("https://:@h/", .holdsPassword), ("https://u%ZZ@h/", .badUser),
            ("https://u%FF@h/", .badUser),
            ("mailto:ann@example.org", .notWeb), ("android://hash==@com.example/", .notWeb), ("://h", .notWeb),
            ("two words", .notWeb),
            ("", .notWeb), ("ann@h", .notWeb), ("h:port", .notWeb), ("https:h", .notWeb), ("sftp://h", .notWeb),
            ("https\u{301}://h", .notWeb), ("https://h\u{0}", .badHost),
        ] as [(String, WebAddress.Problem)])
    func `text that is not an address is refused with its reason`(url: String, problem: WebAddress.Problem) {
        #expect(throws: problem) { try WebAddress.parse(url) }
    }

    @Test func `the user of a URL is decoded`() throws {
        #expect(try WebAddress.parse("https://ann%40example.org@h/").user == "ann@example.org")
        #expect(try WebAddress.parse("https://@h/").user == "")
        #expect(try WebAddress.parse("https://h/").user == nil)
    }

    @Test func `every protocol with a scheme comes back from it`() throws {
        let codes = [
            "htps", "http", "ftp ", "ftps", "ssh ", "imap", "imps", "pop3", "pops", "smtp", "ldap", "ldps", "nntp",
            "ntps", "teln", "tels",
            "irc ", "ircs", "smb ", "afp ", "rtsp", "ipp ", "sox ", "daap", "eppc",
        ]
        for code in codes {
            let address = WebAddress(host: "h", protocolCode: code, port: 7)
            #expect(address.text.contains("://"))
            #expect(try WebAddress.parse(address.text).address == address)
        }
    }

    @Test func `a protocol that is stored as a number is the same`() throws {
        let code = Int64(AttributeKey(name: "htps")!.code)
        let attributes = try ItemAttributes(
            .internetPassword, for: .add,
            [
                .init(.server, .data(Array("h".utf8))), .init(.protocol, .number(code)), .init(.port, .number(443)),
                .init(.path, .string("x")),
            ])
        #expect(WebAddress(attributes)?.text == "https://h/x")
    }

    @Test func `an item without a server has no address`() throws {
        #expect(WebAddress(try ItemAttributes(.internetPassword, for: .add, [])) == nil)
        #expect(WebAddress(try ItemAttributes(.internetPassword, for: .add, [.init(.server, .string(""))])) == nil)
    }
}

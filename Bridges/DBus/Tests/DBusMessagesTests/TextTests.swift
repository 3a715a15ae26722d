// SPDX-License-Identifier: Apache-2.0

import DBusMessages
import Testing

/// Chapters "Valid Names", "Server Addresses", "Match Rules" and "Authentication Protocol" of the D-Bus Specification.
@Suite struct NameTests {
    @Test(arguments: ["/", "/a", "/a/b_9", "/9"])
    func `object paths`(_ text: String) { #expect(ObjectPath(rawValue: text)?.rawValue == text) }

    @Test(arguments: ["", "a", "//", "/a/", "/a//b", "/a-b", "/\u{E9}", "/a\0"])
    func `no object paths`(_ text: String) { #expect(ObjectPath(rawValue: text) == nil) }

    @Test(arguments: ["a.b", "org.freedesktop.login1", "_a._9"])
    func `names of interfaces`(_ text: String) { #expect(InterfaceName(rawValue: text)?.rawValue == text) }

    @Test(arguments: ["", "a", ".a", "a.", "a..b", "a.9b", "a-b.c", "a b.c"])
    func `no names of interfaces`(_ text: String) { #expect(InterfaceName(rawValue: text) == nil) }

    @Test(arguments: [":1.42", ":1.a-b", "a.b-c", "org.freedesktop.login1", "_a.b"])
    func `names of connections`(_ text: String) {
        #expect(BusName(rawValue: text)?.rawValue == text)
        #expect(BusName(rawValue: text)?.isUnique == text.hasPrefix(":"))
    }

    @Test(arguments: ["", ":", ":1", "1.2", "a", "a.9", "a:b.c", ":1..2"])
    func `no names of connections`(_ text: String) { #expect(BusName(rawValue: text) == nil) }

    @Test func `names have at most 255 bytes`() {
        let long = String(repeating: "a", count: 255)
        #expect(MemberName(rawValue: long) != nil)
        #expect(MemberName(rawValue: long + "a") == nil)
        #expect(InterfaceName(rawValue: "a." + long.dropLast(2)) != nil)
        #expect(InterfaceName(rawValue: "a." + long.dropLast(1)) == nil)
        #expect(BusName(rawValue: ":1." + long.dropLast(3)) != nil)
        #expect(BusName(rawValue: ":1." + long.dropLast(2)) == nil)
        #expect(MemberName(rawValue: "9a") == nil)
        #expect(MemberName(rawValue: "") == nil)
    }
}

@Suite struct ServerAddressTests {
    @Test func `the addresses that buses print are understood`() throws {
        #expect(
            try ServerAddress.list("unix:path=/tmp/dbus-Xy,guid=0123456789abcdef0123456789abcdef") == [
                .path("/tmp/dbus-Xy")
            ])
        #expect(try ServerAddress.list("unix:abstract=/tmp/dbus-Xy") == [.abstract("/tmp/dbus-Xy")])
        #expect(
            try ServerAddress.list("tcp:host=localhost,port=1;unix:path=/a%20b%25;unix:path=/c") == [
                .path("/a b%"), .path("/c"),
            ])
    }

    @Test(arguments: [
        "", "unix", "unix:path", "tcp:host=a,port=1", "unix:path=/a%2", "unix:path=/a%zz", "unix:path=/a%00b",
        "unix:path=%ff", "unix:path=/a,abstract=b",
    ])
    func `an address that is not a Unix socket is refused`(_ text: String) {
        #expect(throws: ServerAddress.Malformed.self) { try ServerAddress.list(text) }
    }
}

@Suite struct MatchRuleTests {
    @Test func `a match rule quotes its values`() {
        #expect(MatchRule().text == "type='signal'")
        #expect(
            MatchRule(
                sender: "org.freedesktop.login1", path: "/org", interface: "a.b", member: "Lock", firstArgument: "it's"
            ).text
                == "type='signal',sender='org.freedesktop.login1',path='/org',interface='a.b',member='Lock',arg0='it'\\''s'"
        )
        #expect(MatchRule(arguments: [2: "", 0: "a"]).text == "type='signal',arg0='a',arg2=''")
    }
}

@Suite struct AuthenticationTests {
    private func talk(_ authentication: inout Authentication, _ text: String) throws -> [String] {
        var bytes = Array(text.utf8)[...]
        var answers: [String] = []
        while let answer = try authentication.receive(&bytes) {
            answers.append(String(decoding: answer, as: UTF8.self))
        }
        return answers
    }

    @Test func `the specification's example`() throws {
        var authentication = Authentication()
        #expect(Authentication.opening(user: 1000) == [0] + Array("AUTH EXTERNAL 31303030\r\n".utf8))
        #expect(try talk(&authentication, "OK 1234deadbeef\r\n") == ["NEGOTIATE_UNIX_FD\r\n"])
        #expect(!authentication.isFinished)
        #expect(try talk(&authentication, "AGREE_UNIX_FD\r\n") == ["BEGIN\r\n"])
        #expect(authentication.isFinished && authentication.passesDescriptors)
    }

    @Test func `lines may come in pieces`() throws {
        var authentication = Authentication()
        var answers: [String] = []
        for byte in "OK 1234deadbeef\r\nAGREE_UNIX_FD\r\n" { answers += try talk(&authentication, String(byte)) }
        #expect(answers == ["NEGOTIATE_UNIX_FD\r\n", "BEGIN\r\n"])
    }

    @Test func `a bus that passes no descriptors is taken as it is`() throws {
        var authentication = Authentication()
        _ = try talk(&authentication, "OK 1234deadbeef\r\n")
        #expect(try talk(&authentication, "ERROR no such thing\r\n") == ["BEGIN\r\n"])
        #expect(authentication.isFinished && !authentication.passesDescriptors)
    }

    @Test func `a client that wants no descriptors does not ask for them`() throws {
        var authentication = Authentication(requestsDescriptors: false)
        #expect(try talk(&authentication, "OK 1234deadbeef\r\n") == ["BEGIN\r\n"])
        #expect(authentication.isFinished && !authentication.passesDescriptors)
    }

    @Test func `a client that is rejected, or receives an invalid or too long answer, gives up`() {
        var authentication = Authentication()
        #expect(throws: Authentication.Error.rejected) { try talk(&authentication, "REJECTED KERBEROS_V4\r\n") }
        authentication = Authentication()
        #expect(throws: Authentication.Error.unexpected) { try talk(&authentication, "AGREE_UNIX_FD\r\n") }
        authentication = Authentication()
        #expect(throws: Authentication.Error.unexpected) {
            try talk(&authentication, String(repeating: "a", count: Authentication.lineBytes + 1))
        }
    }
}

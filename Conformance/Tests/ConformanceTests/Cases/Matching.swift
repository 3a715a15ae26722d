// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    @Suite struct `Matching` {
        @Test("C084 a host finds itself and the hosts below it")
        func c084() {
            add(PasswordClass.internet.item("a", "origin.example.com"))
            func byHost(_ host: String) -> OSStatus {
                probe(PasswordClass.internet.query([kSecMatchHostOrSubdomainOfHost: host]))
            }
            #expect(byHost("example.com") == errSecSuccess)
            #expect(byHost("origin.example.com") == errSecSuccess)
            for host in ["foobar.com", "xample.com", "rigin.example.com", "www.origin.example.com", "com.", "example"] {
                #expect(byHost(host) == errSecItemNotFound, "\(host)")
            }
            #expect(byHost("com") == errSecSuccess)
        }

        @Test("C084 the host is looked at before the limit")
        func c084Limit() throws {
            for number in 0..<5 { add(PasswordClass.internet.item("\(number)", "elsewhere.org")) }
            add(PasswordClass.internet.item("wanted", "www.example.com"))
            for number in 5..<10 { add(PasswordClass.internet.item("\(number)", "elsewhere.org")) }
            let found = try attributes(.internet, [kSecMatchHostOrSubdomainOfHost: "example.com"])
            #expect(found[kSecAttrAccount] as? String == "wanted")
            #expect(count(.internet, [kSecMatchHostOrSubdomainOfHost: "elsewhere.org"]) == 10)
            #expect(
                count(.internet, [kSecMatchHostOrSubdomainOfHost: "elsewhere.org", kSecAttrAccount: "7"]) == 1)
        }

        // Apple's data-protection keychain accepts the key and ignores it, so it finds nothing here. This keychain
        // supports the key on purpose (Documentation/Differences.md); the search in Apple's own guide works.
        @Test("C085 case is ignored by who asks for it", arguments: PasswordClass.allCases)
        func c085(_ itemClass: PasswordClass) {
            add(itemClass.item("abc", "Apple Store", [kSecValueData: Data([1])]))
            let query = itemClass.query([kSecAttrAccount: "ABC", kSecMatchCaseInsensitive: true])
            #if os(Linux)
                #expect(probe(query) == errSecSuccess)
                #expect(
                    find(
                        itemClass.item(
                            "aBc", "APPLE STORE",
                            [kSecMatchCaseInsensitive: kCFBooleanTrue as Any, kSecReturnData: true]))
                        as? Data == Data([1]))
            #else
                #expect(probe(query) == errSecItemNotFound)
            #endif
            #expect(probe(itemClass.query([kSecAttrAccount: "ABC"])) == errSecItemNotFound)
            #expect(
                probe(itemClass.query([kSecAttrAccount: "ABC", kSecMatchCaseInsensitive: false])) == errSecItemNotFound)
            #expect(
                probe(itemClass.query([kSecAttrAccount: "ABCD", kSecMatchCaseInsensitive: true])) == errSecItemNotFound)
        }

        @Test("C085 names that differ in case are two items all the same", arguments: PasswordClass.allCases)
        func c085Uniqueness(_ itemClass: PasswordClass) {
            add(itemClass.item("abc", "s"))
            add(itemClass.item("ABC", "s"))
            #if os(Linux)
                #expect(count(itemClass, [kSecAttrAccount: "Abc", kSecMatchCaseInsensitive: true]) == 2)
                #expect(count(itemClass, [kSecAttrAccount: "abc", kSecMatchCaseInsensitive: true]) == 2)
            #endif
            #expect(count(itemClass, [kSecAttrAccount: "abc"]) == 1)
        }

        #if os(Linux)
            @Test("diacritics and width are ignored by who asks for it", arguments: PasswordClass.allCases)
            func otherFolding(_ itemClass: PasswordClass) {
                add(itemClass.item("café", "s"))
                add(itemClass.item("ｗｉｄｅ", "s"))
                let (case_, diacritics, width) = (
                    kSecMatchCaseInsensitive, kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive
                )
                #expect(probe(itemClass.query([kSecAttrAccount: "cafe", diacritics: true])) == errSecSuccess)
                #expect(probe(itemClass.query([kSecAttrAccount: "CAFE", diacritics: true])) == errSecItemNotFound)
                #expect(
                    probe(itemClass.query([kSecAttrAccount: "CAFE", diacritics: true, case_: true])) == errSecSuccess)
                #expect(probe(itemClass.query([kSecAttrAccount: "cafe", case_: true])) == errSecItemNotFound)
                #expect(probe(itemClass.query([kSecAttrAccount: "wide", width: true])) == errSecSuccess)
                #expect(probe(itemClass.query([kSecAttrAccount: "WIDE", width: true])) == errSecItemNotFound)
                #expect(
                    probe(itemClass.query([kSecAttrAccount: "WIDÉ", width: true, case_: true, diacritics: true]))
                        == errSecSuccess)
            }
        #endif
    }
}

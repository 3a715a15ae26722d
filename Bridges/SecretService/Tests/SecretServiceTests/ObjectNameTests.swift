// SPDX-License-Identifier: Apache-2.0

import DBusMessages
import Testing

@testable import SecretService

@Suite struct ObjectNameTests {
    private static let root = "/org/freedesktop/secrets"

    @Test(arguments: [
        (ObjectName.service, ""),
        (.collection(.login), "/collection/login"),
        (.collection(.session), "/collection/session"),
        (.collection(CollectionID("My keys_2.keychain-db")), "/collection/My_20keys_5f2_2ekeychain_2ddb"),
        (.collection(CollectionID("é")), "/collection/_c3_a9"),
        (.collection(CollectionID("")), "/collection/_"),
        (.alias("default"), "/aliases/default"),
        (.item(ItemID(.login, "17")), "/collection/login/17"),
        (.item(ItemID(CollectionID("a/b"), "../c")), "/collection/a_2fb/_2e_2e_2fc"),
        (.session(7), "/session/s7"),
        (.prompt(18_446_744_073_709_551_615), "/prompt/p18446744073709551615"),
    ])
    func `each object has one path, which leads back to it`(_ name: ObjectName, _ path: String) throws {
        #expect(name.path.rawValue == Self.root + path)
        #expect(ObjectPath(rawValue: Self.root + path) == name.path)
        #expect(ObjectName(name.path) == name)
    }

    @Test(arguments: [
        "/", "/org/freedesktop", "/org/freedesktop/secrets2", "/org/freedesktop/secrets/collection",
        "/org/freedesktop/secrets/collection/login/1/2", "/org/freedesktop/secrets/other/login",
        "/org/freedesktop/secrets/aliases/default/1", "/org/freedesktop/secrets/session/7",
        "/org/freedesktop/secrets/session/s", "/org/freedesktop/secrets/session/s07",
        "/org/freedesktop/secrets/session/s18446744073709551616", "/org/freedesktop/secrets/prompt/s1",
        // Digits that are missing, in upper case, or not needed; bytes that are not UTF-8.
        "/org/freedesktop/secrets/collection/a_2", "/org/freedesktop/secrets/collection/a_2F",
        "/org/freedesktop/secrets/collection/_61", "/org/freedesktop/secrets/collection/_ff",
    ])
    func `a path of no object leads to none`(_ path: String) throws {
        #expect(ObjectName(try #require(ObjectPath(rawValue: path))) == nil)
    }
}

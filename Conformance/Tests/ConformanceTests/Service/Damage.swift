// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import Security
    import Testing

    // Rows are damaged while the service is stopped. This is possible only with this project's database.
    extension Conformance {
        @Suite(.enabled(if: Service.isOurs)) struct `Damaged items` {
            /// The sealed parts of an item, in columns of its row.
            enum Part: String, CaseIterable, Sendable {
                case attributes, data
                case key = "item_key"
            }

            /// Changes the last byte of a part, which belongs to the authentication tag.
            private func damage(_ part: Part, of reference: Data) throws {
                let script = """
                    import sqlite3, sys
                    path, table, column, item = sys.argv[1:]
                    with sqlite3.connect(path) as database:
                        found = database.execute(f"SELECT {column} FROM {table} WHERE item = ?", [bytes.fromhex(item)])
                        (value,), = found.fetchall()
                        value = value[:-1] + bytes([value[-1] ^ 1])
                        changed = database.execute(
                            f"UPDATE {table} SET {column} = ? WHERE item = ?", [value, bytes.fromhex(item)])
                        assert changed.rowcount == 1
                    database.close()
                    """
                let table = String(decoding: reference.prefix(4), as: UTF8.self)
                let item = reference.dropFirst(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                try Service.shared.whileStopped { database in
                    let words = ["python3", "-c", script, database, table, part.rawValue, item]
                    _ = try #require(try Service.shared.run("/usr/bin/env", words), "the row was not damaged")
                }
            }

            /// Returns the number of an item's row, which references of 12 bytes contain.
            private func row(of reference: Data) throws -> UInt64 {
                let script = """
                    import sqlite3, sys
                    path, table, item = sys.argv[1:]
                    with sqlite3.connect(path) as database:
                        print(database.execute(f"SELECT id FROM {table} WHERE item = ?", [bytes.fromhex(item)]).fetchone()[0])
                    database.close()
                    """
                let table = String(decoding: reference.prefix(4), as: UTF8.self)
                let item = reference.dropFirst(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                var output: Data?
                try Service.shared.whileStopped { database in
                    output = try Service.shared.run("/usr/bin/env", ["python3", "-c", script, database, table, item])
                }
                let text = String(decoding: try #require(output), as: UTF8.self)
                return try #require(UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            }

            private func three(_ itemClass: PasswordClass) throws -> [Data] {
                try (1...3).map { try addedReference(itemClass, "\($0)", "s", [kSecValueData: Data([UInt8($0)])]) }
            }

            @Test("C028 the readable ones of several come back", arguments: PasswordClass.allCases)
            func c028(_ itemClass: PasswordClass) throws {
                let references = try three(itemClass)
                try damage(.attributes, of: references[0])
                let found = find(
                    itemClass.query([
                        kSecReturnData: true, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
                    ]))
                let items = try #require(found as? [Entries])
                #expect(Set(items.compactMap { $0[kSecValueData] as? Data }) == [Data([2]), Data([3])])
            }

            @Test("C029 an item whose secret is damaged is not found, and then gone", arguments: PasswordClass.allCases)
            func c029(_ itemClass: PasswordClass) throws {
                let references = try three(itemClass)
                try damage(.data, of: references[1])
                var result: CFTypeRef?
                #expect(
                    SecItemCopyMatching(itemClass.item("2", "s", [kSecReturnData: true]), &result) == errSecItemNotFound
                )
                #expect(result == nil)
                #expect(probe(itemClass.item("2", "s")) == errSecItemNotFound)
                #expect(probe([kSecValuePersistentRef: references[1]] as CFDictionary) == errSecItemNotFound)
                #expect(count(itemClass) == 2)
            }

            @Test("C030 an item is added over a damaged one", arguments: PasswordClass.allCases, Part.allCases)
            func c030(_ itemClass: PasswordClass, _ part: Part) throws {
                let references = try three(itemClass)
                try damage(part, of: references[1])
                add(itemClass.item("2", "s", [kSecValueData: Data([9])]))
                #expect(data(itemClass, "2", "s") == Data([9]))
            }

            @Test(
                "C030 an item is added over an item that was found damaged", arguments: PasswordClass.allCases,
                Part.allCases)
            func c030Noticed(_ itemClass: PasswordClass, _ part: Part) throws {
                let references = try three(itemClass)
                try damage(part, of: references[1])
                #expect(
                    probe(itemClass.item("2", "s", [kSecReturnData: true])) == errSecSuccess,
                    "a search that returns nothing opens nothing")
                var result: CFTypeRef?
                let query = itemClass.item("2", "s", [kSecReturnData: true, kSecReturnAttributes: true])
                #expect(SecItemCopyMatching(query, &result) == errSecItemNotFound)
                add(itemClass.item("2", "s", [kSecValueData: Data([9])]))
                #expect(data(itemClass, "2", "s") == Data([9]))
                #expect(count(itemClass) == 3)
            }

            @Test("C031 a damaged item is not updated", arguments: PasswordClass.allCases)
            func c031(_ itemClass: PasswordClass) throws {
                let references = try three(itemClass)
                try damage(.attributes, of: references[2])
                #expect(SecItemUpdate(itemClass.item("3", "s"), changes([kSecAttrLabel: "x"])) == errSecItemNotFound)
                #expect(SecItemUpdate(itemClass.query(), changes([kSecAttrLabel: "x"])) == errSecSuccess)
                #expect(count(itemClass, [kSecAttrLabel: "x"]) == 2)
            }

            @Test("C033 the secret is not opened for attributes", arguments: PasswordClass.allCases)
            func c033(_ itemClass: PasswordClass) throws {
                let reference = try addedReference(itemClass, "a", "s", [kSecValueData: Data([1])])
                // If the service decrypted the secret, it would detect the damage.
                try damage(.data, of: reference)
                #expect(try attributes(itemClass, [:])[kSecAttrAccount] as? String == "a")
                #expect(find(itemClass.query([kSecReturnPersistentRef: true])) as? Data == reference)
                #expect(probe(itemClass.query([kSecReturnData: true])) == errSecSuccess)
                var result: CFTypeRef?
                #expect(SecItemCopyMatching(itemClass.query([kSecReturnData: true]), &result) == errSecItemNotFound)
            }

            @Test("C095 a tampered item is not returned", arguments: PasswordClass.allCases)
            func c095(_ itemClass: PasswordClass) throws {
                let references = try three(itemClass)
                for (part, reference) in zip([Part.attributes, .data, .key], references) {
                    try damage(part, of: reference)
                }
                var result: CFTypeRef?
                let query = itemClass.query([
                    kSecReturnData: true, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
                ])
                #expect(SecItemCopyMatching(query, &result) == errSecItemNotFound)
                #expect(result == nil)
            }

            @Test(
                "C095 a secret that is whole is returned, whatever became of the label",
                arguments: PasswordClass.allCases)
            func c095Data(_ itemClass: PasswordClass) throws {
                let references = try three(itemClass)
                try damage(.attributes, of: references[0])
                // A deliberate difference: the secret is authenticated separately, together with the primary key of the
                // item.
                var result: CFTypeRef?
                let status = SecItemCopyMatching(itemClass.item("1", "s", [kSecReturnData: true]), &result)
                #if os(Linux)
                    #expect(status == errSecSuccess && result is NSData)
                #else
                    #expect(status == errSecItemNotFound && result == nil)
                #endif
            }

            @Test(
                "C045 a reference of 12 bytes names its item, and later ones have 20", arguments: PasswordClass.allCases
            )
            func c045(_ itemClass: PasswordClass) throws {
                _ = try addedReference(itemClass, "other", "s")
                let reference = try addedReference(itemClass, "a", "s")
                var number = try row(of: reference).bigEndian
                let old = Data(itemClass.rawValue.utf8) + Data(bytes: &number, count: 8)
                let byOld = [kSecValuePersistentRef: old] as CFDictionary
                #expect(
                    find([kSecValuePersistentRef: old, kSecReturnPersistentRef: true] as CFDictionary) as? Data
                        == reference)
                #expect(SecItemUpdate(byOld, changes([kSecAttrLabel: "x"])) == errSecSuccess)
                #expect(
                    find(itemClass.query([kSecAttrLabel: "x", kSecReturnPersistentRef: true])) as? Data == reference)
                // Combined with attributes it is rejected (semantics 2.6).
                #expect(
                    SecItemDelete(itemClass.query([kSecValuePersistentRef: old, kSecAttrAccount: "a"])) == errSecParam)
                #expect(SecItemDelete(byOld) == errSecSuccess)
                #expect(probe(byOld) == errSecItemNotFound)
                #expect(count(itemClass) == 1)
            }

            @Test("items outlive the service", arguments: PasswordClass.allCases)
            func restart(_ itemClass: PasswordClass) throws {
                let references = try three(itemClass)
                let before = dump()
                try Service.shared.whileStopped { _ in }
                #expect(dump() == before)
                for reference in references {
                    #expect(probe([kSecValuePersistentRef: reference] as CFDictionary) == errSecSuccess)
                }
            }
        }
    }
#endif

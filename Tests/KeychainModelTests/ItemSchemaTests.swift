// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

/// Semantics 1.4, 1.5 and 1.10.
struct ItemSchemaTests {
    private let schema = ItemSchema.schema(for: .genericPassword)

    @Test func `a generic password is unique over these attributes`() throws {
        let unique = try #require(schema).attributes.filter(\.isUnique).map(\.key.name).sorted()
        #expect(unique == ["acct", "agrp", "ggrp", "musr", "svce", "sync", "tkid", "vwht"])
    }

    @Test func `a generic password has these attributes, ascending and each once`() throws {
        let names = try #require(schema).attributes.map(\.key.name)
        #expect(names == names.sorted())
        #expect(
            names == [
                "accc", "acct", "acls", "agrp", "alis", "cdat", "clip", "crtr", "cusi", "desc", "gena", "ggrp", "icmt",
                "invi",
                "labl", "lkup", "mdat", "musr", "nega", "pdmn", "prot", "scrp", "svce", "sync", "tkid", "tomb", "type",
                "vwht",
            ])
    }

    @Test func `a dictionary of all attributes fits the limit of entries`() throws {
        #expect(try #require(schema).attributes.count <= ItemLimits.entries)
    }

    @Test(arguments: ItemClass.allCases)
    func `all classes are stored but identities, which are made of two others`(itemClass: ItemClass) {
        #expect((ItemSchema.schema(for: itemClass) == nil) == (itemClass == .identity))
    }

    @Test func `a certificate has the attributes of X.509, and is unique by issuer and serial number`() throws {
        let schema = try #require(ItemSchema.schema(for: .certificate))
        #expect(
            schema.attributes.map(\.key.name) == [
                "accc", "acls", "agrp", "alis", "cdat", "cenc", "clip", "ctyp", "ggrp", "issr", "labl", "mdat", "musr",
                "pdmn",
                "pkhh", "skid", "slnr", "subj", "sync", "tkid", "tomb", "vwht",
            ])
        #expect(
            schema.attributes.filter(\.isUnique).map(\.key.name) == [
                "agrp", "ctyp", "ggrp", "issr", "musr", "slnr", "sync", "tkid", "vwht",
            ])
    }

    @Test func `a key has its class, labels, sizes and uses`() throws {
        let schema = try #require(ItemSchema.schema(for: .key))
        #expect(
            schema.attributes.map(\.key.name) == [
                "accc", "acls", "agrp", "asen", "atag", "bsiz", "cdat", "clip", "crtr", "decr", "drve", "edat", "encr",
                "esiz",
                "extr", "ggrp", "kcls", "klbl", "labl", "mdat", "modi", "musr", "next", "pdmn", "perm", "priv", "sdat",
                "sens", "sign", "snrc", "sync", "tkid", "tomb", "type", "unwp", "vrfy", "vwht", "vyrc", "wrap",
            ])
        #expect(
            schema.attributes.filter(\.isUnique).map(\.key.name) == [
                "agrp", "atag", "bsiz", "crtr", "edat", "esiz", "ggrp", "kcls", "klbl", "musr", "sdat", "sync", "tkid",
                "type", "vwht",
            ])
        #expect(schema[.startDate]?.defaultValue == .date(Timestamp(secondsSinceReferenceDate: 0)))
    }

    @Test func `an internet password has all its attributes and none of the generic password's own`() throws {
        let schema = try #require(ItemSchema.schema(for: .internetPassword))
        #expect(
            schema.attributes.map(\.key.name) == [
                "accc", "acct", "acls", "agrp", "alis", "atyp", "cdat", "clip", "crtr", "cusi", "desc", "ggrp", "icmt",
                "invi",
                "labl", "mdat", "musr", "nega", "path", "pdmn", "port", "prot", "ptcl", "scrp", "sdmn", "srvr", "sync",
                "tkid", "tomb", "type", "vwht",
            ])
        #expect(
            schema.attributes.filter(\.isUnique).map(\.key.name) == [
                "acct", "agrp", "atyp", "ggrp", "musr", "path", "port", "ptcl", "sdmn", "srvr", "sync", "tkid", "vwht",
            ])
        #expect(schema[.port]?.defaultValue == .number(0) && schema[.path]?.defaultValue == .string(""))
    }
}

struct AttributeKeyTests {
    @Test func `a key is four characters of printable ASCII`() {
        #expect(AttributeKey(name: "acct")?.name == "acct")
        #expect(AttributeKey(name: "a ~!")?.name == "a ~!")
        for name in ["", "abc", "abcde", "äbc", "ab\u{7F}d", "ab\ncd", "ab\0d"] {
            #expect(AttributeKey(name: name) == nil, "\(name.debugDescription)")
        }
    }

    @Test func `keys order as their names do`() {
        #expect(AttributeKey.account < .accessGroup)
        #expect(AttributeKey.account.code == 0x6163_6374)
        #expect(AttributeKey(code: 0x6163_6374) == .account)
    }
}

struct NumberTests {
    @Test func `the numbers of item classes never change`() {
        #expect(ItemClass.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(ItemClass.allCases.map(\.code) == ["genp", "inet", "cert", "keys", "idnt"])
        for itemClass in ItemClass.allCases { #expect(ItemClass(code: itemClass.code) == itemClass) }
        #expect(ItemClass(code: "GENP") == nil)
    }

    @Test func `the numbers of data-protection classes never change`() {
        #expect(Accessibility.allCases.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7])
        #expect(Accessibility.allCases.map(\.code) == ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"])
        for accessibility in Accessibility.allCases {
            #expect(Accessibility(code: accessibility.code) == accessibility)
        }
    }

    @Test func `the classes that stay on the device are those whose names end in u`() {
        for accessibility in Accessibility.allCases {
            #expect(accessibility.isThisDeviceOnly == accessibility.code.hasSuffix("u"))
        }
    }

    @Test func `the numbers of reasons never change`() {
        let numbers: [UInt8] =
            Array(0...47) + Array(60...66) + Array(70...77) + Array(80...88) + [90, 92, 93, 94, 95]
            + Array(100...106) + [110]
        #expect(Refusal.Reason.allCases.map(\.rawValue) == numbers)
    }
}

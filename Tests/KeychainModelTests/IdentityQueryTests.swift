// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

/// Semantics 1.9.
struct IdentityQueryTests {
    private func query(_ entries: [ItemAttributes.Entry]) throws -> ItemQuery {
        var query = ItemQuery(.identity)
        query.attributes = try ItemAttributes(.identity, for: .query, entries)
        return query
    }

    @Test func `any attribute of a certificate or a key may be searched, and no other`() throws {
        for itemClass in [ItemClass.certificate, .key] {
            for definition in try #require(ItemSchema.schema(for: itemClass)).attributes
            where definition.uses.contains(.query) && definition.kind.takesText {
                _ = try query([.init(definition.key, .string("1"))])
            }
        }
        #expect(throws: AttributeError.noSuchAttribute(.account, .identity)) {
            try query([.init(.account, .string("a"))])
        }
    }

    @Test func `a change names what both halves have`() throws {
        for key in [AttributeKey.label, .accessGroup, .accessible] {
            _ = try ItemAttributes(.identity, for: .update, [.init(key, .string("ak"))])
        }
        for key in [AttributeKey.applicationTag, .alias, .issuer] {
            #expect(throws: AttributeError.noSuchAttribute(key, .identity)) {
                try ItemAttributes(.identity, for: .update, [.init(key, .string("a"))])
            }
        }
    }

    @Test func `identities are neither added nor stored`() {
        for use in [AttributeUse.add, []] {
            #expect(throws: AttributeError.unsupportedClass(.identity)) {
                try ItemAttributes(.identity, for: use, [])
            }
        }
    }

    @Test func `each half is searched by its attributes, the label being the certificate's`() throws {
        var whole = try query([
            .init(.label, .string("L")), .init(.issuer, .data([1])), .init(.applicationTag, .string("T")),
            .init(.accessible, .string("ak")),
        ])
        whole.accessGroup = "group"
        whole.synchronizable = .any
        whole.textMatching = .caseInsensitive
        whole.persistentReference = PersistentReference(itemClass: .identity, row: 7)
        let (certificate, key) = try #require(whole.identityParts)
        #expect(certificate.itemClass == .certificate && key.itemClass == .key)
        #expect(certificate.attributes.entries.map(\.key) == [.issuer, .label])
        #expect(key.attributes.entries.map(\.key) == [.applicationTag, .keyClass, .accessible])
        #expect(key.attributes[.keyClass] == .number(1))
        for half in [certificate, key] {
            #expect(half.accessGroup == "group" && half.synchronizable == .any)
            #expect(half.textMatching == .caseInsensitive)
        }
        #expect(certificate.persistentReference == PersistentReference(itemClass: .certificate, row: 7))
        #expect(key.persistentReference == nil)
    }

    @Test func `a search for public keys finds no identities, and other classes have no halves`() throws {
        #expect(try query([.init(.keyClass, .string("0"))]).identityParts == nil)
        #expect(try query([.init(.keyClass, .string("1"))]).identityParts != nil)
        #expect(ItemQuery(.certificate).identityParts == nil)
    }

    @Test func `an identity has the label and token of its certificate, and its key's dates, group and protection`()
        throws
    {
        let certificate = try ItemAttributes(
            stored: .certificate,
            [.init(.label, .string("C")), .init(.subject, .data([1])), .init(.accessGroup, .string("one"))])
        let key = try ItemAttributes(
            stored: .key,
            [.init(.label, .string("K")), .init(.tokenID, .string("t")), .init(.accessGroup, .string("two"))])
        let identity = ItemAttributes(identityOf: certificate, and: key)
        #expect(identity.itemClass == .identity)
        #expect(
            identity.entries == [
                .init(.accessGroup, .string("two")), .init(.label, .string("C")), .init(.subject, .data([1])),
            ])
    }
}

extension AttributeKind {
    fileprivate var takesText: Bool {
        switch self {
        case .blob, .text, .bytes, .number, .flag: true
        case .date, .accessibility, .accessControl, .lookupAttributes: false
        }
    }
}

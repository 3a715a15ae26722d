// SPDX-License-Identifier: Apache-2.0

import KeychainBytes
public import KeychainModel

// Events in a user's keychains (Documentation/Protocols/client.md, "Keychain events").

extension KeychainNotice {
    public init(_ frame: Frame) throws(WireError) {
        guard frame.kind == .keychainNotice else { throw .unexpected(frame.kind) }
        var reader = frame.reader
        let kind = try reader.value(Kind.self)
        let processID = Int32(bitPattern: try reader.u32())
        let keychain = try reader.optional { reader throws(WireError) in try reader.keychainPath() }
        let item = try reader.optional { reader throws(WireError) in try reader.persistentReference() }
        try reader.finish()
        self.init(kind, in: keychain, item, by: processID)
    }

    public var frame: [UInt8] {
        var writer = WireWriter(.keychainNotice, reserving: 32 + (keychain?.utf8.count ?? 0))
        writer.u8(kind.rawValue)
        writer.u32(UInt32(bitPattern: processID))
        writer.optional(keychain) { $0.block($1) }
        writer.optional(item) { $0.persistentReference($1) }
        return writer.frame()
    }
}

extension WireReader {
    mutating func noticeFilter() throws(WireError) -> KeychainNoticeFilter {
        let kinds = try u32()
        let places = KeychainNoticeFilter.Places(rawValue: try u8())
        guard !places.isEmpty, places.isSubset(of: .all) else { throw .malformed }
        return KeychainNoticeFilter(kinds: kinds, places: places)
    }
}

extension WireWriter {
    mutating func noticeFilter(_ filter: KeychainNoticeFilter) {
        u32(filter.kinds)
        u8(filter.places.rawValue)
    }
}

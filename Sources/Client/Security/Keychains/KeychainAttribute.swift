// SPDX-License-Identifier: Apache-2.0

internal import CFTypes
internal import Foundation
internal import KeychainModel

/// The representation of an item's attribute in a ``SecKeychainAttribute`` (semantics 8.3).
struct KeychainAttribute {
    /// CSSM's number of a format.
    enum Format: UInt32 {
        case text = 0
        case signed = 1
        case unsigned = 2
        case date = 5
        case blob = 6
    }

    /// The meaning of the bytes.
    enum Content {
        /// Text, or other bytes.
        case blob
        /// Bytes only.
        case bytes
        /// A number of 32 bits in the machine's byte order.
        case number
        /// A number of 32 bits, whose four characters are the attribute's text.
        case code
        /// Four characters in memory order.
        case characters
        case date
    }

    let tag: SecKeychainAttrType
    let key: AttributeKey
    let format: Format
    let content: Content

    private init(_ key: AttributeKey, _ format: Format, _ content: Content, tag: String? = nil) {
        self.tag = tag.flatMap(AttributeKey.init(name:))?.code ?? key.code
        self.key = key
        self.format = format
        self.content = content
    }

    /// The attributes of a class, in the order of their tags. Keys have no such functions here.
    static func all(of itemClass: ItemClass) -> [KeychainAttribute] {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate: certificate
        case .key, .identity: []
        }
    }

    /// - Throws: `errSecNoSuchAttr`.
    static func named(_ tag: SecKeychainAttrType, of itemClass: ItemClass) throws(CallFailure) -> KeychainAttribute {
        guard let attribute = all(of: itemClass).first(where: { $0.tag == tag }) else {
            throw CallFailure(
                .noSuchAttribute, "an item of the class \(itemClass.title) has no attribute \(AttributeKey(code: tag))")
        }
        return attribute
    }

    private static let genericPassword = sorted(
        passwords + [KeychainAttribute(.service, .blob, .blob), KeychainAttribute(.generic, .blob, .bytes)])

    private static let internetPassword = sorted(
        passwords + [
            KeychainAttribute(.securityDomain, .blob, .blob), KeychainAttribute(.server, .blob, .blob),
            KeychainAttribute(.protocol, .unsigned, .code), KeychainAttribute(.authenticationType, .blob, .characters),
            KeychainAttribute(.port, .unsigned, .number), KeychainAttribute(.path, .blob, .blob),
        ])

    private static let certificate = sorted([
        KeychainAttribute(.certificateType, .unsigned, .number),
        KeychainAttribute(.certificateEncoding, .unsigned, .number), KeychainAttribute(.label, .blob, .blob),
        KeychainAttribute(.alias, .blob, .blob), KeychainAttribute(.subject, .blob, .bytes),
        KeychainAttribute(.issuer, .blob, .bytes, tag: "issu"),
        KeychainAttribute(.serialNumber, .blob, .bytes, tag: "snbr"),
        KeychainAttribute(.subjectKeyID, .blob, .bytes),
        KeychainAttribute(.publicKeyHash, .blob, .bytes, tag: "hpky"),
    ])

    private static let passwords = [
        KeychainAttribute(.creationDate, .date, .date), KeychainAttribute(.modificationDate, .date, .date),
        KeychainAttribute(.itemDescription, .blob, .blob), KeychainAttribute(.comment, .blob, .blob),
        KeychainAttribute(.creator, .unsigned, .number), KeychainAttribute(.type, .unsigned, .number),
        KeychainAttribute(.scriptCode, .signed, .number), KeychainAttribute(.label, .blob, .blob),
        KeychainAttribute(.alias, .blob, .blob), KeychainAttribute(.isInvisible, .signed, .number),
        KeychainAttribute(.isNegative, .signed, .number), KeychainAttribute(.hasCustomIcon, .signed, .number),
        KeychainAttribute(.isProtected, .blob, .blob), KeychainAttribute(.account, .blob, .blob),
    ]

    private static func sorted(_ attributes: [KeychainAttribute]) -> [KeychainAttribute] {
        attributes.sorted { $0.tag < $1.tag }
    }
}

extension KeychainAttribute {
    /// Decodes the bytes.
    ///
    /// - Throws: `errSecParam` for an invalid date, and for a number of another size.
    func value(of bytes: [UInt8]) throws(CallFailure) -> AttributeValue {
        switch content {
        case .blob: return Self.text(bytes)
        case .bytes: return .data(bytes)
        case .number: return .number(try number(bytes))
        case .code:
            guard let code = UInt32(exactly: try number(bytes)) else { throw wrong }
            return Self.value(ofCode: code)
        case .characters: return bytes.allSatisfy { $0 == 0 } ? .string("") : Self.text(bytes)
        case .date: return .date(try date(bytes))
        }
    }

    /// Returns the value for a protocol's code: its four characters, as in `kSecAttrProtocol`; 0 is a number.
    static func value(ofCode code: UInt32) -> AttributeValue {
        let name = AttributeKey(code: code).name
        return AttributeKey(name: name)?.code == code ? .string(name) : .number(Int64(code))
    }

    /// Returns the bytes of a value in an attribute; empty for a value that this form cannot represent.
    func bytes(of value: AttributeValue) -> [UInt8] {
        switch (content, value) {
        case (.number, .number(let number)), (.code, .number(let number)):
            Self.bytes(UInt32(truncatingIfNeeded: number))
        // Programs may store four characters as text.
        case (.number, .string(let text)), (.code, .string(let text)):
            AttributeKey(name: text).map { Self.bytes($0.code) } ?? []
        case (.date, .date(let date)): CivilTime(date).map { Array($0.compact.utf8) + [0] } ?? []
        case (_, .number(let number)): Array(String(number).utf8)
        case (_, let value): value.bytes ?? []
        }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number.littleEndian >> (8 * $0)) }
    }

    private static func text(_ bytes: [UInt8]) -> AttributeValue {
        String(validating: bytes, as: UTF8.self).map(AttributeValue.string) ?? .data(bytes)
    }

    private func number(_ bytes: [UInt8]) throws(CallFailure) -> Int64 {
        guard [0, 1, 2, 4, 8].contains(bytes.count) else { throw wrong }
        return bytes.reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    private func date(_ bytes: [UInt8]) throws(CallFailure) -> Timestamp {
        // 1904-01-01, the epoch of classic Mac OS.
        if bytes.count == 4 || bytes.count == 8 {
            let seconds = try number(bytes)
            return Timestamp(secondsSinceReferenceDate: Double(seconds) - 3_061_152_000)
        }
        let text = bytes.last == 0 ? bytes.dropLast() : bytes[...]
        guard let moment = CivilTime.moment(compact: String(decoding: text, as: UTF8.self)) else { throw wrong }
        return moment
    }

    private var wrong: CallFailure {
        CallFailure(.parameter, "the value of the attribute \(AttributeKey(code: tag)) has a wrong format")
    }
}

extension SecItemClass {
    /// - Throws: `errSecNoSuchClass` for a class without items in any keychain here.
    func stored() throws(CallFailure) -> ItemClass {
        switch self {
        case .genericPasswordItemClass: return .genericPassword
        case .internetPasswordItemClass: return .internetPassword
        case .certificateItemClass: return .certificate
        case .publicKeyItemClass, .privateKeyItemClass: return .key
        case .appleSharePasswordItemClass, .symmetricKeyItemClass:
            throw CallFailure(.noSuchClass, "items of this class do not exist")
        }
    }

    init(_ itemClass: ItemClass, _ attributes: ItemAttributes?) {
        switch itemClass {
        case .genericPassword: self = .genericPasswordItemClass
        case .internetPassword: self = .internetPasswordItemClass
        case .certificate, .identity: self = .certificateItemClass
        case .key:
            let isPublic = attributes?[.keyClass] == .string("0") || attributes?[.keyClass] == .number(0)
            self = isPublic ? .publicKeyItemClass : .privateKeyItemClass
        }
    }
}

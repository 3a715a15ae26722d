// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainModel

/// An item as `security` lists it: its keychain, and a line for each attribute in a fixed order.
struct ItemListing {
    let item: ListedItem
    let keychainPath: String

    var text: [UInt8] {
        var text: [UInt8] = []
        text += "keychain: \"".utf8
        text += keychainPath.utf8
        text += "\"\nversion: 512\nclass: \(itemClass)\nattributes:\n".utf8
        for line in lines {
            text += "    \(line.tag)<\(line.format.rawValue)>=".utf8
            text += value(line)
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// The class. Classes other than passwords are numbers, followed by a blank.
    private var itemClass: String {
        switch item.reference.itemClass {
        case .genericPassword, .internetPassword, .identity: "\"\(item.reference.itemClass.code)\""
        case .certificate: "0x80001000 "
        case .key: "0x000000" + [keyRecord].hexadecimal + " "
        }
    }

    /// The kind of a key as a kind of record: public, private, symmetric.
    private var keyRecord: UInt8 {
        switch item.attributes[.keyClass] {
        case .number(0): 0x0F
        case .number(2): 0x11
        default: 0x10
        }
    }

    private var lines: [Line] {
        switch item.reference.itemClass {
        case .genericPassword: Self.genericLines
        case .internetPassword: Self.internetLines
        case .certificate: Self.certificateLines
        case .key: Self.keyLines
        case .identity: []
        }
    }

    private struct Line {
        let tag: String
        let key: AttributeKey
        let format: Format
    }

    private enum Format: String {
        case blob
        case timedate
        case uint32
        case sint32
    }

    // The order of semantics 8.7. The label and the alias have numbers as names.

    private static let genericLines =
        numbered
        + lines([
            (.account, .blob), (.creationDate, .timedate), (.creator, .uint32), (.hasCustomIcon, .sint32),
            (.itemDescription, .blob), (.generic, .blob), (.comment, .blob), (.isInvisible, .sint32),
            (.modificationDate, .timedate), (.isNegative, .sint32), (.isProtected, .blob), (.scriptCode, .sint32),
            (.service, .blob), (.type, .uint32),
        ])

    private static let internetLines =
        numbered
        + lines([
            (.account, .blob), (.authenticationType, .blob), (.creationDate, .timedate), (.creator, .uint32),
            (.hasCustomIcon, .sint32), (.itemDescription, .blob), (.comment, .blob), (.isInvisible, .sint32),
            (.modificationDate, .timedate), (.isNegative, .sint32), (.path, .blob), (.port, .uint32),
            (.isProtected, .blob), (.protocol, .uint32), (.scriptCode, .sint32), (.securityDomain, .blob),
            (.server, .blob), (.type, .uint32),
        ])

    /// Names are complete here, including the SEQUENCE, as in files of macOS.
    private static let certificateLines = [
        Line(tag: "\"alis\"", key: .alias, format: .blob),
        Line(tag: "\"cenc\"", key: .certificateEncoding, format: .uint32),
        Line(tag: "\"ctyp\"", key: .certificateType, format: .uint32),
        Line(tag: "\"hpky\"", key: .publicKeyHash, format: .blob), Line(tag: "\"issu\"", key: .issuer, format: .blob),
        Line(tag: "\"labl\"", key: .label, format: .blob), Line(tag: "\"skid\"", key: .subjectKeyID, format: .blob),
        Line(tag: "\"snbr\"", key: .serialNumber, format: .blob), Line(tag: "\"subj\"", key: .subject, format: .blob),
    ]

    /// The attributes of keys have numbers as names, those of `SecKeyAttribute`.
    private static let keyLines = keyAttributes.enumerated().map { number, attribute in
        Line(tag: "0x000000" + [UInt8(number)].hexadecimal.uppercased() + " ", key: attribute.0, format: attribute.1)
    }

    private static let keyAttributes: [(AttributeKey, Format)] = [
        (.keyClass, .uint32), (.label, .blob), (.alias, .blob), (.isPermanent, .uint32), (.isPrivate, .uint32),
        (.isModifiable, .uint32), (.applicationLabel, .blob), (.applicationTag, .blob), (.creator, .blob),
        (.type, .uint32), (.keySizeInBits, .uint32), (.effectiveKeySize, .uint32), (.startDate, .blob),
        (.endDate, .blob),
        (.isSensitive, .uint32), (.wasAlwaysSensitive, .uint32), (.isExtractable, .uint32),
        (.wasNeverExtractable, .uint32), (.canEncrypt, .uint32), (.canDecrypt, .uint32), (.canDerive, .uint32),
        (.canSign, .uint32), (.canVerify, .uint32), (.canSignRecover, .uint32), (.canVerifyRecover, .uint32),
        (.canWrap, .uint32), (.canUnwrap, .uint32),
    ]

    private static let numbered = [
        Line(tag: "0x00000007 ", key: .label, format: .blob), Line(tag: "0x00000008 ", key: .alias, format: .blob),
    ]

    private static func lines(_ attributes: [(AttributeKey, Format)]) -> [Line] {
        attributes.map { Line(tag: "\"\($0.name)\"", key: $0, format: $1) }
    }

    /// Attributes that an internet password may lack; its file on macOS does not contain them either then.
    private static let optionalKeys: Set<AttributeKey> = [.authenticationType, .path, .securityDomain]

    /// Returns the value in the form that keys have.
    private func keyValue(_ key: AttributeKey) -> [UInt8]? {
        switch (key, item.attributes[key]) {
        case (.keyClass, _): printedBuffer(UInt32(keyRecord))
        case (.startDate, _), (.endDate, _): printedBuffer([UInt8](repeating: 0, count: 8))
        case (.applicationTag, .string("")?), (.applicationTag, .data([])?), (.creator, .number(0)?):
            Array("<NULL>".utf8)
        default: nil
        }
    }

    private func value(_ line: Line) -> [UInt8] {
        switch item.reference.itemClass {
        case .genericPassword, .internetPassword, .identity: break
        case .certificate:
            if line.key == .issuer || line.key == .subject, let content = item.bytes(line.key) {
                return printedBuffer((try? DistinguishedName(content: content))?.encoded ?? content)
            }
            // A certificate without an e-mail address has its name here.
            if line.key == .alias, item.attributes[.alias] == nil {
                return value(Line(tag: "", key: .label, format: .blob))
            }
        case .key:
            if let value = keyValue(line.key) { return value }
        }
        guard let value = item.attributes[line.key],
            value != .string("") || !Self.optionalKeys.contains(line.key)
        else { return Array("<NULL>".utf8) }
        switch value {
        case .string(let text): return printedBuffer(text.utf8)
        case .data(let bytes): return printedBuffer(bytes)
        case .number(let number):
            switch line.format {
            case .uint32, .sint32: return printedBuffer(UInt32(truncatingIfNeeded: number))
            case .blob, .timedate: return printedBuffer(String(number).utf8)
            }
        case .date(let moment):
            // As in the file format: 15 characters and a zero byte.
            guard let time = CivilTime(moment) else { return Array("<NULL>".utf8) }
            return printedBuffer(Array(time.compact.utf8) + [0])
        case .accessControl: return Array("<NULL>".utf8)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A password as `security` lists it: where it is stored, and a line for each attribute in a fixed order.
struct ItemListing {
    let item: ListedItem
    let keychainPath: String

    var text: [UInt8] {
        var text: [UInt8] = []
        text += "keychain: \"".utf8
        text += keychainPath.utf8
        text += "\"\nversion: 512\nclass: \"\(item.reference.itemClass.code)\"\nattributes:\n".utf8
        for line in PasswordClass(item.reference.itemClass).map(Self.lines) ?? [] {
            text += "    \(line.tag)<\(line.format.rawValue)>=".utf8
            text += value(line)
            text.append(UInt8(ascii: "\n"))
        }
        return text
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

    /// The order of semantics 8.7. The label and the alias have numbers for names.
    private static func lines(_ passwordClass: PasswordClass) -> [Line] {
        switch passwordClass {
        case .generic: genericLines
        case .internet: internetLines
        }
    }

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

    private static let numbered = [
        Line(tag: "0x00000007 ", key: .label, format: .blob), Line(tag: "0x00000008 ", key: .alias, format: .blob),
    ]

    private static func lines(_ attributes: [(AttributeKey, Format)]) -> [Line] {
        attributes.map { Line(tag: "\"\($0.name)\"", key: $0, format: $1) }
    }

    /// What an internet password may be stored without, which its file on macOS then does not have either.
    private static let optionalKeys: Set<AttributeKey> = [.authenticationType, .path, .securityDomain]

    private func value(_ line: Line) -> [UInt8] {
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

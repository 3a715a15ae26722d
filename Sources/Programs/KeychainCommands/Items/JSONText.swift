// SPDX-License-Identifier: Apache-2.0

internal import SecretMemory

/// A JSON value, written with its members in the given order. (RFC 8259)
///
/// The project has its own encoder, because Foundation's would take more time at each start of the program than the
/// rest of it.
enum JSONText {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A number with one decimal place.
    case tenths(Int64)
    case text(String)
    /// Like ``bytes(_:)``, written directly from the secret's memory.
    case secret(SecretBytes)
    case array([JSONText])
    case object([(String, JSONText)])

    /// Returns text if the bytes are UTF-8, otherwise an object with the only member `base64`.
    static func bytes(_ bytes: some Collection<UInt8>) -> JSONText {
        if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
        return .object([("base64", .text(base64(bytes)))])
    }

    /// Returns the document, with a newline at its end.
    ///
    /// - Parameter size: the approximate number of bytes. A document with a secret must not grow beyond it, because
    ///   growing would leave unwiped copies behind.
    func document(reserving size: Int = 0) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(size)
        write(to: &output, indentation: 0)
        output.append(UInt8(ascii: "\n"))
        return output
    }

    private func write(to output: inout [UInt8], indentation: Int) {
        switch self {
        case .null: output += "null".utf8
        case .boolean(let value): output += (value ? "true" : "false").utf8
        case .integer(let value): output += String(value).utf8
        case .tenths(let value): output += "\(value < 0 ? "-" : "")\(value.magnitude / 10).\(value.magnitude % 10)".utf8
        case .text(let text): Self.writeQuoted(text.utf8, to: &output)
        case .secret(let secret):
            let bytes = secret.bytes
            if isUTF8(bytes) { return Self.writeQuoted(bytes, to: &output) }
            Self.writeList("{", "}", of: [bytes], to: &output, indentation: indentation) { bytes, output in
                output += "\"base64\": \"".utf8
                writeBase64(bytes, to: &output)
                output.append(UInt8(ascii: "\""))
            }
        case .array(let elements):
            Self.writeList("[", "]", of: elements, to: &output, indentation: indentation) { element, output in
                element.write(to: &output, indentation: indentation + 1)
            }
        case .object(let members):
            Self.writeList("{", "}", of: members, to: &output, indentation: indentation) { member, output in
                Self.writeQuoted(member.0.utf8, to: &output)
                output += ": ".utf8
                member.1.write(to: &output, indentation: indentation + 1)
            }
        }
    }

    private static func writeList<Element>(
        _ open: String, _ close: String, of elements: [Element], to output: inout [UInt8], indentation: Int,
        writeElement: (Element, inout [UInt8]) -> Void
    ) {
        output += open.utf8
        for (index, element) in elements.enumerated() {
            output += (index == 0 ? "\n" : ",\n").utf8
            output += repeatElement(UInt8(ascii: " "), count: 2 * (indentation + 1))
            writeElement(element, &output)
        }
        if !elements.isEmpty {
            output.append(UInt8(ascii: "\n"))
            output += repeatElement(UInt8(ascii: " "), count: 2 * indentation)
        }
        output += close.utf8
    }

    /// Writes UTF-8. Characters that could deceive a reader on a terminal are escaped: control characters, invisible
    /// ones, and those that change the writing direction.
    private static func writeQuoted(_ text: some Collection<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): output += "\\\"".utf8
            case UInt8(ascii: "\\"): output += "\\\\".utf8
            case UInt8(ascii: "\n"): output += "\\n".utf8
            case UInt8(ascii: "\t"): output += "\\t".utf8
            case 0x00..<0x20, 0x7F:
                output += "\\u00".utf8
                output += hexadecimal([byte], digits: lowercaseDigits)
            // The first byte of a character beyond ASCII.
            case 0xC2...0xF4:
                let (scalar, following) = Self.scalar(byte, rest)
                guard isDeceptive(scalar) else {
                    output.append(byte)
                    continue
                }
                for unit in scalar.utf16 {
                    output += "\\u".utf8
                    output += hexadecimal([UInt8(unit >> 8), UInt8(unit & 0xFF)], digits: lowercaseDigits)
                }
                rest = rest.dropFirst(following)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}

extension JSONText {
    /// Returns the character of two to four bytes that begins with this byte, and the number of its other bytes.
    private static func scalar(
        _ first: UInt8, _ rest: some Collection<UInt8>
    ) -> (scalar: Unicode.Scalar, following: Int) {
        let count = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
        let value = rest.prefix(count).reduce(UInt32(first) & (0x3F >> UInt32(count))) {
            $0 << 6 | UInt32($1 & 0x3F)
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", count)
    }
}

/// Returns whether the bytes are well-formed UTF-8, without copying them.
func isUTF8(_ bytes: some Collection<UInt8>) -> Bool {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
        switch decoder.decode(&iterator) {
        case .scalarValue: continue
        case .emptyInput: return true
        case .error: return false
        }
    }
}

let lowercaseDigits = Array("0123456789abcdef".utf8)
let uppercaseDigits = Array("0123456789ABCDEF".utf8)

/// Returns two digits for each byte.
func hexadecimal(_ bytes: some Collection<UInt8>, digits: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return text
}

/// Encodes bytes as in RFC 4648, section 4, with padding.
func base64(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    writeBase64(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
}

private let base64Alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// Appends the encoding; see ``base64(_:)``.
func writeBase64(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
    var group: UInt32 = 0
    var count = 0
    func flush(_ text: inout [UInt8]) {
        for place in 0..<4 {
            let digit = base64Alphabet[Int(group >> (18 - 6 * UInt32(place)) & 63)]
            text.append(place <= count ? digit : UInt8(ascii: "="))
        }
        group = 0
        count = 0
    }
    for byte in bytes {
        group |= UInt32(byte) << (16 - 8 * UInt32(count))
        count += 1
        if count == 3 { flush(&text) }
    }
    if count > 0 { flush(&text) }
}

// SPDX-License-Identifier: Apache-2.0

/// Returns bytes as `security` prints them in listings.
///
/// If all are printable ASCII other than the backslash: the text in quotes. Otherwise 0x and upper-case digits, and
/// after two spaces the text with octal escapes if at least one byte is printable, else a single space. Nothing for no
/// bytes. Quotes themselves are not escaped. (semantics 8.7)
func printedBuffer(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let printableCount = bytes.count(where: isPlain)
    var text: [UInt8] = []
    text.reserveCapacity(6 * bytes.count + 8)
    if printableCount < bytes.count {
        text += "0x".utf8
        text += hexadecimal(bytes, digits: uppercaseDigits)
        text += (printableCount > 0 ? "  " : " ").utf8
    }
    guard printableCount > 0 else { return text }
    text.append(UInt8(ascii: "\""))
    for byte in bytes {
        if isPlain(byte) {
            text.append(byte)
        } else {
            text.append(UInt8(ascii: "\\"))
            for shift in [6, 3, 0] as [UInt8] { text.append(UInt8(ascii: "0") + (byte >> shift & 7)) }
        }
    }
    text.append(UInt8(ascii: "\""))
    return text
}

/// Returns a 32-bit number: its four bytes, most significant first.
func printedBuffer(_ number: UInt32) -> [UInt8] {
    printedBuffer([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
}

private func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
}

// SPDX-License-Identifier: Apache-2.0

/// `security error`: the messages of error codes. Always exits with 1, as on macOS.
enum ErrorMessages {
    @Sendable static func run(_ invocation: SecurityInvocation) -> SecurityResult {
        guard !invocation.words.isEmpty else { return .usage }
        for word in invocation.words {
            let code = parse(word)
            let digits = String(UInt32(bitPattern: code), radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: 8 - digits.count) + digits
            let line = "Error: 0x\(padded) \(code) \(invocation.context.statusMessage(code))\n"
            guard invocation.print(line.utf8) else { break }
        }
        return .failure
    }

    /// Parses a decimal or hexadecimal number like strtol(3): up to the last digit, 0 without digits.
    static func parse(_ word: String) -> Int32 {
        var rest = word[...]
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest.removeFirst() }
        let radix = rest.hasPrefix("0x") || rest.hasPrefix("0X") ? 16 : 10
        if radix == 16 { rest.removeFirst(2) }
        let digits = rest.prefix { $0.isASCII && ($0.hexDigitValue ?? radix) < radix }
        // Codes have 32 bits; 0xFFFF9D2C and -25300 are equal.
        let magnitude = Int64(digits, radix: radix) ?? 0
        return Int32(truncatingIfNeeded: isNegative ? 0 - magnitude : magnitude)
    }
}

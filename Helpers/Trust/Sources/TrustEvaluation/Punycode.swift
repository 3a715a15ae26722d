// SPDX-License-Identifier: Apache-2.0

/// The decoder of internationalised DNS labels from their ASCII form. Source: RFC 3492, 5 and 6.
enum Punycode {
    /// Returns the text that an A-label such as `xn--bcher-kva` stands for; nil if the label is not an A-label, or is
    /// malformed.
    static func decode(label: String) -> String? {
        let prefix = "xn--"
        guard label.hasPrefix(prefix), label.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var digits = label.utf8.dropFirst(prefix.utf8.count)
        var output: [Unicode.Scalar] = []
        if let delimiter = digits.lastIndex(of: UInt8(ascii: "-")) {
            output = digits[..<delimiter].map { Unicode.Scalar($0) }
            digits = digits[digits.index(after: delimiter)...]
        }
        var point = 0x80
        var bias = 72
        var place = 0
        var isFirst = true
        while !digits.isEmpty {
            guard let delta = takeInteger(from: &digits, bias: bias) else { return nil }
            let length = output.count + 1
            bias = adapted(delta, length: length, isFirst: isFirst)
            isFirst = false
            point += (place + delta) / length
            place = (place + delta) % length
            guard let value = UInt32(exactly: point), let scalar = Unicode.Scalar(value) else { return nil }
            output.insert(scalar, at: place)
            place += 1
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: output)
        return String(text)
    }

    private static let base = 36
    private static let leastThreshold = 1
    private static let greatestThreshold = 26

    /// Takes one integer of variable length; nil if it is malformed or exceeds 32 bits.
    private static func takeInteger(from digits: inout Substring.UTF8View, bias: Int) -> Int? {
        var value = 0
        var weight = 1
        var step = base
        while let byte = digits.popFirst() {
            guard let digit = digit(byte) else { return nil }
            value += digit * weight
            let threshold = min(max(step - bias, leastThreshold), greatestThreshold)
            guard value <= UInt32.max else { return nil }
            if digit < threshold { return value }
            weight *= base - threshold
            guard weight <= UInt32.max else { return nil }
            step += base
        }
        return nil
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    private static func adapted(_ delta: Int, length: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / length
        var steps = 0
        while delta > (base - leastThreshold) * greatestThreshold / 2 {
            delta /= base - leastThreshold
            steps += base
        }
        return steps + (base - leastThreshold + 1) * delta / (delta + 38)
    }
}

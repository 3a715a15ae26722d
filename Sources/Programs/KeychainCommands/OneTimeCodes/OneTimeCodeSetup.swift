// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import SecretMemory

/// The seed of time-based one-time passwords (RFC 6238) and its parameters: the content of an `otpauth:` URI.
struct OneTimeCodeSetup {
    enum Algorithm: String, CaseIterable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"
    }

    static let digitRange = 6...8
    static let periodRange: ClosedRange<Int64> = 1...3600

    let key: SecretBytes
    private(set) var algorithm = Algorithm.sha1
    private(set) var digits = 6
    /// In seconds.
    private(set) var period: Int64 = 30

    init(key: SecretBytes, algorithm: Algorithm = .sha1, digits: Int = 6, period: Int64 = 30) {
        precondition(Self.digitRange.contains(digits) && Self.periodRange.contains(period), "the range of parameters")
        (self.key, self.algorithm, self.digits, self.period) = (key, algorithm, digits, period)
    }

    // MARK: Codes

    /// Returns the code at a time, given in seconds since 1970.
    func code(at seconds: Int64) -> SecretBytes {
        var counter = bytes(of: UInt64(max(0, seconds) / period))
        defer { wipe(&counter) }
        var keyBytes = Array(key.bytes)
        defer { wipe(&keyBytes) }
        let key = SymmetricKey(data: keyBytes)
        var code =
            switch algorithm {
            case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: key))
            case .sha256: Array(HMAC<SHA256>.authenticationCode(for: counter, using: key))
            case .sha512: Array(HMAC<SHA512>.authenticationCode(for: counter, using: key))
            }
        defer { wipe(&code) }
        // The truncation of RFC 4226, 5.3. The code has at least 20 bytes, and the offset is at most 15.
        let offset = Int(code[code.count - 1] & 0x0F)
        var value = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        var text = [UInt8](repeating: 0, count: digits)
        for place in text.indices.reversed() {
            text[place] = UInt8(ascii: "0") + UInt8(value % 10)
            value /= 10
        }
        return SecretBytes(moving: &text)
    }

    /// Returns the seconds for which the code of a time is still valid.
    func secondsLeft(at seconds: Int64) -> Int64 { period - max(0, seconds) % period }

    private func bytes(of counter: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
    }
}

// MARK: Reading

extension OneTimeCodeSetup {
    /// The reason why a text is no seed. Names parameters and positions, never values.
    enum Problem: Error, Hashable {
        case notTimeBased
        case noKey
        case repeated(String)
        case badEscape
        case algorithm
        case digits
        case period
        case key(Base32.Problem)

        var reason: String {
            switch self {
            case .notTimeBased:
                "the URI does not begin with otpauth://totp/, and other kinds of codes are not supported"
            case .noKey: "the URI has no parameter 'secret'"
            case .repeated(let name): "the URI has the parameter '\(name)' twice"
            case .badEscape: "the URI contains an incomplete percent escape"
            case .algorithm:
                "the URI's algorithm is none of " + Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            case .digits: "the URI's number of digits is not from \(digitRange.lowerBound) to \(digitRange.upperBound)"
            case .period: "the URI's period is not from \(periodRange.lowerBound) to \(periodRange.upperBound) seconds"
            case .key(let problem): problem.reason
            }
        }
    }

    /// Whether a text is a URI, and not a key alone.
    static func isURI(_ text: SecretBytes) -> Bool {
        text.bytes.prefix(8).map(lowercased).elementsEqual("otpauth:".utf8)
    }

    /// Reads an `otpauth:` URI, or a key in Base32 alone, which has the usual parameters.
    init(_ text: SecretBytes) throws(Problem) {
        guard Self.isURI(text) else {
            self.init(key: try Self.key(text.bytes))
            return
        }
        let uri = text.bytes
        let start = Array("otpauth://totp".utf8)
        guard uri.prefix(start.count).map(lowercased).elementsEqual(start),
            let next = uri.dropFirst(start.count).first, "/?".utf8.contains(next)
        else { throw .notTimeBased }
        let query = uri.firstIndex(of: UInt8(ascii: "?")).map { uri[($0 + 1)...] } ?? uri[uri.endIndex...]
        let parameters = query.prefix { $0 != UInt8(ascii: "#") }
        var key: SecretBytes?
        var (algorithm, digits, period) = (Algorithm.sha1, 6, Int64(30))
        var names: Set<String> = []
        for parameter in parameters.split(separator: UInt8(ascii: "&")) {
            let name = String(decoding: parameter.prefix { $0 != UInt8(ascii: "=") }.map(lowercased), as: UTF8.self)
            guard ["secret", "algorithm", "digits", "period"].contains(name) else { continue }
            guard names.insert(name).inserted else { throw .repeated(name) }
            var value = try Self.percentDecoded(parameter.dropFirst(name.utf8.count + 1))
            defer { wipe(&value) }
            switch name {
            case "secret": key = try Self.key(value)
            case "algorithm":
                let text = String(decoding: value, as: UTF8.self).uppercased()
                // Some programs write the names of the HMAC.
                let name = text.hasPrefix("HMAC") ? String(text.dropFirst(4)) : text
                guard let named = Algorithm(rawValue: name) else { throw .algorithm }
                algorithm = named
            case "digits":
                guard let number = Int(String(decoding: value, as: UTF8.self)), Self.digitRange.contains(number) else {
                    throw .digits
                }
                digits = number
            default:
                guard let number = Int64(String(decoding: value, as: UTF8.self)), Self.periodRange.contains(number)
                else {
                    throw .period
                }
                period = number
            }
        }
        guard let key else { throw .noKey }
        self.init(key: key, algorithm: algorithm, digits: digits, period: period)
    }

    private static func key(_ text: some Collection<UInt8>) throws(Problem) -> SecretBytes {
        do throws(Base32.Problem) {
            return try Base32.decode(text)
        } catch {
            throw .key(error)
        }
    }

    private static func percentDecoded(_ text: some Collection<UInt8>) throws(Problem) -> [UInt8] {
        var decoded: [UInt8] = []
        // Reserved at full size, because growing would leave copies behind.
        decoded.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimalValue),
                let low = rest.popFirst().flatMap(hexadecimalValue)
            else {
                wipe(&decoded)
                throw .badEscape
            }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// Returns the text to store: a URI as it is, and a key alone as a URI with a label.
    static func uri(_ text: SecretBytes, label: String) -> SecretBytes {
        guard !isURI(text) else { return text }
        let uri = SecretAccumulator()
        uri.append(Array("otpauth://totp/".utf8))
        for byte in label.utf8 {
            let isPlain = isLetterOrDigit(byte) || "-._~".utf8.contains(byte)
            uri.append(isPlain ? [byte] : [UInt8(ascii: "%")] + hexadecimal([byte], digits: uppercaseDigits))
        }
        uri.append(Array("?secret=".utf8))
        var digits = Base32.normalized(text.bytes)
        uri.append(digits)
        wipe(&digits)
        return uri.secret()
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(lowercased(byte))
    }
}

/// Converts a letter of ASCII.
private func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }

/// Base32 of RFC 4648, section 6, as sites show keys: in either case, with spaces and hyphens, with or without padding.
enum Base32 {
    enum Problem: Error, Hashable {
        /// The position of a character that is no digit of Base32, counted from 1.
        case character(Int)
        /// The number of digits, which no number of bytes has.
        case length(Int)
        case empty

        var reason: String {
            switch self {
            case .character(let position):
                "character \(position) of the key is invalid: Base32 has the letters A to Z and the digits 2 to 7"
            case .length(let count): "the key has \(count) characters, so a part of it is missing"
            case .empty: "the key is empty"
            }
        }
    }

    static func decode(_ text: some Collection<UInt8>) throws(Problem) -> SecretBytes {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 5 / 8 + 1)
        defer { wipe(&bytes) }
        var (group, bits, count) = (UInt32(0), 0, 0)
        var isPadded = false
        for (index, byte) in text.enumerated() where !isSpace(byte) {
            if byte == UInt8(ascii: "=") {
                isPadded = true
                continue
            }
            guard !isPadded, let digit = digit(byte) else { throw .character(index + 1) }
            count += 1
            group = group << 5 | UInt32(digit)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        guard count > 0 else { throw .empty }
        guard [0, 2, 4, 5, 7].contains(count % 8) else { throw .length(count) }
        return SecretBytes(moving: &bytes)
    }

    /// Returns the digits alone, in upper case.
    static func normalized(_ text: some Collection<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        // Reserved at full size, because growing would leave copies behind.
        digits.reserveCapacity(text.count)
        for byte in text where !isSpace(byte) && byte != UInt8(ascii: "=") {
            digits.append((0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
        }
        return digits
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch lowercased(byte) {
        case 0x61...0x7A: lowercased(byte) - 0x61
        case 0x32...0x37: byte - 0x32 + 26
        default: nil
        }
    }
}

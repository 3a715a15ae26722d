// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys

/// Reads the data types of SSH (RFC 4251, 5).
struct OpenSSHReader {
    private var rest: ArraySlice<UInt8>
    private let what: String

    init(_ bytes: ArraySlice<UInt8>, _ what: String) {
        rest = bytes
        self.what = what
    }

    var isAtEnd: Bool { rest.isEmpty }

    var remaining: ArraySlice<UInt8> { rest }

    mutating func number() throws(TransferError) -> Int {
        guard rest.count >= 4 else { throw .unexpected(what) }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func string() throws(TransferError) -> [UInt8] {
        let count = try number()
        guard count <= rest.count else { throw .unexpected(what) }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func text() throws(TransferError) -> String { String(decoding: try string(), as: UTF8.self) }

    /// Returns the bytes of a non-negative number, without leading zeros.
    mutating func magnitude() throws(TransferError) -> [UInt8] {
        let bytes = try string()
        guard bytes.first.map({ $0 < 0x80 }) ?? true else { throw .unexpected(what) }
        return Array(bytes.drop { $0 == 0 })
    }
}

/// Writes the data types of SSH.
struct OpenSSHWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ value: UInt32) {
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    mutating func string(_ string: some Collection<UInt8>) {
        number(UInt32(string.count))
        bytes += string
    }

    mutating func magnitude(_ magnitude: some Collection<UInt8>) {
        let digits = Array(magnitude.drop { $0 == 0 })
        string((digits.first.map { $0 >= 0x80 } ?? false ? [0] : []) + digits)
    }

    mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

    mutating func wipe() { bytes.wipe() }
}

/// The name of a key's type in SSH (RFC 4253, 6.6; RFC 5656, 3.1; RFC 8709).
enum OpenSSHKeyType: Equatable {
    case rsa
    case curve(EllipticCurve)
    case ed25519

    /// Reads the name of a type.
    ///
    /// - Throws: `unsupported`; the reason does not contain the name, because it may be any text.
    init(name: String) throws(TransferError) {
        switch name {
        case "ssh-rsa": self = .rsa
        case "ecdsa-sha2-nistp256": self = .curve(.p256)
        case "ecdsa-sha2-nistp384": self = .curve(.p384)
        case "ecdsa-sha2-nistp521": self = .curve(.p521)
        case "ssh-ed25519": self = .ed25519
        default:
            throw TransferError(
                .unsupported, "only RSA, ECDSA on P-256, P-384 and P-521, and Ed25519 are supported as keys for SSH")
        }
    }

    /// Finds the type of a key; nil for X25519, because SSH has no such keys.
    init?(_ key: PublicKey) {
        switch key.type {
        case .rsa: self = .rsa
        case .ellipticCurve:
            guard let curve = key.curve else { return nil }
            self = .curve(curve)
        case .ed25519: self = .ed25519
        case .x25519: return nil
        }
    }

    var name: String {
        switch self {
        case .rsa: "ssh-rsa"
        case .curve(let curve): "ecdsa-sha2-" + Self.curveName(curve)
        case .ed25519: "ssh-ed25519"
        }
    }

    static func curveName(_ curve: EllipticCurve) -> String { "nistp\(curve.sizeInBits)" }
}

// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes
internal import KeychainKeys

/// Reads the data types of SSH (RFC 4251, 5).
struct OpenSSHReader {
    private var reader: ByteReader<ByteError>
    private let what: String

    init(_ bytes: [UInt8], from start: Int = 0, _ what: String) {
        reader = ByteReader(bytes, from: start, to: bytes.count)
        self.what = what
    }

    var isAtEnd: Bool { reader.isAtEnd }

    var remaining: ArraySlice<UInt8> { reader.rest }

    mutating func number() throws(TransferError) -> Int {
        do throws(ByteError) { return Int(try reader.u32()) } catch { throw .unexpected(what) }
    }

    mutating func string() throws(TransferError) -> [UInt8] {
        do throws(ByteError) { return try reader.bytes(atMost: .max) } catch { throw .unexpected(what) }
    }

    mutating func text() throws(TransferError) -> String { String(decoding: try string(), as: UTF8.self) }

    /// Returns the bytes of a non-negative number, without leading zeros.
    mutating func magnitude() throws(TransferError) -> [UInt8] {
        let bytes = try string()
        guard bytes.first.map({ $0 < 0x80 }) ?? true else { throw .unexpected(what) }
        return Array(bytes.drop { $0 == 0 })
    }
}

extension ByteWriter {
    /// Writes a non-negative number as SSH does.
    mutating func magnitude(_ magnitude: some Collection<UInt8>) {
        let digits = Array(magnitude.drop { $0 == 0 })
        block((digits.first.map { $0 >= 0x80 } ?? false ? [0] : []) + digits)
    }
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

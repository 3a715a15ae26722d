// SPDX-License-Identifier: Apache-2.0

public import Crypto
public import KeychainBytes

/// The signer of a program, its identifier and its entitlements: the content of the section `.chatelaine.signature`,
/// version 1.
///
/// A value of this type that was read has a valid signature of its public key. Whether the file is unchanged is a
/// separate check, with ``digest``. Source: Documentation/Formats/code-signature.md.
public struct CodeSignature: Hashable, Sendable {
    /// The signed statement.
    public struct Statement: Hashable, Sendable {
        public var identifier: SigningIdentifier
        /// Seconds since 1970-01-01 00:00 UTC, by the signer's clock.
        public var time: UInt64
        public var entitlements: Entitlements
        /// The size of the signed file, in bytes.
        public var fileSize: UInt64
        /// The earlier values in the ELF header, so that removing the signature restores the file exactly.
        public var earlierTable: ELFFile.SectionTable

        public init(
            identifier: SigningIdentifier, time: UInt64, entitlements: Entitlements, fileSize: UInt64 = 0,
            earlierTable: ELFFile.SectionTable = .none
        ) {
            self.identifier = identifier
            self.time = time
            self.entitlements = entitlements
            self.fileSize = fileSize
            self.earlierTable = earlierTable
        }

        /// The size of the whole section, in bytes.
        public var encodedByteCount: Int {
            CodeSignature.headByteCount + 1 + identifier.text.utf8.count + entitlements.encoded.count
                + CodeSignature.digestByteCount + CodeSignature.signatureByteCount
        }
    }

    /// An Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]
    public let statement: Statement
    /// SHA-256 of the file with the section's bytes zeroed, 32 bytes.
    public let digest: [UInt8]
    /// An Ed25519 signature (RFC 8032), 64 bytes.
    public let signature: [UInt8]

    public var team: TeamIdentifier { TeamIdentifier(publicKey: publicKey) }

    static let magic = Array("CHTLSIG".utf8)
    static let version: UInt8 = 1
    /// A prefix of the signed data, so that a signature for this purpose is valid for no other.
    static let label = Array("chatelaine code signature 1".utf8) + [0]
    static let digestByteCount = 32
    static let signatureByteCount = 64
    /// The bytes before the identifier.
    static let headByteCount = 72

    /// The most bytes that a section can have. Entitlements are the largest part.
    public static let byteLimit = 16_384

    /// Signs a statement.
    ///
    /// - Parameter digest: 32 bytes. Traps for another length.
    /// - Throws: the errors of swift-crypto, if randomness is not available.
    public init(_ statement: Statement, digest: [UInt8], by key: Curve25519.Signing.PrivateKey) throws {
        precondition(digest.count == Self.digestByteCount, "a SHA-256 digest has 32 bytes")
        publicKey = Array(key.publicKey.rawRepresentation)
        self.statement = statement
        self.digest = digest
        let signed = Self.signed(publicKey, statement, digest)
        signature = Array(try key.signature(for: Self.label + signed))
    }

    /// The bytes of the section.
    public var encoded: [UInt8] { Self.signed(publicKey, statement, digest) + signature }

    private static func signed(_ publicKey: [UInt8], _ statement: Statement, _ digest: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(magic)
        writer.u8(version)
        writer.u32(UInt32(statement.encodedByteCount))
        writer.raw(publicKey)
        writer.u64(statement.time)
        writer.u64(statement.fileSize)
        writer.u64(statement.earlierTable.offset)
        writer.u16(statement.earlierTable.count)
        writer.u16(statement.earlierTable.nameIndex)
        writer.u8(UInt8(statement.identifier.text.utf8.count))
        writer.raw(statement.identifier.text.utf8)
        writer.raw(statement.entitlements.encoded)
        writer.raw(digest)
        return writer.bytes
    }

    /// Reads a section.
    ///
    /// Throws `.notASignature` for another beginning, `.version` for an unknown version, `.malformed` for contents that
    /// version 1 does not allow, and `.wrongSignature` if the public key did not sign the statement.
    public init(_ bytes: [UInt8]) throws(CodeSignatureError) {
        guard bytes.starts(with: Self.magic) else { throw .notASignature }
        var reader = ByteReader<CodeSignatureError>(bytes, from: Self.magic.count, to: bytes.count)
        let version = try reader.u8()
        guard version == Self.version else { throw .version(version) }
        guard bytes.count <= Self.byteLimit, try reader.u32() == UInt32(bytes.count) else { throw .malformed }
        publicKey = Array(try reader.take(TeamIdentifier.publicKeyByteCount))
        let time = try reader.u64()
        let fileSize = try reader.u64()
        let table = ELFFile.SectionTable(
            offset: try reader.u64(), count: try reader.u16(), nameIndex: try reader.u16())
        guard let identifier = SigningIdentifier(try reader.text(count: Int(try reader.u8()))) else {
            throw .malformed
        }
        let entitlements = try Entitlements(&reader)
        digest = Array(try reader.take(Self.digestByteCount))
        let end = reader.position
        signature = Array(try reader.take(Self.signatureByteCount))
        try reader.finish()
        statement = Statement(
            identifier: identifier, time: time, entitlements: entitlements, fileSize: fileSize, earlierTable: table)
        // A point that is not on the curve is not a key; a reader treats it like a key that did not sign.
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey),
            key.isValidSignature(signature, for: Self.label + bytes[..<end])
        else { throw .wrongSignature }
    }
}

/// The reason why bytes are not a code signature.
public enum CodeSignatureError: Error, Hashable, Sendable {
    case notASignature
    case version(UInt8)
    case malformed
    case wrongSignature
}

extension CodeSignatureError: ByteFormatError {
    public static var truncated: CodeSignatureError { .malformed }
    public static var trailingBytes: CodeSignatureError { .malformed }
    public static var tooLarge: CodeSignatureError { .malformed }
}

/// The signer's name for a program, such as `org.example.mail`: parts of letters, digits, `-` and `_`, joined by full
/// stops.
public struct SigningIdentifier: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// The most bytes of an identifier.
    public static let byteLimit = 155

    /// Reads an identifier; nil for other texts and for those of more than ``byteLimit`` bytes.
    public init?(_ text: some StringProtocol) {
        guard (1...Self.byteLimit).contains(text.utf8.count) else { return nil }
        for part in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard !part.isEmpty, part.allSatisfy(Self.isAllowed) else { return nil }
        }
        self.text = String(text)
    }

    public var description: String { text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

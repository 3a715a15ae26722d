// SPDX-License-Identifier: Apache-2.0

public import Crypto

/// Who signed a program, as what, and what it may have: the content of the section `.chatelaine.signature`, version 1.
///
/// A value of this type that was read has a right signature of its public key; that the file is still the one that was
/// signed is another question, which ``digest`` answers. Source: Documentation/Formats/code-signature.md.
public struct CodeSignature: Hashable, Sendable {
    /// What is signed.
    public struct Statement: Hashable, Sendable {
        public var identifier: SigningIdentifier
        /// Seconds since 1970-01-01 00:00 UTC, by the signer's clock.
        public var time: UInt64
        public var entitlements: Entitlements
        /// The size of the signed file, in bytes.
        public var fileSize: UInt64
        /// What the ELF header said before, so that the signature can be removed without a trace.
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
    /// Signed before all else, so that a signature for this purpose is none for another.
    static let label = Array("chatelaine code signature 1".utf8) + [0]
    static let digestByteCount = 32
    static let signatureByteCount = 64
    /// Up to the identifier.
    static let headByteCount = 72

    /// The most bytes that a section can have. Entitlements are the largest part.
    public static let byteLimit = 16_384

    /// Signs.
    ///
    /// - Parameter digest: 32 bytes. Traps when there are more or fewer.
    /// - Throws: what swift-crypto throws when it cannot sign, for want of randomness.
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
        writer.bytes = magic
        writer.write(version)
        writer.write(UInt32(statement.encodedByteCount))
        writer.bytes += publicKey
        writer.write(statement.time)
        writer.write(statement.fileSize)
        writer.write(statement.earlierTable.offset)
        writer.write(statement.earlierTable.count)
        writer.write(statement.earlierTable.nameIndex)
        writer.write(UInt8(statement.identifier.text.utf8.count))
        writer.bytes += statement.identifier.text.utf8
        writer.bytes += statement.entitlements.encoded
        writer.bytes += digest
        return writer.bytes
    }

    /// Reads a section.
    ///
    /// Throws `.notASignature` when it begins with something else, `.version` for one that is not known here, `.malformed`
    /// for what version 1 cannot be, and `.wrongSignature` when the public key did not sign this.
    public init(_ bytes: [UInt8]) throws(CodeSignatureError) {
        guard bytes.starts(with: Self.magic) else { throw .notASignature }
        var reader = ByteReader(bytes)
        _ = try reader.take(Self.magic.count)
        let version = try reader.uint8()
        guard version == Self.version else { throw .version(version) }
        guard bytes.count <= Self.byteLimit, try reader.uint32() == UInt32(bytes.count) else { throw .malformed }
        publicKey = Array(try reader.take(TeamIdentifier.publicKeyByteCount))
        let time = try reader.uint64()
        let fileSize = try reader.uint64()
        let table = ELFFile.SectionTable(
            offset: try reader.uint64(), count: try reader.uint16(), nameIndex: try reader.uint16())
        guard let identifier = SigningIdentifier(try reader.text(count: Int(try reader.uint8()))) else {
            throw .malformed
        }
        let entitlements = try Entitlements(&reader)
        digest = Array(try reader.take(Self.digestByteCount))
        let end = reader.position
        signature = Array(try reader.take(Self.signatureByteCount))
        guard reader.isAtEnd else { throw .malformed }
        statement = Statement(
            identifier: identifier, time: time, entitlements: entitlements, fileSize: fileSize, earlierTable: table)
        // A point that is none on the curve is no key; that is the same to a reader as a key that did not sign.
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey),
            key.isValidSignature(signature, for: Self.label + bytes[..<end])
        else { throw .wrongSignature }
    }
}

/// Why bytes are no code signature.
public enum CodeSignatureError: Error, Hashable, Sendable {
    case notASignature
    case version(UInt8)
    case malformed
    case wrongSignature
}

/// What a signer calls a program, such as `org.example.mail`: parts of letters, digits, `-` and `_`, joined by full stops.
public struct SigningIdentifier: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// The most bytes of one.
    public static let byteLimit = 155

    /// Nil for other texts and for those of more than ``byteLimit`` bytes.
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

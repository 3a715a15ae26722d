// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A writer of structures in the TPM's encoding: big-endian numbers, sized buffers after a 16-bit length.
typealias TPMWriter = ByteWriter

extension TPMWriter {
    /// Appends a TPM2B.
    mutating func sized(_ value: [UInt8]) {
        u16(UInt16(value.count))
        raw(value)
    }

    /// Appends a TPM2B of a structure.
    mutating func sized(_ write: (inout TPMWriter) -> Void) {
        var inner = TPMWriter()
        write(&inner)
        sized(inner.bytes)
    }
}

/// The bytes from a TPM do not match the specification.
struct MalformedResponseError: ByteFormatError {
    static let truncated = MalformedResponseError()
    static let trailingBytes = MalformedResponseError()
    static let tooLarge = MalformedResponseError()
    static let malformed = MalformedResponseError()
}

/// A reader of structures in the TPM's encoding.
typealias TPMReader = ByteReader<MalformedResponseError>

extension TPMReader {
    /// Takes a TPM2B.
    mutating func sized() throws(MalformedResponseError) -> [UInt8] { Array(try take(Int(try u16()))) }
}

/// The public areas of the objects that this module creates (12.2.4, TPMT_PUBLIC).
enum PublicArea {
    /// The parent of all keys of this module, a storage key on P-256. A TPM derives it from its own secret and from
    /// these bytes, so it is the same each time until the TPM is cleared.
    static let storageRoot: [UInt8] = {
        var writer = TPMWriter()
        writer.u16(TPMAlgorithm.ecc)
        writer.u16(TPMAlgorithm.sha256)
        let attributes: ObjectAttributes = [
            .fixedTPM, .fixedParent, .sensitiveDataOrigin, .userWithAuth, .noDictionaryAttackProtection, .restricted,
            .decrypt,
        ]
        writer.u32(attributes.rawValue)
        writer.sized([])
        writer.u16(TPMAlgorithm.aes)
        writer.u16(128)
        writer.u16(TPMAlgorithm.cfb)
        writer.u16(TPMAlgorithm.null)
        writer.u16(TPMCurve.p256)
        writer.u16(TPMAlgorithm.null)
        // An additional input of the derivation; any constant is suitable.
        writer.sized([UInt8](repeating: 0, count: 32))
        writer.sized([UInt8](repeating: 0, count: 32))
        return writer.bytes
    }()

    /// A key for signatures and key agreement.
    static let key: [UInt8] = {
        var writer = TPMWriter()
        writer.u16(TPMAlgorithm.ecc)
        writer.u16(TPMAlgorithm.sha256)
        let attributes: ObjectAttributes = [
            .fixedTPM, .fixedParent, .sensitiveDataOrigin, .userWithAuth, .noDictionaryAttackProtection, .decrypt,
            .sign,
        ]
        writer.u32(attributes.rawValue)
        writer.sized([])
        writer.u16(TPMAlgorithm.null)
        writer.u16(TPMAlgorithm.null)
        writer.u16(TPMCurve.p256)
        writer.u16(TPMAlgorithm.null)
        writer.sized([])
        writer.sized([])
        return writer.bytes
    }()

    /// A sealed secret.
    static let secret: [UInt8] = {
        var writer = TPMWriter()
        writer.u16(TPMAlgorithm.keyedHash)
        writer.u16(TPMAlgorithm.sha256)
        let attributes: ObjectAttributes = [
            .fixedTPM, .fixedParent, .userWithAuth, .noDictionaryAttackProtection,
        ]
        writer.u32(attributes.rawValue)
        writer.sized([])
        writer.u16(TPMAlgorithm.null)
        writer.sized([])
        return writer.bytes
    }()

    /// A sealed secret that requires its authorization value. The TPM counts wrong values.
    static let guardedSecret: [UInt8] = {
        var writer = TPMWriter()
        writer.u16(TPMAlgorithm.keyedHash)
        writer.u16(TPMAlgorithm.sha256)
        let attributes: ObjectAttributes = [.fixedTPM, .fixedParent, .userWithAuth]
        writer.u32(attributes.rawValue)
        writer.sized([])
        writer.u16(TPMAlgorithm.null)
        writer.sized([])
        return writer.bytes
    }()

    /// Whether a public area is that of an object made with a template, whatever its type: both begin with the same
    /// type, name algorithm and attributes.
    static func isLike(_ template: [UInt8], _ area: [UInt8]) -> Bool { area.starts(with: template.prefix(8)) }

    /// Returns the point of a key on P-256 that a TPM made with one of these templates, as 04 | X | Y.
    static func point(of area: [UInt8], madeWith template: [UInt8]) throws(MalformedResponseError) -> [UInt8] {
        // The area must equal the template up to the point, for which the template only has a placeholder.
        var given = TPMReader(template)
        let head = try given.headOfKey()
        guard area.starts(with: head) else { throw MalformedResponseError() }
        var reader = TPMReader(area, from: head.count, to: area.count)
        let (x, y) = (try reader.sized(), try reader.sized())
        try reader.finish()
        guard x.count <= 32, y.count <= 32 else { throw MalformedResponseError() }
        return [4] + padded(x) + padded(y)
    }

    /// Pads a number, because a TPM may omit leading zeros.
    static func padded(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number
    }
}

extension TPMReader {
    /// Takes a key's TPMT_PUBLIC up to its point.
    fileprivate mutating func headOfKey() throws(MalformedResponseError) -> [UInt8] {
        let start = rest
        _ = try take(8)
        _ = try sized()
        if try u16() != TPMAlgorithm.null { _ = try take(4) }
        _ = try take(6)
        return Array(start.dropLast(rest.count))
    }
}

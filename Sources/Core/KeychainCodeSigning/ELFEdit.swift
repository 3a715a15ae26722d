// SPDX-License-Identifier: Apache-2.0

internal import KeychainBytes

/// A change of an ELF file that does not affect loaded contents: a beginning that is kept, bytes that are overwritten
/// in it, and a new end.
public struct ELFEdit: Hashable, Sendable {
    public struct Patch: Hashable, Sendable {
        public let offset: UInt64
        public let bytes: [UInt8]
    }

    /// The number of bytes of the file that are kept.
    public let keptByteCount: UInt64
    /// Changes within the kept bytes.
    public let patches: [Patch]
    /// The bytes that follow them.
    public let tail: [UInt8]
    /// The range of the signature in the new file; zeros until it is written. Nil if the signature was removed.
    public let signatureRange: Range<UInt64>?

    /// The size of the new file, in bytes.
    public var size: UInt64 { keptByteCount + UInt64(tail.count) }
}

extension ELFFile {
    /// The most bytes of section names that an edit copies.
    static let nameLimit: UInt64 = 1 << 20

    /// Returns the file as it was before it was signed, if the signature is in the place that signing uses; otherwise
    /// nil.
    ///
    /// Throws the errors of reading.
    public func beforeSigning(read: @escaping Reading) throws(ELFError) -> ELFFile? {
        guard let signature = signatureRange, let table = sectionTable.range,
            signatureIndex == Int(sectionTable.count) - 1, names.lowerBound == signature.upperBound,
            Self.aligned(names.upperBound) == table.lowerBound, table.upperBound == size,
            contentEnd <= signature.lowerBound
        else { return nil }
        let bytes = try read(signature.lowerBound, signature.count)
        guard bytes.count == signature.count, bytes.count >= CodeSignature.headByteCount,
            bytes.starts(with: CodeSignature.magic + [CodeSignature.version])
        else { return nil }
        // The signature is not verified here, because a wrong table only makes the file unreadable.
        var reader = ByteReader<CodeSignatureError>(bytes, from: 60, to: 72)
        guard let offset = try? reader.u64(), let count = try? reader.u16(), let nameIndex = try? reader.u16()
        else { return nil }
        let earlier = SectionTable(offset: offset, count: count, nameIndex: nameIndex)
        do {
            let file = try ELFFile(size: signature.lowerBound, table: earlier, read: read)
            return file.signatureRange == nil ? file : nil
        } catch .unreadable(let reason) {
            throw .unreadable(reason: reason)
        } catch {
            return nil
        }
    }

    /// Makes room for a signature at the end: its section, the names of all sections with its own, the section headers.
    ///
    /// An earlier signature is removed. For a signed file, call this on ``beforeSigning(read:)`` if it is not nil: then
    /// the file does not grow.
    ///
    /// - Parameter byteCount: the size of the signature; see ``CodeSignature/Statement/encodedByteCount``.
    /// - Throws: `.tooManyHeaders` if there is no room for another section, and the errors of reading.
    public func addingSignature(byteCount: Int, read: @escaping Reading) throws(ELFError) -> ELFEdit {
        precondition((1...CodeSignature.byteLimit).contains(byteCount), "a signature has that many bytes")
        guard names.count <= Self.nameLimit else { throw .tooManyHeaders }
        var patches: [ELFEdit.Patch] = []
        var headers = try copyOfTable(read: read)
        if let index = signatureIndex, let range = signatureRange {
            headers[index] = Self.noSection
            // Also in the old table, because the file gets it back when this signature is removed or replaced.
            patches = droppingSection(index, range)
        }
        var newNames = try exactly(names, read: read)
        var nameIndex = Int(sectionTable.nameIndex)
        if headers.isEmpty {
            headers = [Self.noSection, Self.noSection]
            newNames = [0] + Array(".shstrtab".utf8) + [0]
            nameIndex = 1
            headers[1].replaceSubrange(0..<4, with: [UInt8].littleEndian(UInt32(1)))
            headers[1].replaceSubrange(4..<8, with: [UInt8].littleEndian(SectionHeader.textType))
            headers[1].replaceSubrange(48..<56, with: [UInt8].littleEndian(UInt64(1)))
        }
        let name = UInt32(newNames.count)
        newNames += Array(Self.signatureSectionName.utf8) + [0]

        let signature = size..<size + UInt64(byteCount)
        let namesEnd = signature.upperBound + UInt64(newNames.count)
        headers[nameIndex].replaceSubrange(
            24..<40, with: [UInt8].littleEndian(signature.upperBound) + .littleEndian(UInt64(newNames.count)))
        headers.append(
            [UInt8].littleEndian(name) + .littleEndian(SectionHeader.contentType) + .littleEndian(UInt64(0))
                + .littleEndian(UInt64(0)) + .littleEndian(signature.lowerBound) + .littleEndian(UInt64(byteCount))
                + .littleEndian(UInt64(0)) + .littleEndian(UInt64(1)) + .littleEndian(UInt64(0)))
        guard headers.count <= Self.sectionLimit else { throw .tooManyHeaders }
        let table = SectionTable(
            offset: Self.aligned(namesEnd), count: UInt16(headers.count), nameIndex: UInt16(nameIndex))
        let tail =
            [UInt8](repeating: 0, count: byteCount) + newNames
            + [UInt8](repeating: 0, count: Int(table.offset - namesEnd)) + headers.flatMap(\.self)
        return ELFEdit(
            keptByteCount: size, patches: Self.headerPatches(table) + patches, tail: tail, signatureRange: signature)
    }

    /// Removes the signature. If it is in the place that signing uses, this restores the signed file byte for byte;
    /// otherwise its section becomes an unused one. Nil for a file without a signature.
    public func removingSignature(read: @escaping Reading) throws(ELFError) -> ELFEdit? {
        guard let index = signatureIndex, let range = signatureRange else { return nil }
        if let earlier = try beforeSigning(read: read) {
            return ELFEdit(
                keptByteCount: earlier.size, patches: Self.headerPatches(earlier.sectionTable), tail: [],
                signatureRange: nil)
        }
        return ELFEdit(
            keptByteCount: size, patches: droppingSection(index, range), tail: [], signatureRange: nil)
    }

    private func droppingSection(_ index: Int, _ range: Range<UInt64>) -> [ELFEdit.Patch] {
        let place = sectionTable.offset + UInt64(index) * Self.sectionHeaderByteCount
        return [
            .init(offset: range.lowerBound, bytes: [UInt8](repeating: 0, count: range.count)),
            .init(offset: place, bytes: Self.noSection),
        ]
    }

    private static let noSection = [UInt8](repeating: 0, count: Int(sectionHeaderByteCount))

    static func aligned(_ offset: UInt64) -> UInt64 { (offset + 7) & ~7 }

    private static func headerPatches(_ table: SectionTable) -> [ELFEdit.Patch] {
        [
            .init(offset: 40, bytes: .littleEndian(table.offset)),
            .init(
                offset: 58,
                bytes: .littleEndian(UInt16(sectionHeaderByteCount)) + .littleEndian(table.count)
                    + .littleEndian(table.nameIndex)),
        ]
    }

    private func copyOfTable(read: @escaping Reading) throws(ELFError) -> [[UInt8]] {
        guard let range = sectionTable.range, !range.isEmpty else { return [] }
        var headers: [[UInt8]] = []
        try Self.forEachRecord(in: range, of: Self.sectionHeaderByteCount, read: read) { _, record in
            headers.append(record)
        }
        return headers
    }

    private func exactly(_ range: Range<UInt64>, read: @escaping Reading) throws(ELFError) -> [UInt8] {
        let bytes = try read(range.lowerBound, range.count)
        guard bytes.count == range.count else { throw .truncated }
        return bytes
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A change of an ELF file that leaves all that is loaded as it is: a beginning that stays, bytes that are overwritten in
/// it, and a new end.
public struct ELFEdit: Hashable, Sendable {
    public struct Patch: Hashable, Sendable {
        public let offset: UInt64
        public let bytes: [UInt8]
    }

    /// How many bytes of the file stay.
    public let keptByteCount: UInt64
    /// Within the bytes that stay.
    public let patches: [Patch]
    /// What follows them.
    public let tail: [UInt8]
    /// Where in the new file the signature goes; zeros until then. Nil when it was removed.
    public let signatureRange: Range<UInt64>?

    /// The size of the new file, in bytes.
    public var size: UInt64 { keptByteCount + UInt64(tail.count) }
}

extension ELFFile {
    /// The names of sections that an edit copies may have so many bytes.
    static let nameLimit: UInt64 = 1 << 20

    /// The file as it was before it was signed, if the signature is where signing puts it; else nil.
    ///
    /// Throws what reading throws.
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
        // Whoever signed it; a wrong table is no more than a file that cannot be read.
        var reader = ByteReader(Array(bytes[60..<72]))
        guard let offset = try? reader.uint64(), let count = try? reader.uint16(), let nameIndex = try? reader.uint16()
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
    /// An earlier signature goes. For a file that was signed, call it on ``beforeSigning(read:)`` if there is one: then the
    /// file does not grow.
    ///
    /// - Parameter byteCount: of the signature; see ``CodeSignature/Statement/encodedByteCount``.
    /// - Throws: `.tooManyHeaders` when there is no room for another section, and what reading throws.
    public func addingSignature(byteCount: Int, read: @escaping Reading) throws(ELFError) -> ELFEdit {
        precondition((1...CodeSignature.byteLimit).contains(byteCount), "a signature has that many bytes")
        guard names.count <= Self.nameLimit else { throw .tooManyHeaders }
        var patches: [ELFEdit.Patch] = []
        var headers = try copyOfTable(read: read)
        if let index = signatureIndex, let range = signatureRange {
            headers[index] = Self.noSection
            // In the old table too: it is what the file gets back when this signature goes, or is replaced.
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

    /// Takes the signature away: byte for byte what was signed, if it is where signing puts it; else its section becomes an
    /// unused one. Nil for a file without a signature.
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

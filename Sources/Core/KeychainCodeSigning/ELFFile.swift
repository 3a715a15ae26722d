// SPDX-License-Identifier: Apache-2.0

// All bytes are untrusted until they are checked: offsets and sizes are added only if the sum cannot overflow, tables
// are read in pieces of a few KiB, and their lengths are bounded.
//
// Source: System V Application Binary Interface, chapters 4 and 5 ("gABI"), and elf(5).

/// The parts of a 64-bit little-endian ELF program that matter for its signature.
public struct ELFFile: Hashable, Sendable {
    /// Reads bytes at an offset; returns fewer than requested only at the end of the file.
    public typealias Reading = (_ offset: UInt64, _ count: Int) throws(ELFError) -> [UInt8]

    /// The position of the section headers according to the ELF header.
    public struct SectionTable: Hashable, Sendable {
        public var offset: UInt64
        public var count: UInt16
        /// The index of the section with the names of all sections.
        public var nameIndex: UInt16

        public init(offset: UInt64, count: UInt16, nameIndex: UInt16) {
            (self.offset, self.count, self.nameIndex) = (offset, count, nameIndex)
        }

        /// No table: a program runs without one.
        public static let none = SectionTable(offset: 0, count: 0, nameIndex: 0)

        /// The bytes of the table; nil if the file would be too long.
        var range: Range<UInt64>? { ELFFile.range(offset, UInt64(count) * ELFFile.sectionHeaderByteCount) }
    }

    /// The size of the file, in bytes.
    public let size: UInt64
    /// `e_machine`, such as 62 for x86-64 and 183 for AArch64.
    public let machine: UInt16
    public let sectionTable: SectionTable
    /// The bytes of the section `.chatelaine.signature`, which count as zeros in the digest. Nil without one.
    public let signatureRange: Range<UInt64>?
    /// Whether there is a symbol table, which `strip` removes.
    public let hasSymbolTable: Bool

    /// The section's index in the table.
    let signatureIndex: Int?
    /// The names of all sections.
    let names: Range<UInt64>
    /// The end of all contents except the signature, the names, and the table of sections.
    let contentEnd: UInt64

    public static let signatureSectionName = ".chatelaine.signature"

    static let headerByteCount: UInt64 = 64
    static let sectionHeaderByteCount: UInt64 = 64
    static let segmentHeaderByteCount: UInt64 = 56
    /// The most sections; large programs have some dozens.
    static let sectionLimit = 2048
    static let segmentLimit = 256

    /// Reads the headers.
    ///
    /// Throws ``ELFError``; never traps, and holds only a few KiB at a time, for any file.
    public init(size: UInt64, read: @escaping Reading) throws(ELFError) {
        try self.init(size: size, table: nil, read: read)
    }

    /// Reads the headers.
    ///
    /// - Parameter table: replaces the values in the header.
    init(size: UInt64, table: SectionTable?, read: @escaping Reading) throws(ELFError) {
        self.size = size
        let header = try Self.header(size: size, read: read)
        machine = header.uint16(18)
        let sections = try SectionReader(table ?? Self.table(header), header, size: size, read: read)
        sectionTable = sections.table
        names = sections.names

        var found: (index: Int, range: Range<UInt64>)?
        var hasSymbolTable = false
        try sections.forEach { index, section throws(ELFError) in
            if section.type == SectionHeader.symbolTableType { hasSymbolTable = true }
            guard section.type != SectionHeader.unusedType, try sections.isSignature(section) else { return }
            guard found == nil else { throw .severalSignatureSections }
            guard section.type == SectionHeader.contentType, !section.isLoaded, let range = section.fileRange,
                !range.isEmpty, range.count <= CodeSignature.byteLimit
            else { throw .signatureSectionOverlaps }
            found = (index, range)
        }
        self.hasSymbolTable = hasSymbolTable
        signatureIndex = found?.index
        signatureRange = found?.range

        // The range that the digest excludes must be the signature alone, and no data that a program reads for another
        // purpose.
        let taken = found?.range ?? 0..<0
        var end = Self.headerByteCount
        func occupy(_ range: Range<UInt64>) throws(ELFError) {
            guard !range.overlaps(taken) else { throw .signatureSectionOverlaps }
            end = max(end, range.upperBound)
        }
        try occupy(0..<Self.headerByteCount)
        try Self.forEachSegment(header, size: size, read: read, occupy)
        let nameIndex = Int(sections.table.nameIndex)
        try sections.forEach { index, section throws(ELFError) in
            guard index != found?.index, section.occupiesFile, let range = section.fileRange, !range.isEmpty else {
                return
            }
            if index == nameIndex {
                guard !range.overlaps(taken) else { throw .signatureSectionOverlaps }
            } else {
                try occupy(range)
            }
        }
        contentEnd = end
        if let range = sections.table.range, range.overlaps(taken) { throw .signatureSectionOverlaps }
    }

    // MARK: The header

    private static func header(size: UInt64, read: @escaping Reading) throws(ELFError) -> [UInt8] {
        guard size > 0 else { throw .empty }
        let header = try read(0, Int(min(size, headerByteCount)))
        guard header.count == Int(min(size, headerByteCount)) else { throw .truncated }
        if header.starts(with: Array("#!".utf8)) { throw .script }
        guard header.starts(with: [0x7F] + Array("ELF".utf8)) else { throw .notELF }
        guard header.count >= 20 else { throw .truncated }
        switch header[4] {
        case 2: break
        case 1: throw .thirtyTwoBit
        default: throw .malformed
        }
        switch header[5] {
        case 1: break
        case 2: throw .bigEndian
        default: throw .malformed
        }
        guard header.count == Int(headerByteCount) else { throw .truncated }
        let type = header.uint16(16)
        guard type == 2 || type == 3 else { throw .notAProgram(type: type) }
        guard header.uint16(52) == UInt16(headerByteCount) else { throw .malformed }
        return header
    }

    private static func table(_ header: [UInt8]) -> SectionTable {
        SectionTable(offset: header.uint64(40), count: header.uint16(60), nameIndex: header.uint16(62))
    }

    private static func forEachSegment(
        _ header: [UInt8], size: UInt64, read: @escaping Reading, _ body: (Range<UInt64>) throws(ELFError) -> Void
    ) throws(ELFError) {
        let count = Int(header.uint16(56))
        guard count > 0 else { return }
        guard header.uint16(54) == UInt16(segmentHeaderByteCount) else { throw .malformed }
        guard count <= segmentLimit else { throw .tooManyHeaders }
        // The segment table is not in the ELF header, which signing changes.
        guard let table = range(header.uint64(32), UInt64(count) * segmentHeaderByteCount),
            table.lowerBound >= headerByteCount
        else { throw .malformed }
        guard table.upperBound <= size else { throw .truncated }
        try body(table)
        try forEachRecord(in: table, of: segmentHeaderByteCount, read: read) { _, record throws(ELFError) in
            guard let range = range(record.uint64(8), record.uint64(32)) else { throw .malformed }
            guard !range.isEmpty else { return }
            guard range.upperBound <= size else { throw .truncated }
            try body(range)
        }
    }

    // MARK: Bounded reading

    static func range(_ offset: UInt64, _ count: UInt64) -> Range<UInt64>? {
        let (end, overflows) = offset.addingReportingOverflow(count)
        return overflows ? nil : offset..<end
    }

    /// Passes each record of a table within the file to a closure.
    static func forEachRecord(
        in table: Range<UInt64>, of byteCount: UInt64, read: @escaping Reading,
        _ body: (Int, [UInt8]) throws(ELFError) -> Void
    ) throws(ELFError) {
        let count = table.upperBound - table.lowerBound
        let pieceByteCount = byteCount * 32
        var start: UInt64 = 0
        while start < count {
            let piece = try read(table.lowerBound + start, Int(min(pieceByteCount, count - start)))
            guard piece.count == Int(min(pieceByteCount, count - start)) else { throw .truncated }
            for place in stride(from: 0, to: piece.count, by: Int(byteCount)) {
                try body(
                    (Int(start) + place) / Int(byteCount), Array(piece[place..<place + Int(byteCount)]))
            }
            start += UInt64(piece.count)
        }
    }
}

/// One section header.
struct SectionHeader {
    static let unusedType: UInt32 = 0
    static let contentType: UInt32 = 1
    static let symbolTableType: UInt32 = 2
    static let textType: UInt32 = 3
    /// Zero-initialised memory; the file has no bytes of it.
    private static let emptyType: UInt32 = 8

    let name: UInt32
    let type: UInt32
    let flags: UInt64
    private let offset: UInt64
    private let size: UInt64

    init(_ record: [UInt8]) {
        name = record.uint32(0)
        type = record.uint32(4)
        flags = record.uint64(8)
        offset = record.uint64(24)
        size = record.uint64(32)
    }

    var isLoaded: Bool { flags & 2 != 0 }
    var occupiesFile: Bool { type != Self.unusedType && type != Self.emptyType }
    /// The bytes in the file; nil if the sum of the two numbers overflows.
    var fileRange: Range<UInt64>? { ELFFile.range(offset, size) }
}

/// The sections of a file; empty for a file without sections.
struct SectionReader {
    let table: ELFFile.SectionTable
    /// Empty without a table.
    let names: Range<UInt64>
    private let size: UInt64
    private let read: ELFFile.Reading

    private static let wanted = Array(ELFFile.signatureSectionName.utf8) + [0]

    init(_ table: ELFFile.SectionTable, _ header: [UInt8], size: UInt64, read: @escaping ELFFile.Reading)
        throws(ELFError)
    {
        self.size = size
        self.read = read
        guard table.offset != 0 || table.count != 0 else {
            self.table = .none
            names = 0..<0
            return
        }
        self.table = table
        // A count of 0 with a table, and an index of 0xFFFF, would mean more than 65,279 sections.
        guard table.count > 0, table.nameIndex != 0xFFFF, table.count <= ELFFile.sectionLimit else {
            throw .tooManyHeaders
        }
        guard header.uint16(58) == UInt16(ELFFile.sectionHeaderByteCount), table.offset >= ELFFile.headerByteCount,
            table.nameIndex > 0, table.nameIndex < table.count, let range = table.range
        else { throw .malformed }
        guard range.upperBound <= size else { throw .truncated }
        let place = table.offset + UInt64(table.nameIndex) * ELFFile.sectionHeaderByteCount
        let record = try read(place, Int(ELFFile.sectionHeaderByteCount))
        guard record.count == Int(ELFFile.sectionHeaderByteCount) else { throw .truncated }
        let section = SectionHeader(record)
        guard section.type == SectionHeader.textType, let names = section.fileRange else { throw .malformed }
        guard names.upperBound <= size else { throw .truncated }
        // Otherwise a name could end at the end of the table, and continue into bytes appended later.
        guard !names.isEmpty, try read(names.upperBound - 1, 1) == [0] else { throw .malformed }
        self.names = names
    }

    func forEach(_ body: (Int, SectionHeader) throws(ELFError) -> Void) throws(ELFError) {
        guard let range = table.range else { return }
        try ELFFile.forEachRecord(in: range, of: ELFFile.sectionHeaderByteCount, read: read) {
            index, record throws(ELFError) in
            let section = SectionHeader(record)
            if section.occupiesFile {
                guard let range = section.fileRange else { throw .malformed }
                guard range.upperBound <= size else { throw .truncated }
            }
            try body(index, section)
        }
    }

    func isSignature(_ section: SectionHeader) throws(ELFError) -> Bool {
        let length = names.upperBound - names.lowerBound
        guard UInt64(section.name) < length else { throw .malformed }
        guard length - UInt64(section.name) >= UInt64(Self.wanted.count) else { return false }
        return try read(names.lowerBound + UInt64(section.name), Self.wanted.count) == Self.wanted
    }
}

/// Little-endian integers. The caller ensures that the bytes exist.
extension [UInt8] {
    func uint16(_ place: Int) -> UInt16 { UInt16(self[place]) | UInt16(self[place + 1]) << 8 }
    func uint32(_ place: Int) -> UInt32 { UInt32(uint16(place)) | UInt32(uint16(place + 2)) << 16 }
    func uint64(_ place: Int) -> UInt64 { UInt64(uint32(place)) | UInt64(uint32(place + 4)) << 32 }

    static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

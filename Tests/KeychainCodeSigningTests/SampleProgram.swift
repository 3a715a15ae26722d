// SPDX-License-Identifier: Apache-2.0

import Crypto
import Testing

@testable import KeychainCodeSigning

/// A small ELF file with the parts that signing uses: a loaded segment, some sections, and optional bytes after them.
struct SampleProgram {
    struct Section {
        var name: String
        var type: UInt32 = 1
        var flags: UInt64 = 0
        var content: [UInt8] = []
        var offset: UInt64?
        var size: UInt64?
    }

    var sections = [
        Section(name: ".text", flags: 6, content: Array("loaded code".utf8)),
        Section(name: ".symtab", type: 2, content: [UInt8](repeating: 7, count: 24)),
    ]
    var overlay: [UInt8] = []
    var hasSectionTable = true

    var bytes: [UInt8] {
        var body: [UInt8] = []
        var headers = [[UInt8](repeating: 0, count: 64)]
        var names: [UInt8] = [0]
        func add(_ section: Section, at start: Int) {
            headers.append(
                .littleEndian(UInt32(names.count)) + .littleEndian(section.type) + .littleEndian(section.flags)
                    + .littleEndian(UInt64(0)) + .littleEndian(section.offset ?? UInt64(start))
                    + .littleEndian(section.size ?? UInt64(section.content.count)) + .littleEndian(UInt64(0))
                    + .littleEndian(UInt64(1)) + .littleEndian(UInt64(0)))
            names += Array(section.name.utf8) + [0]
        }
        let bodyStart = 64 + 56
        for section in sections {
            add(section, at: bodyStart + body.count)
            body += section.content
        }
        let loaded = UInt64(sections.first?.content.count ?? 0)
        add(Section(name: ".shstrtab", type: 3), at: bodyStart + body.count)
        headers[headers.count - 1].replaceSubrange(32..<40, with: [UInt8].littleEndian(UInt64(names.count)))
        body += names
        while !(bodyStart + body.count).isMultiple(of: 8) { body.append(0) }
        let table = hasSectionTable ? UInt64(bodyStart + body.count) : 0
        let count = hasSectionTable ? UInt16(headers.count) : 0
        if hasSectionTable { body += headers.flatMap(\.self) }
        var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
        header += .littleEndian(UInt16(3)) + .littleEndian(UInt16(62)) + .littleEndian(UInt32(1))
        header += .littleEndian(UInt64(0)) + .littleEndian(UInt64(64)) + .littleEndian(table) + .littleEndian(UInt32(0))
        header += .littleEndian(UInt16(64)) + .littleEndian(UInt16(56)) + .littleEndian(UInt16(1))
        header += .littleEndian(UInt16(64)) + .littleEndian(count) + .littleEndian(count == 0 ? 0 : count - 1)
        let segment =
            [UInt8].littleEndian(UInt32(1)) + .littleEndian(UInt32(5)) + .littleEndian(UInt64(0))
            + .littleEndian(UInt64(0)) + .littleEndian(UInt64(0)) + .littleEndian(UInt64(bodyStart) + loaded)
            + .littleEndian(UInt64(bodyStart) + loaded) + .littleEndian(UInt64(4096))
        return header + segment + body + overlay
    }
}

func reading(_ bytes: [UInt8]) -> ELFFile.Reading {
    { offset, count throws(ELFError) in
        guard offset <= UInt64(bytes.count) else { return [] }
        return Array(bytes[Int(offset)...].prefix(count))
    }
}

func file(_ bytes: [UInt8]) throws(ELFError) -> ELFFile {
    try ELFFile(size: UInt64(bytes.count), read: reading(bytes))
}

extension ELFEdit {
    func applied(to bytes: [UInt8]) -> [UInt8] {
        var result = Array(bytes.prefix(Int(keptByteCount)))
        for patch in patches {
            result.replaceSubrange(Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
        }
        return result + tail
    }
}

let teamKey = try! Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 5, count: 32))

func signed(
    _ bytes: [UInt8], by key: Curve25519.Signing.PrivateKey = teamKey, identifier: String = "org.example.mail",
    _ entitlements: Entitlements = .none
) throws -> [UInt8] {
    let original = try file(bytes)
    let base = try original.beforeSigning(read: reading(bytes)) ?? original
    var statement = CodeSignature.Statement(
        identifier: try #require(SigningIdentifier(identifier)), time: 1_700_000_000, entitlements: entitlements,
        earlierTable: base.sectionTable)
    let edit = try base.addingSignature(byteCount: statement.encodedByteCount, read: reading(bytes))
    statement.fileSize = edit.size
    var result = edit.applied(to: bytes)
    let range = try #require(edit.signatureRange)
    let digest = try SignedFileDigest.digest(size: edit.size, zeroing: range, read: reading(result))
    result.replaceSubrange(
        Int(range.lowerBound)..<Int(range.upperBound),
        with: try CodeSignature(statement, digest: digest, by: key).encoded)
    return result
}

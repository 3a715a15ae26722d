// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import KeychainCodeSigning

@Suite("ELF files")
struct ELFFileTests {
    let program = SampleProgram()

    @Test func `a program that was never signed has no signature section`() throws {
        let read = try file(program.bytes)
        #expect(read.signatureRange == nil)
        #expect(read.machine == 62)
        #expect(read.hasSymbolTable)
    }

    @Test func `a signature lies at the end and leaves all that is loaded as it is`() throws {
        let bytes = program.bytes
        let result = try signed(bytes)
        let range = try #require(try file(result).signatureRange)
        #expect(range.lowerBound == UInt64(bytes.count))
        // The table's place, its length and the index of the names are all that changes in the old part.
        var old = bytes
        var new = Array(result.prefix(bytes.count))
        for place in [40..<48, 60..<64] {
            old.replaceSubrange(place, with: [UInt8](repeating: 0, count: place.count))
            new.replaceSubrange(place, with: [UInt8](repeating: 0, count: place.count))
        }
        #expect(old == new)
    }

    @Test func `signing again does not grow the file`() throws {
        let first = try signed(program.bytes)
        var bytes = first
        for _ in 0..<100 { bytes = try signed(bytes) }
        #expect(bytes.count == first.count)
        #expect(try signed(bytes, identifier: "a").count < first.count)
    }

    @Test func `a signature is removed without a trace`() throws {
        for overlay in [[], Array("payload behind the program".utf8)] {
            for hasSectionTable in [true, false] {
                var program = program
                program.overlay = overlay
                program.hasSectionTable = hasSectionTable
                let bytes = try signed(signed(program.bytes))
                let edit = try #require(try file(bytes).removingSignature(read: reading(bytes)))
                #expect(edit.applied(to: bytes) == program.bytes)
            }
        }
    }

    @Test func `bytes behind the program stay where they are`() throws {
        var program = program
        program.overlay = Array("payload".utf8)
        let result = try signed(program.bytes)
        #expect(Array(result[64..<program.bytes.count]) == Array(program.bytes[64...]))
    }

    @Test func `a signature in the middle is dropped when the file is signed again`() throws {
        var program = program
        program.sections.insert(
            .init(name: ELFFile.signatureSectionName, content: [UInt8](repeating: 9, count: 100)), at: 1)
        let once = try signed(program.bytes)
        #expect(!once.contains([UInt8](repeating: 9, count: 100)))
        let twice = try signed(once)
        #expect(twice.count == once.count)
        let edit = try #require(try file(program.bytes).removingSignature(read: reading(program.bytes)))
        #expect(try file(edit.applied(to: program.bytes)).signatureRange == nil)
    }

    @Test(arguments: [
        ([], ELFError.empty), (Array("#!/bin/sh\n".utf8), .script), (Array("MZ".utf8), .notELF),
        ([0x7F, 0x45, 0x4C, 0x46], .truncated),
    ])
    func `a file other than ELF is reported`(bytes: [UInt8], error: ELFError) {
        #expect(throws: error) { try file(bytes) }
    }

    @Test(arguments: [
        (4, 1, ELFError.thirtyTwoBit), (5, 2, .bigEndian), (16, 1, .notAProgram(type: 1)), (4, 9, .malformed),
        (52, 63, .malformed),
    ])
    func `other kinds of ELF files are told`(place: Int, value: UInt8, error: ELFError) {
        var bytes = program.bytes
        bytes[place] = value
        #expect(throws: error) { try file(bytes) }
    }

    @Test func `every truncation is an error`() throws {
        let bytes = try signed(program.bytes)
        for count in 0..<bytes.count { #expect(throws: ELFError.self) { try file(Array(bytes.prefix(count))) } }
    }

    @Test func `two signature sections are an error`() {
        var program = program
        let section = SampleProgram.Section(name: ELFFile.signatureSectionName, content: [1])
        program.sections += [section, section]
        #expect(throws: ELFError.severalSignatureSections) { try file(program.bytes) }
    }

    @Test(arguments: [0, 64, 120, 131])
    func `a signature section over something else is an error`(offset: UInt64) {
        var program = program
        program.sections.append(.init(name: ELFFile.signatureSectionName, offset: offset, size: 4))
        #expect(throws: ELFError.signatureSectionOverlaps) { try file(program.bytes) }
    }

    @Test func `a signature section over the names or the table is an error`() {
        var program = program
        program.sections.append(.init(name: ELFFile.signatureSectionName, offset: 155, size: 4))
        #expect(throws: ELFError.signatureSectionOverlaps) { try file(program.bytes) }
        program.sections[2].offset = UInt64(program.bytes.count) - 8
        #expect(throws: ELFError.signatureSectionOverlaps) { try file(program.bytes) }
    }

    @Test func `a signature section that is loaded, empty or too large is an error`() {
        for (flags, count) in [(UInt64(2), 100), (0, 0), (0, 20_000)] {
            var program = program
            program.sections.append(
                .init(
                    name: ELFFile.signatureSectionName, flags: flags, content: [UInt8](repeating: 0, count: count)))
            #expect(throws: ELFError.signatureSectionOverlaps) { try file(program.bytes) }
        }
    }

    @Test func `a file with any byte of its headers changed is read or refused`() throws {
        let bytes = try signed(program.bytes)
        for place in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = value
                guard let read = try? file(changed) else { continue }
                _ = try? read.removingSignature(read: reading(changed))
                _ = try? read.addingSignature(byteCount: 300, read: reading(changed))
            }
        }
    }

    @Test(arguments: [0, 32, 63]) func `program headers inside the ELF header are an error`(offset: UInt8) {
        var bytes = program.bytes
        bytes[32] = offset
        #expect(throws: ELFError.malformed) { try file(bytes) }
    }

    @Test func `a table of names without an end is an error`() throws {
        var bytes = program.bytes
        let name = Array(".shstrtab".utf8)
        let place = try #require(bytes.firstRange(of: name)).upperBound
        bytes[place] = 1
        #expect(throws: ELFError.malformed) { try file(bytes) }
    }

    @Test func `numbers without a sum in any header are read or refused`() throws {
        let bytes = try signed(program.bytes)
        let numbers: [UInt64] = [.max, .max - 63, 1 << 63, (1 << 63) - 1, UInt64(bytes.count), UInt64(bytes.count) - 1]
        for place in 0..<bytes.count - 8 {
            for number in numbers {
                var changed = bytes
                changed.replaceSubrange(place..<place + 8, with: [UInt8].littleEndian(number))
                guard let read = try? file(changed) else { continue }
                _ = try? read.removingSignature(read: reading(changed))
                _ = try? read.addingSignature(byteCount: 300, read: reading(changed))
            }
        }
    }

    @Test func `reading takes a few KiB, however many sections there are`() throws {
        var program = program
        for _ in 0..<1000 { program.sections.append(.init(name: ".note", content: [1])) }
        let bytes = try signed(program.bytes)
        let read = reading(bytes)
        var largest = 0
        let result = try ELFFile(size: UInt64(bytes.count)) { offset, count throws(ELFError) in
            largest = max(largest, count)
            return try read(offset, count)
        }
        #expect(result.signatureRange != nil)
        #expect(largest == 2048)
    }

    @Test func `a table of very many sections is refused before it is read`() {
        var bytes = program.bytes
        bytes.replaceSubrange(60..<62, with: [0, 0xF0])
        #expect(throws: ELFError.tooManyHeaders) { try file(bytes) }
    }
}

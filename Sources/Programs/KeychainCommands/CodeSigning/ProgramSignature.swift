// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import KeychainCodeSigning

/// A program on disk and its signature.
struct ProgramSignature {
    let path: String
    let program: any ProgramReading
    let file: ELFFile

    /// Opens a program.
    ///
    /// - Throws: a failure that states what the file is instead.
    init(_ path: String, in context: CommandContext) throws(CommandFailure) {
        self.path = path
        do throws(StreamError) {
            program = try context.files.program(path)
        } catch {
            throw CommandFailure("cannot read \"\(path)\": \(error.reason)")
        }
        do throws(ELFError) {
            file = try ELFFile(size: program.size, read: Self.reading(program))
        } catch {
            throw CommandFailure(error, path: path)
        }
    }

    static func reading(_ program: any ProgramReading) -> ELFFile.Reading {
        { offset, count throws(ELFError) in
            do throws(StreamError) {
                return try program.read(at: offset, count: count)
            } catch {
                throw .unreadable(reason: error.reason)
            }
        }
    }

    /// Returns the stored signature, of a file that may have been changed.
    func stated() throws(CommandFailure) -> CodeSignature {
        guard let range = file.signatureRange else {
            throw CommandFailure(
                "\"\(path)\" is not signed",
                hint:
                    "sign it with `chatelaine codesign --sign TEAM`; llvm-strip removes signatures and other unknown sections"
            )
        }
        let bytes: [UInt8]
        do throws(ELFError) {
            bytes = try Self.reading(program)(range.lowerBound, range.count)
        } catch {
            throw CommandFailure(error, path: path)
        }
        do throws(CodeSignatureError) {
            return try CodeSignature(bytes)
        } catch {
            throw CommandFailure(error, path: path)
        }
    }

    /// Returns the signature of an unchanged file.
    func verified() throws(CommandFailure) -> CodeSignature {
        let signature = try stated()
        let digest: [UInt8]
        do throws(ELFError) {
            digest = try SignedFileDigest.digest(
                size: file.size, zeroing: file.signatureRange ?? 0..<0, read: Self.reading(program))
        } catch {
            throw CommandFailure(error, path: path)
        }
        guard digest == signature.digest else { throw changed(since: signature.statement) }
        do throws(EntitlementRules.Violation) {
            try EntitlementRules.check(signature.statement.entitlements, of: signature.team)
        } catch {
            let failure = error.failure(of: signature.team)
            throw CommandFailure(
                "\"\(path)\": \(failure.message)", hint: "sign the program with entitlements of its own team")
        }
        return signature
    }

    /// Returns a failure that describes the change.
    private func changed(since statement: CodeSignature.Statement) -> CommandFailure {
        let message = "\"\(path)\" was changed after it was signed"
        if !file.hasSymbolTable, file.size < statement.fileSize {
            return CommandFailure(
                message, hint: "it is smaller and has no symbols: strip a program before you sign it, not afterwards")
        }
        if file.size != statement.fileSize {
            return CommandFailure(
                message, hint: "it had \(statement.fileSize) bytes when it was signed, and has \(file.size) now")
        }
        return CommandFailure(message, hint: "its size is the same, but its bytes differ")
    }

    /// Signs the program, and replaces an earlier signature.
    func sign(
        as identifier: SigningIdentifier, _ entitlements: Entitlements, by key: Curve25519.Signing.PrivateKey,
        in context: CommandContext
    ) throws(CommandFailure) {
        let read = Self.reading(program)
        var statement = CodeSignature.Statement(
            identifier: identifier, time: UInt64(max(0, context.secondsSince1970())), entitlements: entitlements)
        let edit: ELFEdit
        do throws(ELFError) {
            let base = try file.beforeSigning(read: read) ?? file
            statement.earlierTable = base.sectionTable
            edit = try base.addingSignature(byteCount: statement.encodedByteCount, read: read)
        } catch {
            throw CommandFailure(error, path: path)
        }
        statement.fileSize = edit.size
        try apply(edit, in: context) { new throws(CommandFailure) in
            guard let range = edit.signatureRange else { return }
            let digest: [UInt8]
            do throws(ELFError) {
                digest = try SignedFileDigest.digest(size: edit.size, zeroing: range) {
                    offset, count throws(ELFError) in
                    do throws(StreamError) {
                        return try new.read(at: offset, count: count)
                    } catch {
                        throw .unreadable(reason: error.reason)
                    }
                }
            } catch {
                throw CommandFailure(error, path: path)
            }
            let signature: CodeSignature
            do {
                signature = try CodeSignature(statement, digest: digest, by: key)
            } catch {
                throw CommandFailure("cannot sign \"\(path)\" with the team key")
            }
            try write(signature.encoded, at: range.lowerBound, to: new)
        }
    }

    /// Removes the signature.
    ///
    /// - Returns: false if there is none.
    func remove(in context: CommandContext) throws(CommandFailure) -> Bool {
        let edit: ELFEdit?
        do throws(ELFError) {
            edit = try file.removingSignature(read: Self.reading(program))
        } catch {
            throw CommandFailure(error, path: path)
        }
        guard let edit else { return false }
        try apply(edit, in: context) { _ in }
        return true
    }

    private func apply(
        _ edit: ELFEdit, in context: CommandContext, finish: (any ProgramWriting) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let cannotWrite = { (error: StreamError) in CommandFailure("cannot write \"\(path)\": \(error.reason)") }
        try context.files.replace(program, failure: cannotWrite) { new throws(CommandFailure) in
            var place: UInt64 = 0
            while place < edit.keptByteCount {
                let piece: [UInt8]
                do throws(StreamError) {
                    piece = try program.read(at: place, count: Int(min(1 << 20, edit.keptByteCount - place)))
                } catch {
                    throw CommandFailure("cannot read \"\(path)\": \(error.reason)")
                }
                guard !piece.isEmpty else { throw CommandFailure(ELFError.truncated, path: path) }
                try write(piece, at: place, to: new)
                place += UInt64(piece.count)
            }
            for patch in edit.patches { try write(patch.bytes, at: patch.offset, to: new) }
            try write(edit.tail, at: edit.keptByteCount, to: new)
            try finish(new)
        }
    }

    private func write(_ bytes: [UInt8], at place: UInt64, to new: any ProgramWriting) throws(CommandFailure) {
        do throws(StreamError) {
            try new.write(bytes, at: place)
        } catch {
            throw CommandFailure("cannot write beside \"\(path)\": \(error.reason)")
        }
    }
}

extension CommandFailure {
    /// Creates the failure for a file that is not a program that can be signed.
    init(_ error: ELFError, path: String) {
        switch error {
        case .empty: self.init("\"\(path)\" is empty")
        case .script:
            self.init(
                "\"\(path)\" is a script: the kernel runs its interpreter", hint: "only ELF programs can be signed")
        case .notELF: self.init("\"\(path)\" is not an ELF program", hint: "only ELF programs can be signed")
        case .thirtyTwoBit: self.init("\"\(path)\" is a 32-bit program, which this version does not sign")
        case .bigEndian: self.init("\"\(path)\" is a big-endian program, which this version does not sign")
        case .notAProgram(type: 1):
            self.init("\"\(path)\" is an object file", hint: "sign the program that is linked from it")
        case .notAProgram: self.init("\"\(path)\" is an ELF file, but not a program")
        case .truncated: self.init("\"\(path)\" is shorter than its headers describe")
        case .malformed: self.init("the ELF headers of \"\(path)\" contradict each other")
        case .tooManyHeaders: self.init("\"\(path)\" has more ELF headers than any program")
        case .severalSignatureSections: self.init("\"\(path)\" has several signature sections", hint: Self.removal)
        case .signatureSectionOverlaps:
            self.init("the signature section of \"\(path)\" is damaged: it is loaded, or overlaps another part")
        case .unreadable(let reason): self.init("cannot read \"\(path)\": \(reason)")
        }
    }

    /// Creates the failure for a section that is not a signature.
    init(_ error: CodeSignatureError, path: String) {
        switch error {
        case .notASignature, .malformed:
            self.init("the signature of \"\(path)\" is damaged", hint: "`chatelaine codesign --sign TEAM` replaces it")
        case .version(let version):
            self.init("the signature of \"\(path)\" has version \(version), which this command does not know")
        case .wrongSignature:
            self.init(
                "the signature of \"\(path)\" is invalid: the key that it names did not make it, or it was changed")
        }
    }

    private static let removal = "objcopy --remove-section=\(ELFFile.signatureSectionName) removes all of them"
}

// SPDX-License-Identifier: Apache-2.0

/// Why a file is no program whose signature could be looked for.
public enum ELFError: Error, Hashable, Sendable {
    /// It has no bytes.
    case empty
    /// It begins with `#!`: an interpreter runs it.
    case script
    /// It begins with something else than ELF files do.
    case notELF
    case thirtyTwoBit
    case bigEndian
    /// An object file, a core dump: `e_type` is neither ET_EXEC nor ET_DYN.
    case notAProgram(type: UInt16)
    /// It ends before what its headers speak of.
    case truncated
    /// Its headers contradict themselves or each other.
    case malformed
    /// It has more headers than any program has.
    case tooManyHeaders
    /// More than one section is named `.chatelaine.signature`.
    case severalSignatureSections
    /// The section overlaps something else, is loaded into memory, or is larger than a signature.
    case signatureSectionOverlaps
    /// The system's reason.
    case unreadable(reason: String)
}

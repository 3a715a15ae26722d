// SPDX-License-Identifier: Apache-2.0

/// The reason why a file is not a program that can have a signature.
public enum ELFError: Error, Hashable, Sendable {
    /// The file is empty.
    case empty
    /// The file begins with `#!`: an interpreter runs it.
    case script
    /// The file does not begin like an ELF file.
    case notELF
    case thirtyTwoBit
    case bigEndian
    /// An object file, a core dump: `e_type` is neither ET_EXEC nor ET_DYN.
    case notAProgram(type: UInt16)
    /// The file ends before the data that its headers describe.
    case truncated
    /// The headers contradict themselves or each other.
    case malformed
    /// The file has more headers than any program has.
    case tooManyHeaders
    /// More than one section has the name `.chatelaine.signature`.
    case severalSignatureSections
    /// The section overlaps other data, is loaded into memory, or is larger than a signature.
    case signatureSectionOverlaps
    /// The system's reason.
    case unreadable(reason: String)
}

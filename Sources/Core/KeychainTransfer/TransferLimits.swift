// SPDX-License-Identifier: Apache-2.0

/// The limit of work for one file. Files are untrusted, and choose the number of repetitions of a hash themselves.
public struct TransferLimits: Hashable, Sendable {
    /// The longest file that is read, in bytes. The certificates of all public authorities together have about 200,000
    /// bytes.
    public var maximumByteCount = 4 << 20
    /// Repetitions of PBKDF2 for one file, over all its parts and for each digest of output; a step of PKCS #12's own
    /// derivation counts two. Some seconds of work. OpenSSL writes 2,048 in each of three parts, careful programs some
    /// 100,000.
    public var maximumRepetitions = 10_000_000
    /// Memory of scrypt, in bytes: 128 for each of its N times r times p.
    public var maximumMemory = 256 << 20

    public init() {}
}

/// The rest of ``TransferLimits/maximumRepetitions`` while a file is read.
struct WorkBudget {
    private var repetitions: Int
    private let memory: Int

    init(_ limits: TransferLimits) {
        repetitions = limits.maximumRepetitions
        memory = limits.maximumMemory
    }

    /// Counts repetitions.
    ///
    /// - Throws: `tooExpensive`.
    mutating func spend(repetitions count: Int, times factor: Int = 1) throws(TransferError) {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        guard !overflow, product <= repetitions else {
            throw TransferError(
                .tooExpensive, "the file requires more repetitions of a hash than the limit for one file")
        }
        repetitions -= product
    }

    /// Counts the work of scrypt.
    ///
    /// - Throws: `tooExpensive`.
    mutating func spend(scryptCost cost: Int, blockSize: Int, parallelism: Int) throws(TransferError) {
        let (first, overflow) = cost.multipliedReportingOverflow(by: blockSize)
        let (units, overflowToo) = first.multipliedReportingOverflow(by: parallelism)
        guard !overflow, !overflowToo, units <= memory / 128 else {
            throw TransferError(.tooExpensive, "the file requires more memory for scrypt than the limit for one file")
        }
        // A unit is two rounds of four Salsa20/8 over 128 bytes: about as long as three repetitions.
        try spend(repetitions: units, times: 3)
    }
}

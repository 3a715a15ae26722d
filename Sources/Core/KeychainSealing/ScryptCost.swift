// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import FoundationEssentials

/// The cost of one guess at a passcode: the parameters of scrypt (RFC 7914).
public struct ScryptCost: Hashable, Sendable {
    /// The binary logarithm of N.
    public let logN: UInt8
    /// r
    public let blockSize: UInt32
    /// p
    public let parallelism: UInt32

    /// Creates a cost. Nil for parameters that RFC 7914 excludes, and for more than this software ever writes (128 MiB
    /// of memory, that 16 times): the parameters come from a file, and a changed file must not block the service.
    public init?(logN: UInt8, blockSize: UInt32, parallelism: UInt32) {
        guard (1...Self.largestLogN).contains(logN), (1...32).contains(blockSize),
            (1...Self.largestParallelism).contains(parallelism),
            UInt64(blockSize) << UInt64(logN) <= Self.ofBackups.work
        else { return nil }
        self.logN = logN
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    private init(trusted logN: UInt8, _ blockSize: UInt32, _ parallelism: UInt32) {
        self.logN = logN
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// The lowest cost for a passcode, regardless of the machine's speed: 32 MiB of memory.
    public static let minimum = ScryptCost(trusted: 15, 8, 1)

    /// The cost for a backup's passphrase, and the highest that a backup may require: 128 MiB of memory and some tenths
    /// of a second. An attacker with a copy of a backup can guess on faster machines.
    public static let ofBackups = ScryptCost(trusted: largestLogN, 8, 1)

    /// Beyond 128 MiB only the time increases, so that small machines can still unlock.
    private static let largestLogN: UInt8 = 17
    private static let largestParallelism: UInt32 = 16

    /// The work in mixing steps, for comparisons.
    public var work: UInt64 { (UInt64(blockSize) * UInt64(parallelism)) << UInt64(logN) }

    /// Returns a cost that takes about `target`, estimated from the measured time of this one.
    ///
    /// - Parameter least: the lowest allowed cost.
    public func scaled(
        to target: Duration, measured: Duration, atLeast least: ScryptCost = .minimum
    ) -> ScryptCost {
        // A clock that did not advance has measured nothing.
        guard measured >= .milliseconds(1) else { return self }
        var factor = target / measured
        var logN = logN
        while factor >= 2, logN < Self.largestLogN {
            logN += 1
            factor /= 2
        }
        while factor <= 0.5, logN > 1 {
            logN -= 1
            factor *= 2
        }
        let parallelism = min(max((Double(parallelism) * factor).rounded(), 1), Double(Self.largestParallelism))
        let cost = ScryptCost(trusted: logN, blockSize, UInt32(parallelism))
        return cost.work < least.work ? least : cost
    }

    /// Stretches a secret to 32 bytes, in the user's turn.
    func stretch(
        _ secret: Data, salt: [UInt8], in turn: StretchingTurn
    ) throws(SealingError) -> SymmetricKey {
        try turn.taking { () throws(SealingError) in try stretch(secret, salt: salt) }
    }

    private func stretch(_ secret: Data, salt: [UInt8]) throws(SealingError) -> SymmetricKey {
        do {
            return try KDF.Scrypt.deriveKey(
                from: secret, salt: salt, outputByteCount: SealingConstants.keySize, rounds: 1 << Int(logN),
                blockSize: Int(blockSize), parallelism: Int(parallelism))
        } catch {
            // The parameters are valid, so the memory is missing.
            throw .noKeyStorage
        }
    }

    /// Measures the work once, without a result.
    ///
    /// - Parameter clock: in nanoseconds.
    /// - Returns: nanoseconds of work, without the wait for the turn.
    public func rehearse(with deviceKey: DeviceKey, _ clock: () -> UInt64) throws(SealingError) -> UInt64 {
        try deviceKey.stretching.taking { () throws(SealingError) in
            let start = clock()
            _ = try stretch(Data("rehearsal".utf8), salt: Array("rehearsal".utf8))
            return clock() - start
        }
    }
}

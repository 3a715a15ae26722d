// SPDX-License-Identifier: Apache-2.0

import Crypto
import KeychainBytes
public import KeychainModel

/// Makes and verifies the proofs that clients keep: the factors that were verified, the time, and the process. The key
/// lives as long as the service, so a proof of an earlier service is invalid.
///
/// A proof is version (u8), factors (u8, one bit each), time (u64), epoch (u64), and HMAC-SHA256 (RFC 2104) over these,
/// a label, and the process. It is not secret and tells its holder nothing new.
public struct ProofKey: Sendable {
    /// The holder of a proof: the MAC covers these values, so the proof is invalid for every other process.
    public struct Holder: Sendable {
        let bytes: [UInt8]

        /// Creates a holder.
        ///
        /// - Parameters:
        ///   - start: the start time of the process, because its ID may be reused.
        ///   - program: a text that identifies the program.
        public init(user: UInt32, process: Int32, start: UInt64, program: String) {
            var bytes: [UInt8] = []
            bytes.append(bigEndian: user)
            bytes.append(bigEndian: process)
            bytes.append(bigEndian: start)
            self.bytes = bytes + Array(program.utf8)
        }
    }

    private let key: any StoredKey

    /// Creates a new key from the system's generator.
    ///
    /// - Throws: `.noKeyStorage`.
    public init(in storage: some SecretKeyStorage) throws(SealingError) {
        key = try storage.store(SymmetricKey.generate())
    }

    /// Returns a new proof.
    ///
    /// - Parameters:
    ///   - time: in nanoseconds, by the service's clock.
    ///   - epoch: the current time between two locks.
    public func proof(
        of factors: Set<AuthenticationFactor>, time: UInt64, epoch: UInt64, for holder: Holder
    ) -> [UInt8] {
        let bits = factors.reduce(0 as UInt8) { $0 | 1 << $1.rawValue }
        var bytes: [UInt8] = [SealingConstants.proofVersion, bits]
        bytes.append(bigEndian: time)
        bytes.append(bigEndian: epoch)
        return bytes + Array(code(bytes, holder))
    }

    /// Returns the contents of a proof; nil for any other bytes.
    public func contents(
        of proof: [UInt8], for holder: Holder
    ) -> (factors: Set<AuthenticationFactor>, time: UInt64, epoch: UInt64)? {
        var reader = SealedReader(proof)
        guard let version = try? reader.u8(), version == SealingConstants.proofVersion,
            let bits = try? reader.u8(), let time = try? reader.u64(),
            let epoch = try? reader.u64(), let code = try? reader.take(SealingConstants.codeSize),
            reader.isAtEnd
        else { return nil }
        let isOurs = HMAC<SHA256>.isValidAuthenticationCode(
            Array(code), authenticating: authenticatedData(Array(proof.prefix(18)), holder), using: key.copy())
        guard isOurs else { return nil }
        return (Set(AuthenticationFactor.allCases.filter { bits & 1 << $0.rawValue != 0 }), time, epoch)
    }

    private func code(_ bytes: [UInt8], _ holder: Holder) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: authenticatedData(bytes, holder), using: key.copy())
    }

    private func authenticatedData(_ bytes: [UInt8], _ holder: Holder) -> [UInt8] {
        Array(SealingConstants.proofLabel.utf8) + bytes + holder.bytes
    }
}

extension ProofKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "ProofKey(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// SPDX-License-Identifier: Apache-2.0

import Crypto
public import KeychainModel

/// Makes and checks the proofs that clients keep: what was shown, when, and by which process. The key lives as long as the
/// service: a proof of an earlier one counts for nothing.
///
/// A proof is version (u8), factors (u8, one bit each), time (u64), epoch (u64), and HMAC-SHA256 (RFC 2104) over these, a label,
/// and the process. It is no secret and says nothing that its holder does not know.
public struct ProofKey: Sendable {
    /// Whose proof it is: the MAC covers these, so that it counts for nobody else.
    public struct Holder: Sendable {
        let bytes: [UInt8]

        /// - Parameters:
        ///   - start: when the process began: its number may be another one's later.
        ///   - program: what tells the program from others.
        public init(user: UInt32, process: Int32, start: UInt64, program: String) {
            var bytes: [UInt8] = []
            bytes.append(bigEndian: user)
            bytes.append(bigEndian: process)
            bytes.append(bigEndian: start)
            self.bytes = bytes + Array(program.utf8)
        }
    }

    private let key: any StoredKey

    /// A new key from the system's generator.
    ///
    /// - Throws: `.noKeyStorage`.
    public init(in storage: some SecretKeyStorage) throws(SealingError) {
        key = try storage.store(SymmetricKey.generate())
    }

    /// - Parameters:
    ///   - time: in nanoseconds, by the service's clock.
    ///   - epoch: which time between two locks it is.
    public func proof(
        of factors: Set<AuthenticationFactor>, time: UInt64, epoch: UInt64, for holder: Holder
    ) -> [UInt8] {
        let bits = factors.reduce(0 as UInt8) { $0 | 1 << $1.rawValue }
        var bytes: [UInt8] = [SealingConstants.proofVersion, bits]
        bytes.append(bigEndian: time)
        bytes.append(bigEndian: epoch)
        return bytes + Array(code(bytes, holder))
    }

    /// What a proof shows; nothing for any other bytes.
    public func contents(
        of proof: [UInt8], for holder: Holder
    ) -> (factors: Set<AuthenticationFactor>, time: UInt64, epoch: UInt64)? {
        var reader = ByteReader(proof)
        guard let version = try? reader.byte(), version == SealingConstants.proofVersion,
            let bits = try? reader.byte(), let time = try? reader.integer(UInt64.self),
            let epoch = try? reader.integer(UInt64.self), let code = try? reader.take(SealingConstants.codeSize),
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

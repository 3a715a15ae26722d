// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import Measuring
import Security

/// Signs a digest with a key that the keychain service holds, and with a key in memory.
enum Signing {
    enum Kind: String, CaseIterable, CustomStringConvertible {
        case p256 = "P-256"
        case rsa2048 = "RSA-2048"

        var description: String { rawValue }

        /// The size of an answer with a signature.
        var answerBytes: Int {
            switch self {
            case .p256: 92
            case .rsa2048: 277
            }
        }

        var times: Int {
            switch self {
            case .p256: 20_000
            case .rsa2048: 2_000
            }
        }

        /// The maximum additional duration in microseconds, compared with the bare signature and a round trip. RSA has
        /// no limit: its keys are prepared anew for each signature, because the service keeps no key while it waits.
        var limit: Double? {
            switch self {
            case .p256: 25
            case .rsa2048: nil
            }
        }
    }

    /// The durations of a signature with a key that the service holds, with a key in memory, and of a round trip of the
    /// same sizes.
    struct Figures {
        let bare: Timing
        let trip: Timing
        let held: Timing
        /// The duration of the signature in the service in addition to the two others, in microseconds.
        let more: Double
    }

    static func measure(_ kind: Kind, times: Int) throws -> Figures {
        let held = try held(kind)
        let sizes = RoundTrip(requestBytes: 125, answerBytes: kind.answerBytes)
        let (trip, signing) = try sizes.measure { trip in
            try Timing.alternating(trip, held, times: times, batch: times / 40)
        }
        let (bare, again) = try Timing.alternating(bare(kind), held, times: times, batch: times / 40)
        return Figures(
            bare: bare, trip: trip, held: signing, more: min(signing.p50, again.p50) - bare.p50 - trip.p50)
    }

    private static let digest = SHA256.hash(data: Data("benchmark".utf8))

    private static func bare(_ kind: Kind) throws -> MeasuredOperation {
        switch kind {
        case .p256:
            let key = P256.Signing.PrivateKey()
            return MeasuredOperation(
                "bare signature, \(kind)",
                timing: { _ in
                    _ = try key.signature(for: digest).derRepresentation
                })
        case .rsa2048:
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            return MeasuredOperation(
                "bare signature, \(kind)",
                timing: { _ in
                    _ = try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
                })
        }
    }

    /// Creates a key in the service.
    static func held(_ kind: Kind) throws -> MeasuredOperation {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kind == .p256 ? kSecAttrKeyTypeECSECPrimeRandom : kSecAttrKeyTypeRSA,
            kSecAttrKeySizeInBits: kind == .p256 ? 256 : 2048,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true, kSecAttrIsExtractable: false, kSecAttrApplicationTag: UUID().uuidString,
            ] as [CFString: Any],
        ]
        guard let key = SecKeyCreateRandomKey(parameters as CFDictionary, nil) else {
            throw BenchmarkFailure("no key of the kind \(kind)")
        }
        let algorithm: SecKeyAlgorithm =
            kind == .p256 ? .ecdsaSignatureDigestX962SHA256 : .rsaSignatureDigestPKCS1v15SHA256
        let input = Data(digest) as CFData
        return MeasuredOperation(
            "SecKeyCreateSignature in the service, \(kind)",
            timing: { _ in
                guard SecKeyCreateSignature(key, algorithm, input, nil) != nil else {
                    throw BenchmarkFailure("no signature by a key of the kind \(kind)")
                }
            })
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import FoundationEssentials

/// The inputs of a key derivation after an agreement.
public struct KeyExchangeParameters: Hashable, Sendable {
    /// The number of bytes to derive: 1 to ``maximumSize``.
    public var requestedSize: Int?
    /// Shared information for the derivation.
    public var sharedInfo: Data

    public init(requestedSize: Int? = nil, sharedInfo: Data = Data()) {
        self.requestedSize = requestedSize
        self.sharedInfo = sharedInfo
    }

    /// The largest size; the limit prevents a wrong number from taking all memory.
    public static let maximumSize = 1 << 20
}

extension PublicKey {
    /// Returns whether the private half of this key supports agreement with the algorithm, as
    /// ``PrivateKey/canAgree(using:)`` does. For signing, ask whether this half verifies; for decryption, whether this
    /// half encrypts.
    public func privateHalfCanAgree(using algorithm: KeyAlgorithm) -> Bool {
        guard case .keyExchange(_, let hash) = algorithm, hash.map({ $0.function != nil }) ?? true else { return false }
        return switch type {
        case .ellipticCurve, .x25519: true
        case .rsa, .ed25519: false
        }
    }
}

extension PrivateKey {
    /// Returns whether ``agree(with:using:_:)`` supports the algorithm.
    public func canAgree(using algorithm: KeyAlgorithm) -> Bool { agreement(algorithm) != nil }

    /// Agrees on a secret with the owner of a public key.
    ///
    /// Without a derivation the secret is the X coordinate of the shared point, or RFC 7748's 32 bytes, and the
    /// parameters are ignored. It should not be used directly as a key. The caller wipes it.
    /// - Throws: `unsupportedAlgorithm`; `invalid` for a key of another family or curve, for a key on Curve25519 of
    ///   small order, and with a derivation for a size that is missing or out of range.
    public func agree(
        with peer: PublicKey, using algorithm: KeyAlgorithm, _ parameters: KeyExchangeParameters
    ) throws(KeyError) -> Data {
        guard let agree = agreement(algorithm) else { throw .unsupported(algorithm) }
        return try agree(peer, parameters)
    }

    private typealias Agreement = (PublicKey, KeyExchangeParameters) throws(KeyError) -> Data

    private func agreement(_ algorithm: KeyAlgorithm) -> Agreement? {
        guard case .keyExchange(_, let hash) = algorithm else { return nil }
        switch material {
        case .curve, .x25519: break
        case .rsa, .ed25519: return nil
        }
        guard let hash else {
            return { peer, _ throws(KeyError) in Data(lentBy: try sharedSecret(with: peer)) }
        }
        guard let function = hash.function else { return nil }
        return { peer, parameters throws(KeyError) in
            guard let size = parameters.requestedSize, (1...KeyExchangeParameters.maximumSize).contains(size) else {
                throw KeyError(.invalid, "a key derivation requires the size of the result, at most 1 MiB")
            }
            return try sharedSecret(with: peer).derived(function, parameters.sharedInfo, size)
        }
    }

    /// Returns the secret before any derivation.
    func sharedSecret(with peer: PublicKey) throws(KeyError) -> SharedSecret {
        switch (material, peer.material) {
        case (.curve(let key), .curve(let peer)): return try Self.sharedSecret(key, peer)
        case (.x25519(let key), .x25519(let peer)):
            guard let secret = try? key.sharedSecretFromKeyAgreement(with: peer), !secret.isZero else {
                throw KeyError(
                    .invalid, "the public key is of small order, so every private key would give the same secret")
            }
            return secret
        default: throw KeyError(.invalid, "the public key and the private key have different types")
        }
    }

    private static func sharedSecret<Key: CurvePrivateKey>(
        _ key: Key, _ peer: some CurvePublicKey
    ) throws(KeyError) -> SharedSecret {
        guard let peer = peer as? Key.Public else {
            throw KeyError(.invalid, "the public key and the private key are on different curves")
        }
        do { return try key.sharedSecret(with: peer) } catch { throw .library }
    }
}

extension SharedSecret {
    /// Whether the other party sent a point of small order (RFC 7748, 6.1), which swift-crypto does not check. Runs in
    /// constant time.
    fileprivate var isZero: Bool {
        var bytes = Data(lentBy: self)
        defer { bytes.wipe() }
        return bytes.reduce(0, |) == 0
    }

    /// Derives a key with X9.63's key derivation (ANSI X9.63, 5.6.3; SEC 1 version 2, 3.6.1).
    func derived(_ function: any HashFunction.Type, _ sharedInfo: Data, _ size: Int) -> Data {
        derived(opened: function, sharedInfo, size)
    }

    private func derived<H: HashFunction>(opened function: H.Type, _ sharedInfo: Data, _ size: Int) -> Data {
        Data(lentBy: x963DerivedSymmetricKey(using: function, sharedInfo: sharedInfo, outputByteCount: size))
    }
}

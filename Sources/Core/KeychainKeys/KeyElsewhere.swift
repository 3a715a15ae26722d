// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import FoundationEssentials

/// A private key on P-256 that a token or another program keeps, and that offers two operations: a signature over a
/// digest, and the X coordinate of a shared point. All other operations of such a key are built from these here.
public struct KeyElsewhere<Failure: Error> {
    /// The reason why the key was not used.
    public enum UseError: Error {
        /// Such a key does not support the operation.
        case key(KeyError)
        /// The keeper of the key failed.
        case keeper(Failure)
    }

    /// Signs a digest of 32 bytes; returns r | s.
    public typealias Sign = ([UInt8]) throws(Failure) -> [UInt8]
    /// Takes a point 04 | X | Y that is on the curve; returns the X coordinate of the shared point.
    public typealias Agree = ([UInt8]) throws(Failure) -> [UInt8]

    public let publicKey: PublicKey
    private let sign: Sign
    private let agree: Agree

    /// Creates the key.
    ///
    /// - Parameter publicKey: on P-256.
    public init(_ publicKey: PublicKey, sign: @escaping Sign, agree: @escaping Agree) {
        precondition(
            publicKey.type == .ellipticCurve && publicKey.sizeInBits == 256, "tokens support only keys on P-256")
        self.publicKey = publicKey
        self.sign = sign
        self.agree = agree
    }

    /// Signs as ``PrivateKey/signature(for:using:_:)`` does.
    public func signature(for data: some Collection<UInt8>, using algorithm: KeyAlgorithm) throws(UseError) -> Data {
        let digest: [UInt8]
        let encoding: KeyAlgorithm.ECDSAEncoding
        do throws(KeyError) {
            switch algorithm {
            case .ecdsa(let form, let input, let hash) where input == .digest || hash?.function != nil:
                digest = try ecdsaDigestBytes(of: Data(data), input, hash)
                encoding = form
            case .ecdsaRFC4754:
                digest = try ecdsaDigestBytes(of: Data(data), .digest, nil)
                encoding = .rfc4754
            default: throw .unsupported(algorithm)
            }
        } catch { throw .key(error) }
        let raw = try keeping { () throws(Failure) in try sign(Self.fitted(digest)) }
        switch encoding {
        case .rfc4754: return Data(raw)
        case .x962:
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw) else { throw .key(.library) }
            return signature.derRepresentation
        }
    }

    /// Decrypts as ``PrivateKey/decrypt(_:using:_:)`` does.
    public func decrypt(_ data: some Collection<UInt8>, using algorithm: KeyAlgorithm) throws(UseError) -> Data {
        guard case .ecies(_, let hash, let vector) = algorithm, let function = hash.function else {
            throw .key(.unsupported(algorithm))
        }
        let data = Data(data)
        let pointSize = 1 + 2 * publicKey.blockSize
        guard let peer = try? PublicKey(type: .ellipticCurve, externalRepresentation: data.prefix(pointSize)),
            peer.sizeInBits == publicKey.sizeInBits
        else { throw .key(.undecryptable) }
        var secret = try secret(with: peer)
        defer { wipe(&secret) }
        var secrets = ECIESSecrets(publicKey.sizeInBits, vector) { size in
            x963Derived(secret, function, sharedInfo: peer.externalRepresentation, size: size)
        }
        defer { secrets.wipe() }
        do throws(KeyError) {
            return try SealedData(data.dropFirst(pointSize)).opened(key: secrets.key, vector: secrets.vector)
        } catch { throw .key(error) }
    }

    /// Agrees as ``PrivateKey/agree(with:using:_:)`` does.
    public func agree(
        with peer: PublicKey, using algorithm: KeyAlgorithm, _ parameters: KeyExchangeParameters
    ) throws(UseError) -> Data {
        guard case .keyExchange(_, let hash) = algorithm else { throw .key(.unsupported(algorithm)) }
        guard peer.type == publicKey.type, peer.sizeInBits == publicKey.sizeInBits else {
            throw .key(KeyError(.invalid, "the public key and the private key are on different curves"))
        }
        guard let hash else {
            var secret = try secret(with: peer)
            defer { wipe(&secret) }
            return Data(secret)
        }
        guard let function = hash.function else { throw .key(.unsupported(algorithm)) }
        guard let size = parameters.requestedSize, (1...KeyExchangeParameters.maximumSize).contains(size) else {
            throw .key(KeyError(.invalid, "a key derivation requires the size of the result, at most 1 MiB"))
        }
        var secret = try secret(with: peer)
        defer { wipe(&secret) }
        return x963Derived(secret, function, sharedInfo: parameters.sharedInfo, size: size)
    }

    private func secret(with peer: PublicKey) throws(UseError) -> [UInt8] {
        try keeping { () throws(Failure) in try agree(Array(peer.externalRepresentation)) }
    }

    private func keeping<R>(_ body: () throws(Failure) -> R) throws(UseError) -> R {
        do throws(Failure) { return try body() } catch { throw .keeper(error) }
    }

    /// Returns the digest as a number of 256 bits: its leftmost bits, or with leading zeros (FIPS 186-5, 6.4.1).
    private static func fitted(_ digest: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, 32 - digest.count)) + digest.prefix(32)
    }

    private func wipe(_ bytes: inout [UInt8]) {
        for index in bytes.indices { bytes[index] = 0 }
    }
}

/// Derives a key with X9.63's key derivation (ANSI X9.63, 5.6.3; SEC 1 version 2, 3.6.1). swift-crypto's derivation
/// takes only a `SharedSecret`, which only its own agreements return.
func x963Derived(
    _ secret: [UInt8], _ function: any HashFunction.Type, sharedInfo: Data, size: Int
) -> Data {
    derived(function, secret, sharedInfo, size)
}

private func derived<H: HashFunction>(_: H.Type, _ secret: [UInt8], _ sharedInfo: Data, _ size: Int) -> Data {
    var result = Data(capacity: size + H.Digest.byteCount)
    var counter: UInt32 = 1
    while result.count < size {
        var hash = H()
        hash.update(data: secret)
        hash.update(data: (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) })
        hash.update(data: sharedInfo)
        result.append(contentsOf: hash.finalize())
        counter += 1
    }
    let derived = Data(result.prefix(size))
    result.wipe()
    return derived
}

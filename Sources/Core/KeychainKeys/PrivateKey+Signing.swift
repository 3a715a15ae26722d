// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
public import FoundationEssentials

// Each operation decides itself whether a key supports an algorithm: it returns a function for the work, or nil. An
// algorithm is supported if the function is not nil.

/// An operation on bytes, ready to run.
typealias KeyWork = (Data) throws(KeyError) -> Data

extension PrivateKey {
    /// Returns whether ``signature(for:using:_:)`` supports the algorithm.
    public func canSign(using algorithm: KeyAlgorithm, _ library: @autoclosure () -> RSALibrary? = nil) -> Bool {
        (signing(algorithm) ?? library()?.signing(algorithm, self)) != nil
    }

    /// Signs a message or a digest, depending on the algorithm.
    ///
    /// - Parameter library: for the algorithms of RSA that swift-crypto lacks; evaluated for those only.
    /// - Throws: `unsupportedAlgorithm`; `invalid` for a digest that does not have the length of its hash, and for data
    ///   that does not fit into the modulus; `failed` if the other library does.
    public func signature(
        for data: some Collection<UInt8>, using algorithm: KeyAlgorithm, _ library: @autoclosure () -> RSALibrary? = nil
    ) throws(KeyError) -> Data {
        guard let sign = signing(algorithm) ?? library()?.signing(algorithm, self) else {
            throw .unsupported(algorithm)
        }
        return try sign(Data(data))
    }

    private func signing(_ algorithm: KeyAlgorithm) -> KeyWork? {
        switch (material, algorithm) {
        case (.rsa(let key), .rsaSignature(let scheme, let input, let hash)):
            guard let function = hash.function, publicKey.hasRoom(for: scheme, hash) else { return nil }
            return { data throws(KeyError) in
                try Self.rsaSignature(try hash.digest(of: data, input), function, scheme.padding, key)
            }
        case (.curve(let key), .ecdsa(let encoding, let input, let hash)):
            guard input == .digest || hash?.function != nil else { return nil }
            return { data throws(KeyError) in
                try Self.ecdsaSignature(try ecdsaDigest(of: data, input, hash), encoding, key)
            }
        case (.curve(let key), .ecdsaRFC4754):
            return { data throws(KeyError) in
                try Self.ecdsaSignature(try ecdsaDigest(of: data, .digest, nil), .rfc4754, key)
            }
        case (.ed25519(let key), .ed25519):
            return { data throws(KeyError) in
                do { return try key.signature(for: data) } catch { throw .library }
            }
        default: return nil
        }
    }

    private static func rsaSignature<H: HashFunction>(
        _ digest: Data, _: H.Type, _ padding: _RSA.Signing.Padding, _ key: _RSA.Signing.PrivateKey
    ) throws(KeyError) -> Data {
        guard let digest = H.digest(withBytes: digest),
            let signature = try? key.signature(for: digest, padding: padding)
        else { throw .library }
        return signature.rawRepresentation
    }

    private static func ecdsaSignature(
        _ digest: AnyDigest, _ encoding: KeyAlgorithm.ECDSAEncoding, _ key: some CurvePrivateKey
    ) throws(KeyError) -> Data {
        guard let signature = try? key.signature(for: digest) else { throw .library }
        switch encoding {
        case .x962: return signature.derRepresentation
        case .rfc4754: return signature.rawRepresentation
        }
    }
}

extension PublicKey {
    /// Returns whether ``verify(_:for:using:_:)`` supports the algorithm.
    public func canVerify(using algorithm: KeyAlgorithm, _ library: @autoclosure () -> RSALibrary? = nil) -> Bool {
        (verification(algorithm) ?? library()?.verification(algorithm, self)) != nil
    }

    /// Verifies a signature over a message or a digest, depending on the algorithm. Returns if this key made it.
    ///
    /// - Parameter library: for the algorithms of RSA that swift-crypto lacks; evaluated for those only.
    /// - Throws: `verificationFailed` if it did not; `unsupportedAlgorithm`; `invalid` for a digest that does not have
    ///   the length of its hash; `failed` if the other library does.
    public func verify(
        _ signature: some Collection<UInt8>, for data: some Collection<UInt8>, using algorithm: KeyAlgorithm,
        _ library: @autoclosure () -> RSALibrary? = nil
    ) throws(KeyError) {
        guard let isValid = verification(algorithm) ?? library()?.verification(algorithm, self) else {
            throw .unsupported(algorithm)
        }
        guard try isValid(Data(signature), Data(data)) else {
            throw KeyError(.verificationFailed, "the signature does not match the data and the key")
        }
    }

    typealias Verification = (_ signature: Data, _ data: Data) throws(KeyError) -> Bool

    private func verification(_ algorithm: KeyAlgorithm) -> Verification? {
        switch (material, algorithm) {
        case (.rsa(let key), .rsaSignature(let scheme, let input, let hash)):
            guard let function = hash.function, hasRoom(for: scheme, hash) else { return nil }
            return { signature, data throws(KeyError) in
                try Self.isValid(
                    signature, try hash.digest(of: data, input), function, padding: scheme.padding, key: key)
            }
        case (.curve(let key), .ecdsa(let encoding, let input, let hash)):
            guard input == .digest || hash?.function != nil else { return nil }
            return { signature, data throws(KeyError) in
                Self.isValid(signature, try ecdsaDigest(of: data, input, hash), encoding: encoding, key: key)
            }
        case (.curve(let key), .ecdsaRFC4754):
            return { signature, data throws(KeyError) in
                Self.isValid(signature, try ecdsaDigest(of: data, .digest, nil), encoding: .rfc4754, key: key)
            }
        case (.ed25519(let key), .ed25519):
            return { signature, data throws(KeyError) in
                signature.count == 64 && key.isValidSignature(signature, for: data)
            }
        default: return nil
        }
    }

    /// Returns whether a signature of that kind fits into the modulus (RFC 8017, 9.1.1). The smallest modulus has room
    /// for every digest in the other scheme.
    func hasRoom(for scheme: KeyAlgorithm.RSASignatureScheme, _ hash: HashAlgorithm) -> Bool {
        switch scheme {
        case .pkcs1v15: true
        case .pss: sizeInBits - 1 >= 8 * (2 * hash.byteCount + 2) - 7
        }
    }

    private static func isValid<H: HashFunction>(
        _ signature: Data, _ digest: Data, _: H.Type, padding: _RSA.Signing.Padding, key: _RSA.Signing.PublicKey
    ) throws(KeyError) -> Bool {
        guard let digest = H.digest(withBytes: digest) else { throw .library }
        return key.isValidSignature(.init(rawRepresentation: signature), for: digest, padding: padding)
    }

    private static func isValid<Key: CurvePublicKey>(
        _ signature: Data, _ digest: AnyDigest, encoding: KeyAlgorithm.ECDSAEncoding, key: Key
    ) -> Bool {
        let parsed: Key.Signature?
        switch encoding {
        case .x962: parsed = try? Key.Signature(der: signature)
        case .rfc4754: parsed = try? Key.Signature(concatenated: signature)
        }
        return parsed.map { key.isValidSignature($0, for: digest) } ?? false
    }
}

extension KeyError {
    static func unsupported(_ algorithm: KeyAlgorithm) -> KeyError {
        KeyError(.unsupportedAlgorithm, "the key does not support this operation with \(algorithm.identifier)")
    }

    static var library: KeyError { KeyError(.failed, "the cryptographic library failed") }
}

extension KeyAlgorithm.RSASignatureScheme {
    fileprivate var padding: _RSA.Signing.Padding {
        switch self {
        case .pkcs1v15: .insecurePKCS1v1_5
        case .pss: .PSS
        }
    }
}

extension HashAlgorithm {
    func digest(of data: Data, _ input: KeyAlgorithm.SignatureInput) throws(KeyError) -> Data {
        switch input {
        case .message:
            guard let digest = digest(of: data) else { throw .library }
            return digest
        case .digest:
            guard data.count == byteCount else {
                throw KeyError(.invalid, "a digest of \(rawValue) must have \(byteCount) bytes, not \(data.count)")
            }
            return data
        }
    }
}

private func ecdsaDigest(
    of data: Data, _ input: KeyAlgorithm.SignatureInput, _ hash: HashAlgorithm?
) throws(KeyError) -> AnyDigest {
    AnyDigest(bytes: Data(try ecdsaDigestBytes(of: data, input, hash)))
}

/// Returns the bytes that ECDSA signs, before they are cut to the order of the curve.
func ecdsaDigestBytes(
    of data: Data, _ input: KeyAlgorithm.SignatureInput, _ hash: HashAlgorithm?
) throws(KeyError) -> [UInt8] {
    if let hash { return Array(try hash.digest(of: data, input)) }
    guard !data.isEmpty else { throw KeyError(.invalid, "a digest must have at least one byte") }
    return Array(data)
}

// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import SwiftASN1

/// The authentication of a PKCS #12 file and its passphrase: an HMAC with a key that is derived by RFC 7292, B, or by
/// PBKDF2 (RFC 9579).
struct FileAuthentication {
    private enum Method {
        case pkcs12(Hash, salt: [UInt8], repetitions: Int)
        case pbmac1(Hash, KeyDerivation)
    }

    private enum Hash {
        case sha1, sha256, sha384, sha512
    }

    private let method: Method
    private let code: [UInt8]

    /// Reads a MacData.
    init(_ node: ASN1Node) throws(TransferError) {
        let what = "the authentication of the file"
        var parts = try node.fields(what)
        var digest = try parts.next(what).fields(what)
        let algorithm = try digest.next(what).algorithm(what)
        code = try digest.next(what).octets(what)
        try digest.end(what)
        let salt = try parts.next(what).octets(what)
        // 1 is the default, which is not encoded.
        let repetitions = try parts.popNext()?.number(what) ?? 1
        try parts.end(what)
        guard repetitions > 0 else { throw .unexpected(what) }
        guard algorithm.type == .pbmac1 else {
            guard let hash = Self.hash(algorithm.type) else {
                throw TransferError(.unsupported, "\(what): the hash \(algorithm.type) is not supported")
            }
            method = .pkcs12(hash, salt: salt, repetitions: repetitions)
            return
        }
        guard var parameters = try algorithm.parameters?.fields(what) else { throw .unexpected(what) }
        let derivation = try KeyDerivation(try parameters.next(what))
        let function = try parameters.next(what).algorithm(what).type
        try parameters.end(what)
        guard let hash = Self.hash(function) else {
            throw TransferError(.unsupported, "\(what): the function \(function) is not supported")
        }
        method = .pbmac1(hash, derivation)
    }

    /// Verifies the contents with a passphrase.
    ///
    /// - Throws: `wrongPassphrase`; `tooExpensive`; `malformed`.
    func check(_ contents: [UInt8], _ passphrase: Passphrase, _ budget: inout WorkBudget) throws(TransferError) {
        switch method {
        case .pkcs12(let hash, let salt, let repetitions):
            // Programs encode an empty passphrase in two ways: as a zero, or as no bytes.
            for bytes in passphrase.isEmpty ? [passphrase.wide, []] : [passphrase.wide] {
                try budget.spend(repetitions: repetitions, times: 2)
                let key = Self.key(hash, bytes, salt: salt, repetitions: repetitions)
                if isRight(contents, hash, SymmetricKey(data: key)) { return }
            }
            throw .wrongPassphrase
        case .pbmac1(let hash, let derivation):
            guard let count = derivation.keyByteCount, (1...1024).contains(count) else {
                throw TransferError(.malformed, "the authentication of the file: the length of its key is missing")
            }
            let key = try derivation.key(of: passphrase, byteCount: count, &budget)
            guard isRight(contents, hash, key) else { throw .wrongPassphrase }
        }
    }

    /// Returns a MacData for a new file: HMAC with SHA-256.
    static func encoded(
        _ contents: [UInt8], _ passphrase: Passphrase, salt: [UInt8], repetitions: Int
    ) -> [UInt8] {
        let key = SymmetricKey(data: Self.key(.sha256, passphrase.wide, salt: salt, repetitions: repetitions))
        let code = HMAC<SHA256>.authenticationCode(for: contents, using: key)
        return Encoded.sequence(
            Encoded.sequence(Encoded.algorithm(.sha256, Encoded.null), Encoded.octets(Array(code))),
            Encoded.octets(salt), Encoded.number(repetitions))
    }

    private static func hash(_ type: ASN1ObjectIdentifier) -> Hash? {
        switch type {
        case .sha1, .hmacSHA1: .sha1
        case .sha256, .hmacSHA256: .sha256
        case .sha384, .hmacSHA384: .sha384
        case .sha512, .hmacSHA512: .sha512
        default: nil
        }
    }

    /// Derives a key as long as a digest.
    private static func key(_ hash: Hash, _ passphrase: [UInt8], salt: [UInt8], repetitions: Int) -> [UInt8] {
        func derived<H: HashFunction>(_: H.Type) -> [UInt8] {
            pkcs12Key(
                H.self, passphrase: passphrase, salt: salt, repetitions: repetitions, purpose: .authentication,
                byteCount: H.Digest.byteCount)
        }
        return switch hash {
        case .sha1: derived(Insecure.SHA1.self)
        case .sha256: derived(SHA256.self)
        case .sha384: derived(SHA384.self)
        case .sha512: derived(SHA512.self)
        }
    }

    private func isRight(_ contents: [UInt8], _ hash: Hash, _ key: SymmetricKey) -> Bool {
        func compare<H: HashFunction>(_: H.Type) -> Bool {
            // Compares in constant time.
            HMAC<H>.isValidAuthenticationCode(code, authenticating: contents, using: key)
        }
        return switch hash {
        case .sha1: compare(Insecure.SHA1.self)
        case .sha256: compare(SHA256.self)
        case .sha384: compare(SHA384.self)
        case .sha512: compare(SHA512.self)
        }
    }
}

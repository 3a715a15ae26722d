// SPDX-License-Identifier: Apache-2.0

public import KeychainHelperWire
internal import KeychainKeys
internal import KeychainModel

/// The holder of private keys that never enter the service: tokens, which are separate programs, each with a secret of
/// its own.
public struct SecureElement: Sendable {
    /// One token.
    public struct Token: Sendable {
        public let kind: TokenKind
        let ask: @Sendable (TokenRequest) throws(TokenError) -> TokenAnswer
        let endIfIdle: @Sendable () -> Duration?

        /// Creates a token.
        ///
        /// - Parameters:
        ///   - ask: returns the answer to a request, or throws; it never waits for long.
        ///   - endIfIdle: ends an unused program; returns the time until it has to be called again, nil if nothing is
        ///     planned.
        public init(
            _ kind: TokenKind, ask: @escaping @Sendable (TokenRequest) throws(TokenError) -> TokenAnswer,
            endIfIdle: @escaping @Sendable () -> Duration? = { nil }
        ) {
            self.kind = kind
            self.ask = ask
            self.endIfIdle = endIfIdle
        }
    }

    /// The tokens; the first one creates new keys.
    private let tokens: [Token]

    /// Creates a secure element.
    ///
    /// - Parameter tokens: at most one of each kind, best first.
    public init(_ tokens: [Token]) { self.tokens = tokens }

    /// A secure element without tokens.
    public static let none = SecureElement([])

    /// Ends unused tokens. Returns the time until this has to be called again; nil if nothing is planned.
    func endIfIdle() -> Duration? { tokens.compactMap { $0.endIfIdle() }.min() }

    /// Returns the status of each token, or its error; best first.
    func statuses() -> [(kind: TokenKind, status: Result<TokenStatus, TokenError>)] {
        tokens.map { token in
            do throws(TokenError) {
                guard case .status(let status) = try Self.asking(token, .status), status.kind == token.kind else {
                    throw .confused
                }
                return (token.kind, .success(status))
            } catch {
                return (token.kind, .failure(error))
            }
        }
    }

    /// The same for administrators of the keychain.
    var report: [TokenReport.Token] {
        statuses().map { kind, status in
            let name: TokenReport.Token.Kind =
                switch kind {
                case .software: .software
                case .tpm: .tpm
                }
            switch status {
            case .success(let status):
                let lockout = status.lockout.map {
                    TokenReport.Lockout(failures: $0.failures, limit: $0.limit, interval: $0.interval)
                }
                return TokenReport.Token(
                    name,
                    .available(
                        .init(
                            manufacturer: status.manufacturer, firmware: status.firmware, place: status.place,
                            lockout: lockout)))
            case .failure(let failure): return TokenReport.Token(name, .unavailable(failure.text))
            }
        }
    }

    /// Generates a key pair on P-256 in the best token.
    func createKey() throws(TokenError) -> TokenKey {
        guard let token = tokens.first else { throw .missing }
        guard case .key(let point, let blob) = try Self.asking(token, .createKey),
            let key = TokenKey(token.kind, point: point, blob: blob)
        else { throw .confused }
        return key
    }

    /// Returns the key for use: its token carries out the operations with the private half.
    func use(_ key: TokenKey) -> KeyElsewhere<TokenError> {
        KeyElsewhere(key.publicKey) { digest throws(TokenError) in
            let token = try self.token(of: key.kind)
            guard case .signature(let signature) = try Self.asking(token, .sign(blob: key.blob, digest: digest)) else {
                throw .confused
            }
            return signature
        } agree: { point throws(TokenError) in
            let token = try self.token(of: key.kind)
            guard case .coordinate(let bytes) = try Self.asking(token, .agree(blob: key.blob, point: point)) else {
                throw .confused
            }
            return bytes
        }
    }

    /// Seals a secret, so that one token alone opens it: the best of those that answer.
    func seal(_ secret: [UInt8]) throws(TokenError) -> (kind: TokenKind, blob: [UInt8]) {
        var failure = TokenError.missing
        for token in tokens {
            do throws(TokenError) { return (token.kind, try seal(secret, in: token.kind)) } catch { failure = error }
        }
        throw failure
    }

    /// Seals a secret, so that the token of that kind alone opens it.
    func seal(_ secret: [UInt8], in kind: TokenKind) throws(TokenError) -> [UInt8] {
        guard case .blob(let blob) = try Self.asking(try token(of: kind), .seal(secret)) else { throw .confused }
        return blob
    }

    /// Opens a sealed secret. The caller must wipe it.
    func unseal(_ blob: [UInt8], in kind: TokenKind) throws(TokenError) -> [UInt8] {
        guard case .secret(let secret) = try Self.asking(try token(of: kind), .unseal(blob: blob)) else {
            throw .confused
        }
        return secret
    }

    /// Seals a secret, so that the token of that kind alone opens it, with the same authorization.
    func seal(_ secret: [UInt8], in kind: TokenKind, guardedBy authorization: [UInt8]) throws(TokenError) -> [UInt8] {
        let request = TokenRequest.sealGuarded(secret, authorization: authorization)
        guard case .blob(let blob) = try Self.asking(try token(of: kind), request) else { throw .confused }
        return blob
    }

    /// Opens a secret sealed with an authorization. The caller must wipe it.
    func unseal(_ blob: [UInt8], in kind: TokenKind, guardedBy authorization: [UInt8]) throws(TokenError) -> [UInt8] {
        let request = TokenRequest.unsealGuarded(blob: blob, authorization: authorization)
        guard case .secret(let secret) = try Self.asking(try token(of: kind), request) else { throw .confused }
        return secret
    }

    private func token(of kind: TokenKind) throws(TokenError) -> Token {
        guard let token = tokens.first(where: { $0.kind == kind }) else { throw .missing }
        return token
    }

    private static func asking(_ token: Token, _ request: TokenRequest) throws(TokenError) -> TokenAnswer {
        let answer = try token.ask(request)
        if case .failure(let failure) = answer { throw failure }
        return answer
    }
}

extension TokenError {
    fileprivate static var missing: TokenError { TokenError(.unavailable, "this token is not available") }
    fileprivate static var confused: TokenError {
        TokenError(.failed, "the token's answer does not match the request")
    }

    var refusal: Refusal {
        switch reason {
        case .foreignBlob: Refusal(.decode, .foreignTokenKey)
        case .unavailable: Refusal(.notAvailable, .tokenUnavailable)
        case .lockedOut: Refusal(.notAvailable, .tokenLockedOut)
        case .unusableInput: Refusal(.parameter, .unusableKeyInput)
        case .unsupported: Refusal(.unimplemented, .notSupportedYet)
        case .failed: Refusal(.internalComponent, .tokenUnavailable)
        case .wrongAuthorization: Refusal(.authenticationFailed, .wrongPIN)
        }
    }
}

/// A key in a token as it is stored (Documentation/Formats/token-key.md): its public half, and the blob that only the
/// token can use.
struct TokenKey {
    let kind: TokenKind
    let publicKey: PublicKey
    let blob: [UInt8]

    private static let magic: [UInt8] = Array("CHTLTKY".utf8)
    private static let version: UInt8 = 1

    /// Creates a key; nil for a point that is not on P-256.
    init?(_ kind: TokenKind, point: [UInt8], blob: [UInt8]) {
        guard point.count == TokenLimits.pointBytes, !blob.isEmpty, blob.count <= TokenLimits.blobBytes,
            let key = try? PublicKey(type: .ellipticCurve, externalRepresentation: point), key.sizeInBits == 256
        else { return nil }
        self.kind = kind
        publicKey = key
        self.blob = blob
    }

    /// Decodes a key; nil for other bytes.
    init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        let head = Self.magic + [Self.version]
        guard bytes.starts(with: head), bytes.count > head.count,
            let kind = TokenKind(rawValue: bytes[head.count])
        else { return nil }
        let rest = bytes[(head.count + 1)...]
        self.init(
            kind, point: Array(rest.prefix(TokenLimits.pointBytes)),
            blob: Array(rest.dropFirst(TokenLimits.pointBytes)))
    }

    var bytes: [UInt8] {
        Self.magic + [Self.version, kind.rawValue] + publicKey.externalRepresentation + blob
    }
}

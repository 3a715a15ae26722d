// SPDX-License-Identifier: Apache-2.0

internal import KeychainHelperWire
internal import KeychainKeys
internal import KeychainServer
internal import Synchronization

extension SecureElement {
    /// A token in this process, for tests: its keys have the advertised properties, but no protection.
    static var inMemory: SecureElement {
        let memory = TokenMemory()
        return SecureElement([
            Token(.software) { request throws(TokenError) in
                do throws(KeyError) {
                    return try memory.answer(to: request)
                } catch {
                    throw TokenError(.unusableInput, error.reason)
                }
            }
        ])
    }
}

/// The keys of the token, by their blobs.
private final class TokenMemory: Sendable {
    private struct Contents {
        var keys: [[UInt8]: PrivateKey] = [:]
        var secrets: [[UInt8]: [UInt8]] = [:]
        var guarded: [[UInt8]: (secret: [UInt8], authorization: [UInt8])] = [:]
    }

    private let contents = Mutex(Contents())
    private let foreign = TokenAnswer.failure(TokenError(.foreignBlob, "another token made the blob"))

    func answer(to request: TokenRequest) throws(KeyError) -> TokenAnswer {
        switch request {
        case .status:
            return .status(
                TokenStatus(
                    kind: .software, manufacturer: "KeychainTesting", firmware: "", place: "memory", lockout: nil))
        case .createKey:
            let key = try PrivateKey(generating: .ellipticCurve, sizeInBits: 256)
            let blob = newBlob()
            contents.withLock { $0.keys[blob] = key }
            return .key(point: Array(key.publicKey.externalRepresentation), blob: blob)
        case .sign(let blob, let digest):
            guard let key = key(blob) else { return foreign }
            return .signature(Array(try key.signature(for: digest, using: .ecdsa(.rfc4754, .digest, .sha256))))
        case .agree(let blob, let point):
            guard let key = key(blob) else { return foreign }
            let peer = try PublicKey(type: .ellipticCurve, externalRepresentation: point)
            return .coordinate(
                Array(try key.agree(with: peer, using: .keyExchange(.standard, nil), KeyExchangeParameters())))
        case .seal(let secret):
            let blob = newBlob()
            contents.withLock { $0.secrets[blob] = secret }
            return .blob(blob)
        case .unseal(let blob):
            return contents.withLock { $0.secrets[blob] }.map(TokenAnswer.secret) ?? foreign
        case .sealGuarded(let secret, let authorization):
            let blob = newBlob()
            contents.withLock { $0.guarded[blob] = (secret, authorization) }
            return .blob(blob)
        case .unsealGuarded(let blob, let authorization):
            guard let (secret, expected) = contents.withLock({ $0.guarded[blob] }) else { return foreign }
            guard authorization == expected else {
                return .failure(TokenError(.wrongAuthorization, "the authorization of the secret is wrong"))
            }
            return .secret(secret)
        }
    }

    private func key(_ blob: [UInt8]) -> PrivateKey? { contents.withLock { $0.keys[blob] } }

    private func newBlob() -> [UInt8] { (0..<16).map { _ in UInt8.random(in: 0...255) } }
}

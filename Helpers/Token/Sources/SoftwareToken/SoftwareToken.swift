// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import FoundationEssentials
public import KeychainHelperWire
internal import SecretMemory

/// A token without hardware: its keys are encrypted under a secret that exists only in this process and in its file
/// (Documentation/Formats/token-key.md).
public struct SoftwareToken: Sendable {
    private let wrappingKey: SecretBytes
    private let place: String

    /// - Parameters:
    ///   - file: the content of the token's file.
    ///   - machineID: the identity of this machine; nil if the machine has none.
    ///   - place: the path of the file, for messages.
    public init(_ file: SoftwareTokenFile, machineID: [UInt8]?, place: String) throws(TokenError) {
        guard !file.isBoundToMachine || machineID != nil else {
            throw TokenError(
                .unavailable, "the token was created on a machine with an /etc/machine-id, and this machine has none")
        }
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(file.secret),
            salt: file.isBoundToMachine ? machineID ?? [] : [],
            info: Array("chatelaine software token, wrapping key".utf8),
            outputByteCount: 32)
        wrappingKey = SecretBytes(lentBy: key)
        self.place = place
    }

    public func answer(to request: TokenRequest) -> TokenAnswer {
        do throws(TokenError) {
            switch request {
            case .status:
                return .status(
                    TokenStatus(kind: .software, manufacturer: "", firmware: "", place: place, lockout: nil))
            case .createKey:
                let key = P256.Signing.PrivateKey(compactRepresentable: false)
                var bytes = Array(key.rawRepresentation)
                defer { wipe(&bytes) }
                return .key(
                    point: Array(key.publicKey.x963Representation), blob: try seal(bytes, .key))
            case .sign(let blob, let digest):
                var bytes = try open(blob, .key)
                defer { wipe(&bytes) }
                guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else { throw .foreign }
                guard let signature = try? key.signature(for: PrecomputedDigest(bytes: digest)) else {
                    throw TokenError(.failed, "the cryptographic library could not sign")
                }
                return .signature(Array(signature.rawRepresentation))
            case .agree(let blob, let point):
                guard let peer = try? P256.KeyAgreement.PublicKey(x963Representation: point) else {
                    throw TokenError(.unusableInput, "the point is not on the curve")
                }
                var bytes = try open(blob, .key)
                defer { wipe(&bytes) }
                guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes) else { throw .foreign }
                guard let secret = try? key.sharedSecretFromKeyAgreement(with: peer) else {
                    throw TokenError(.failed, "the cryptographic library could not compute the shared secret")
                }
                return .coordinate(secret.bytes)
            case .seal(let secret): return .blob(try seal(secret, .secret))
            case .unseal(let blob): return .secret(try open(blob, .secret))
            case .sealGuarded(let secret, let authorization):
                // Two layers: the outer one distinguishes a blob of another token from a wrong authorization.
                let inner = try seal(secret, .guardedSecret, guardKey(authorization))
                return .blob(try seal(inner, .guardedSecret))
            case .unsealGuarded(let blob, let authorization):
                let inner = try open(blob, .guardedSecret)
                do throws(TokenError) {
                    return .secret(try open(inner, .guardedSecret, guardKey(authorization)))
                } catch {
                    throw TokenError(.wrongAuthorization, "the authorization of the secret is wrong")
                }
            }
        } catch {
            return .failure(error)
        }
    }

    /// The kind of a blob. The raw value is its second byte.
    private enum Purpose: UInt8 {
        case key = 1
        case secret = 2
        case guardedSecret = 3
    }

    private static let blobVersion: UInt8 = 1

    /// Returns the key of a guarded secret, derived from the token's secret and the authorization.
    private func guardKey(_ authorization: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(wrappingKey), salt: authorization,
            info: Array("chatelaine software token, guarded secret".utf8), outputByteCount: 32)
    }

    private func seal(
        _ bytes: [UInt8], _ purpose: Purpose, _ key: SymmetricKey? = nil
    ) throws(TokenError) -> [UInt8] {
        let head = [Self.blobVersion, purpose.rawValue]
        // A random nonce is safe because there are too few keys for a collision.
        guard
            let sealed = try? AES.GCM.seal(
                bytes, using: key ?? SymmetricKey(wrappingKey), authenticating: head
            ).combined
        else { throw TokenError(.failed, "the cryptographic library could not seal") }
        return head + sealed
    }

    private func open(
        _ blob: [UInt8], _ purpose: Purpose, _ key: SymmetricKey? = nil
    ) throws(TokenError) -> [UInt8] {
        let head = [Self.blobVersion, purpose.rawValue]
        guard blob.starts(with: head), let box = try? AES.GCM.SealedBox(combined: blob.dropFirst(head.count)),
            var opened = try? AES.GCM.open(box, using: key ?? SymmetricKey(wrappingKey), authenticating: head)
        else { throw .foreign }
        defer { opened.resetBytes(in: opened.startIndex..<opened.endIndex) }
        return Array(opened)
    }
}

extension TokenError {
    fileprivate static var foreign: TokenError {
        TokenError(
            .foreignBlob, "the blob was made by another token, or by this token on another machine, or is damaged")
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import KeychainBytes

// The key derivation and encryption of TPM 2.0 (part 1, 11.4.10 and 17 to 21). swift-crypto provides the primitives.

enum TPMCryptography {
    /// KDFa (part 1, 11.4.10.2): SP 800-108 in counter mode with HMAC and SHA-256.
    ///
    /// - Parameter bits: a multiple of 8.
    static func kdfa(_ key: [UInt8], _ label: String, contextU: [UInt8], contextV: [UInt8], bits: Int) -> [UInt8] {
        var result: [UInt8] = []
        var counter: UInt32 = 1
        while result.count * 8 < bits {
            var writer = TPMWriter()
            writer.u32(counter)
            writer.raw(label.utf8)
            writer.u8(0)
            writer.raw(contextU)
            writer.raw(contextV)
            writer.u32(UInt32(bits))
            result += HMAC<SHA256>.authenticationCode(for: writer.bytes, using: SymmetricKey(data: key))
            counter += 1
        }
        return Array(result.prefix(bits / 8))
    }

    /// KDFe (part 1, 11.4.10.3): the derivation of SP 800-56A with SHA-256.
    static func kdfe(_ z: [UInt8], _ label: String, partyU: [UInt8], partyV: [UInt8], bits: Int) -> [UInt8] {
        var result: [UInt8] = []
        var counter: UInt32 = 1
        while result.count * 8 < bits {
            var writer = TPMWriter()
            writer.u32(counter)
            writer.raw(z)
            writer.raw(label.utf8)
            writer.u8(0)
            writer.raw(partyU)
            writer.raw(partyV)
            result += SHA256.hash(data: writer.bytes)
            counter += 1
        }
        return Array(result.prefix(bits / 8))
    }

    /// AES-128 in CFB mode; key and vector are in this order in `keyAndVector`.
    static func cfb(_ bytes: [UInt8], encrypting: Bool, _ keyAndVector: [UInt8]) throws(MalformedResponseError)
        -> [UInt8]
    {
        guard !bytes.isEmpty else { return [] }
        do {
            let key = SymmetricKey(data: keyAndVector.prefix(16))
            let vector = try AES._CFB.IV(ivBytes: keyAndVector.dropFirst(16))
            return Array(
                encrypting
                    ? try AES._CFB.encrypt(bytes, using: key, iv: vector)
                    : try AES._CFB.decrypt(bytes, using: key, iv: vector))
        } catch {
            throw MalformedResponseError()
        }
    }

    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    static func hmac(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
    }
}

/// An HMAC session with a secret that only this side and the TPM know (part 1, 19.6): it authorizes commands,
/// authenticates commands and responses, and encrypts the first parameter in both directions.
struct TPMSession {
    let handle: UInt32
    private let key: [UInt8]
    private var nonceTPM: [UInt8]
    private var nonceCaller: [UInt8]
    private let random: () -> [UInt8]

    static let nonceBytes = 16

    /// The secret that starts a session: the salt, and its encrypted form for the owner of the private key.
    struct Salt {
        let secret: [UInt8]
        /// The content of a TPM2B_ENCRYPTED_SECRET.
        let encrypted: [UInt8]

        /// - Parameters:
        ///   - point: the point of the key, as 04 | X | Y.
        ///   - ephemeral: a key that is used only once.
        init(for point: [UInt8], ephemeral: P256.KeyAgreement.PrivateKey) throws(MalformedResponseError) {
            guard let peer = try? P256.KeyAgreement.PublicKey(x963Representation: point),
                let shared = try? ephemeral.sharedSecretFromKeyAgreement(with: peer)
            else { throw MalformedResponseError() }
            let own = Array(ephemeral.publicKey.x963Representation)
            let (x, y) = (Array(own[1...32]), Array(own[33...]))
            // Part 1, C.6.3.
            secret = TPMCryptography.kdfe(shared.bytes, "SECRET", partyU: x, partyV: Array(point[1...32]), bits: 256)
            var writer = TPMWriter()
            writer.sized(x)
            writer.sized(y)
            encrypted = writer.bytes
        }
    }

    init(
        handle: UInt32, salt: [UInt8], nonceCaller: [UInt8], nonceTPM: [UInt8], random: @escaping () -> [UInt8]
    ) {
        self.handle = handle
        self.nonceCaller = nonceCaller
        self.nonceTPM = nonceTPM
        self.random = random
        // The session is not bound to an object, so the object's part of the key is empty.
        key = TPMCryptography.kdfa(salt, "ATH", contextU: nonceTPM, contextV: nonceCaller, bits: 256)
    }

    private static let attributes: SessionAttributes = [.continueSession, .decrypt, .encrypt]

    /// The authorization value of the object that a command uses; it is an additional input of keys beside the
    /// session's (part 1, 19.6.8 and 21.2). It is never sent.
    private var authorization: [UInt8] = []

    private var keyWithAuthorization: [UInt8] { key + authorization }

    /// Returns a command in this session.
    ///
    /// - Parameters:
    ///   - authorization: the authorization value of the first object; that of all others is empty.
    ///   - handles: the handles, with the names of their objects.
    ///   - first: the content of the first parameter, a TPM2B, which is encrypted; nil if the first parameter is not a
    ///     TPM2B.
    ///   - encryptsResponse: the response's first parameter is a TPM2B, and is encrypted.
    mutating func command(
        _ code: TPMCommand, _ handles: [(handle: UInt32, name: [UInt8])], authorization: [UInt8] = [],
        first: [UInt8]?, _ rest: [UInt8], encryptsResponse: Bool
    ) throws(MalformedResponseError) -> [UInt8] {
        self.authorization = authorization
        nonceCaller = random()
        var parameters = TPMWriter()
        if let first {
            parameters.sized(
                try TPMCryptography.cfb(
                    first, encrypting: true,
                    TPMCryptography.kdfa(
                        keyWithAuthorization, "CFB", contextU: nonceCaller, contextV: nonceTPM, bits: 256)))
        }
        parameters.raw(rest)
        var attributes = Self.attributes
        if first == nil { attributes.remove(.decrypt) }
        if !encryptsResponse { attributes.remove(.encrypt) }
        var hashed = TPMWriter()
        hashed.u32(code.rawValue)
        for (_, name) in handles { hashed.raw(name) }
        hashed.raw(parameters.bytes)
        let proof = TPMCryptography.hmac(
            keyWithAuthorization, TPMCryptography.sha256(hashed.bytes) + nonceCaller + nonceTPM + [attributes.rawValue])
        var area = TPMWriter()
        area.u32(handle)
        area.sized(nonceCaller)
        area.u8(attributes.rawValue)
        area.sized(proof)
        return TPMFrame.command(code, handles.map(\.handle), authorization: area.bytes, parameters: parameters.bytes)
    }

    /// Returns the parameters of the response to the last command, with the first one decrypted.
    mutating func parameters(
        of response: [UInt8], to code: TPMCommand, responseHandles: Int, isEncrypted: Bool
    ) throws(MalformedResponseError) -> (handles: [UInt32], parameters: [UInt8]) {
        defer { authorization = [] }
        var reader = TPMReader(response)
        var handles: [UInt32] = []
        for _ in 0..<responseHandles { handles.append(try reader.u32()) }
        let parameters = Array(try reader.take(Int(try reader.u32())))
        nonceTPM = try reader.sized()
        let attributes = try reader.u8()
        let proof = try reader.sized()
        try reader.finish()
        var hashed = TPMWriter()
        hashed.u32(0)
        hashed.u32(code.rawValue)
        hashed.raw(parameters)
        let expected = TPMCryptography.sha256(hashed.bytes) + nonceTPM + nonceCaller + [attributes]
        guard
            HMAC<SHA256>.isValidAuthenticationCode(
                proof, authenticating: expected, using: SymmetricKey(data: keyWithAuthorization))
        else { throw MalformedResponseError() }
        guard isEncrypted else { return (handles, parameters) }
        var inner = TPMReader(parameters)
        let first = try TPMCryptography.cfb(
            inner.sized(), encrypting: false,
            TPMCryptography.kdfa(keyWithAuthorization, "CFB", contextU: nonceTPM, contextV: nonceCaller, bits: 256))
        var plain = TPMWriter()
        plain.sized(first)
        plain.raw(inner.rest)
        return (handles, plain.bytes)
    }
}

/// Complete commands and responses (part 1, 18).
enum TPMFrame {
    /// - Parameter authorization: the authorization area of all sessions; nil for a command without any.
    static func command(
        _ code: TPMCommand, _ handles: [UInt32] = [], authorization: [UInt8]? = nil, parameters: [UInt8] = []
    ) -> [UInt8] {
        var body = TPMWriter()
        for handle in handles { body.u32(handle) }
        if let authorization {
            body.u32(UInt32(authorization.count))
            body.raw(authorization)
        }
        body.raw(parameters)
        var frame = TPMWriter()
        frame.u16(authorization == nil ? TPMTag.noSessions : TPMTag.sessions)
        frame.u32(UInt32(10 + body.bytes.count))
        frame.u32(code.rawValue)
        frame.raw(body.bytes)
        return frame.bytes
    }

    /// The authorization with an empty password.
    static let emptyPassword: [UInt8] = {
        var writer = TPMWriter()
        writer.u32(TPMHandle.password)
        writer.sized([])
        writer.u8(SessionAttributes.continueSession.rawValue)
        writer.sized([])
        return writer.bytes
    }()

    /// The largest response of a TPM.
    static let largestResponse = 4096

    /// Returns the content after the header of a response, or the error code.
    static func content(of response: [UInt8]) throws(MalformedResponseError) -> Result<[UInt8], ResponseCode> {
        var reader = TPMReader(response)
        _ = try reader.u16()
        guard try Int(reader.u32()) == response.count else { throw MalformedResponseError() }
        let code = ResponseCode(rawValue: try reader.u32())
        return code == .success ? .success(Array(reader.rest)) : .failure(code)
    }
}
